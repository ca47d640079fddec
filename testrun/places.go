package testrun

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/syntax"
)

// Place says in whose code something happened.
type Place int

// The places that matter to what a failure means.
const (
	Elsewhere Place = iota // outside the project
	InSource               // production code
	InTest                 // test code
)

// Places knows the files of a project, and which of their lines are tests.
type Places struct {
	Dir      string // the root of the project
	At       string // where commands find it; empty: there
	Language Language
	tests    map[string][]syntax.Span // the lines of a source file that are tests, once they were asked for
}

// Relative is a path that a tool printed as facts name it: slash-separated and relative to the
// project, or "" if it has no such file. It may be absolute, or relative to the project or a base.
func (p *Places) Relative(name string, bases ...string) string {
	if name == "" {
		return ""
	}
	for _, base := range append([]string{p.Dir}, bases...) {
		full := filepath.FromSlash(name)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		full = p.here(full)
		rel, err := filepath.Rel(p.Dir, full)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if _, err := os.Lstat(full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// HasAny reports whether the project has a file of one of some names in any of some folders.
func (p *Places) HasAny(folders []string, names ...string) bool {
	return slices.ContainsFunc(folders, func(dir string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return p.Relative(filepath.Join(dir, name)) != "" })
	})
}

// here is a path of ours for one that a command may have named.
func (p *Places) here(name string) string {
	rel, err := filepath.Rel(p.At, name)
	if p.At == "" || err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return filepath.Join(p.Dir, rel)
}

// Inside is the rest of an absolute path that leads into the project, if anything is there or not.
func (p *Places) Inside(name string) (rest string, ok bool) {
	name = p.here(name)
	for _, dir := range []string{p.Dir, Resolved(p.Dir)} {
		if rest, ok := strings.CutPrefix(name, dir+string(filepath.Separator)); ok {
			return rest, true
		}
	}
	return name, false
}

// Own is [Places.Relative] for tools that resolve symbolic links on the way to the project.
func (p *Places) Own(name string) string {
	rest, _ := p.Inside(name)
	return p.Relative(rest)
}

// Of says whose code a line of a file is, which is named as [Places.Relative] does.
func (p *Places) Of(file string, line int) Place {
	if file == "" {
		return Elsewhere
	}
	if kind := p.Language.Kind(file); kind == gates.KindTest || kind == gates.KindSupport {
		return InTest
	}
	for _, c := range p.lines(file) {
		if c.Start <= line && line < c.End {
			return InTest
		}
	}
	return InSource
}

// lines returns the spans of 1-based lines that are tests in a source file.
func (p *Places) lines(file string) []syntax.Span {
	if p.Language.At(file).Syntax.Cuts == nil {
		return nil
	}
	if known, ok := p.tests[file]; ok {
		return known
	}
	content := p.Text(file)
	var out []syntax.Span
	for _, c := range p.Language.At(file).Syntax.Cuts(content) {
		first := 1 + strings.Count(content[:c.Start], "\n")
		last := first + strings.Count(strings.TrimRight(content[c.Start:c.End], "\n"), "\n")
		out = append(out, syntax.Span{Start: first, End: last + 1})
	}
	if p.tests == nil {
		p.tests = make(map[string][]syntax.Span)
	}
	p.tests[file] = out
	return out
}

// Text is the content of a file, named as [Places.Relative] does; empty if it cannot be read.
func (p *Places) Text(file string) string {
	raw, _ := wholefile.Read(filepath.Join(p.Dir, filepath.FromSlash(file)))
	return string(raw)
}

// Line is a line of a file, by its number; empty where there is none.
func (p *Places) Line(file string, number int) string {
	lines := strings.Split(p.Text(file), "\n")
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}

// Files yields the files of the project outside of some folders, which are named by
// their path or by a pattern of their name. What cannot be read is left out.
func (p *Places) Files(except ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = fs.WalkDir(os.DirFS(p.Dir), ".", func(name string, d fs.DirEntry, err error) error { // as above
			named := func(pattern string) bool { return name == pattern || doublestar.MatchUnvalidated(pattern, d.Name()) }
			switch {
			case err != nil:
				return nil //nolint:nilerr // see above
			case d.IsDir() && name != "." && slices.ContainsFunc(except, named):
				return fs.SkipDir
			case d.Type().IsRegular() && !yield(name):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// Asked is a complaint about what is missing, as what it means: what production code
// misses was not asked for by a test.
func (p *Places) Asked(d gates.Diagnostic) gates.Diagnostic {
	if d.Class == gates.ClassMissingSymbol && p.Of(d.File, d.Line) != InTest {
		d.Class, d.Symbol = gates.ClassCompile, ""
	}
	return d
}

// Resolved is a path without symbolic links, or as it is.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
