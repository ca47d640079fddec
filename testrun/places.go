package testrun

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Span is a part of a text, from byte start to before byte end.
type Span struct{ Start, End int }

// CutOut divides a text into what lies outside the spans and what lies inside.
// The spans are in order and do not overlap.
func CutOut(content string, cuts []Span) (outside, inside string) {
	var out, in strings.Builder
	at := 0
	for _, c := range cuts {
		out.WriteString(content[at:c.Start])
		in.WriteString(content[c.Start:c.End])
		at = c.End
	}
	out.WriteString(content[at:])
	return out.String(), in.String()
}

// Place says in whose code something happened.
type Place int

const (
	Elsewhere Place = iota // outside the project
	InSource               // production code
	InTest                 // test code
)

// Places knows which lines of a project are tests.
type Places struct {
	Dir      string
	Language Language
	cuts     map[string][]Span // of a source file, in lines
}

func NewPlaces(dir string, lang Language) *Places {
	return &Places{Dir: dir, Language: lang, cuts: make(map[string][]Span)}
}

// Relative returns a path as it is named in facts: slash-separated and relative
// to the project. It returns "" for a file that the project does not have. A
// path that a tool printed may be relative to any of the given directories.
func (p *Places) Relative(name string, bases ...string) string {
	if name == "" {
		return ""
	}
	for _, base := range append([]string{p.Dir}, bases...) {
		full := filepath.FromSlash(name)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
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

// Of says whose code a line of a file, as relative named it, is.
func (p *Places) Of(file string, line int) Place {
	if file == "" {
		return Elsewhere
	}
	switch p.Language.Kind(file) {
	case gates.KindTest, gates.KindSupport:
		return InTest
	case gates.KindSource, gates.KindConfig, gates.KindOther:
	}
	for _, c := range p.lines(file) {
		if c.Start <= line && line < c.End {
			return InTest
		}
	}
	return InSource
}

// lines returns the spans of 1-based lines that are tests in a source file.
func (p *Places) lines(file string) []Span {
	if p.Language.Syntax.Cuts == nil {
		return nil
	}
	if known, ok := p.cuts[file]; ok {
		return known
	}
	content := p.Text(file)
	var out []Span
	for _, c := range p.Language.Syntax.Cuts(content) {
		first := 1 + strings.Count(content[:c.Start], "\n")
		last := first + strings.Count(strings.TrimRight(content[c.Start:c.End], "\n"), "\n")
		out = append(out, Span{first, last + 1})
	}
	p.cuts[file] = out
	return out
}

// Text is the content of a file, as relative named it; empty where it cannot be
// read.
func (p *Places) Text(file string) string {
	raw, _ := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(file)))
	return string(raw)
}
