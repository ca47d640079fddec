package testrun

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// span is a part of a text, from byte start to before byte end.
type span struct{ start, end int }

// cutOut divides a text into what lies outside the spans and what lies inside.
// The spans are in order and do not overlap.
func cutOut(content string, cuts []span) (outside, inside string) {
	var out, in strings.Builder
	at := 0
	for _, c := range cuts {
		out.WriteString(content[at:c.start])
		in.WriteString(content[c.start:c.end])
		at = c.end
	}
	out.WriteString(content[at:])
	return out.String(), in.String()
}

// place says in whose code something happened.
type place int

const (
	placeForeign place = iota // outside the project
	placeSource               // production code
	placeTest                 // test code
)

// places knows which lines of a project are tests.
type places struct {
	dir  string
	lang Language
	cuts map[string][]span // of a source file, in lines
}

func newPlaces(dir string, lang Language) *places {
	return &places{dir: dir, lang: lang, cuts: make(map[string][]span)}
}

// relative returns a path as it is named in facts: slash-separated and relative
// to the project. It returns "" for a file that the project does not have. A
// path that a tool printed may be relative to any of the given directories.
func (p *places) relative(name string, bases ...string) string {
	if name == "" {
		return ""
	}
	for _, base := range append([]string{p.dir}, bases...) {
		full := filepath.FromSlash(name)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		rel, err := filepath.Rel(p.dir, full)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if _, err := os.Lstat(full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// of says whose code a line of a file, as relative named it, is.
func (p *places) of(file string, line int) place {
	if file == "" {
		return placeForeign
	}
	switch p.lang.Kind(file) {
	case gates.KindTest, gates.KindSupport:
		return placeTest
	case gates.KindSource, gates.KindConfig, gates.KindOther:
	}
	for _, c := range p.lines(file) {
		if c.start <= line && line < c.end {
			return placeTest
		}
	}
	return placeSource
}

// lines returns the spans of 1-based lines that are tests in a source file.
func (p *places) lines(file string) []span {
	if p.lang.syntax.cuts == nil {
		return nil
	}
	if known, ok := p.cuts[file]; ok {
		return known
	}
	content := p.text(file)
	var out []span
	for _, c := range p.lang.syntax.cuts(content) {
		first := 1 + strings.Count(content[:c.start], "\n")
		last := first + strings.Count(strings.TrimRight(content[c.start:c.end], "\n"), "\n")
		out = append(out, span{first, last + 1})
	}
	p.cuts[file] = out
	return out
}

// text is the content of a file, as relative named it; empty where it cannot be
// read.
func (p *places) text(file string) string {
	raw, _ := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(file)))
	return string(raw)
}
