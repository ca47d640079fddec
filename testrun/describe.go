package testrun

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Description is a language in a project's own words: all of it, or what git-tdd should know more.
type Description struct {
	Name string `koanf:"name"` // empty: found from the project
	// Test, Support, Source and Config are doublestar patterns of paths. If several match, support
	// counts before test, config and source, and all before what is known of the language.
	Test      []string `koanf:"test"`
	Support   []string `koanf:"support"`
	Source    []string `koanf:"source"`
	Config    []string `koanf:"config"`
	BuildDirs []string `koanf:"build_dirs"`
	Tools     []string `koanf:"tools"` // commands that print versions, words with spaces between them
	// Declares are regular expressions of which the first group that matches
	// names a test that a file declares; ^ and $ stand for the ends of a line.
	Declares []string `koanf:"declares"`
	// Asserts are regular expressions that match an expectation.
	Asserts []string `koanf:"asserts"`
}

// Bare reports whether a description says no more than a name.
func (d Description) Bare() bool {
	return len(d.Test)+len(d.Support)+len(d.Source)+len(d.Config)+len(d.BuildDirs)+
		len(d.Tools)+len(d.Declares)+len(d.Asserts) == 0
}

// Describe makes a language of its description. A bare name must be known.
func (all Languages) Describe(d Description) (Language, error) {
	l, err := all.ByName(d.Name)
	if d.Bare() {
		return l, err
	}
	if err != nil {
		l = Language{Name: d.Name, Rules: Rules()}
	}
	declares, err1 := compileAll(d.Declares, CompileDeclaring)
	asserts, err2 := compileAll(d.Asserts, CompileMatching)
	if err := errors.Join(err1, err2); err != nil {
		return Language{}, fmt.Errorf("language %s: %w", d.Name, err)
	}
	l.Described = fmt.Sprintf("%q", d)
	l.Rules = slices.Concat(
		PathRules(gates.KindSupport, d.Support...), PathRules(gates.KindTest, d.Test...),
		PathRules(gates.KindConfig, d.Config...), PathRules(gates.KindSource, d.Source...), l.Rules)
	l.Keep = d.BuildDirs
	l.Tools = slices.Clone(l.Tools)
	for _, tool := range d.Tools {
		l.Tools = append(l.Tools, strings.Fields(tool))
	}
	return l.reading(func(s *Syntax) {
		if len(declares) > 0 {
			s.Declared = func(test string) []string { return matches(test, declares, firstGroup) }
		}
		if len(asserts) > 0 {
			s.Assertions = func(test string) []string { return matches(test, asserts, wholeMatch) }
		}
	}), nil
}

// CompileMatching compiles a regular expression of [Description.Asserts].
func CompileMatching(expr string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?m)" + expr)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: %w", expr, err)
	case re.MatchString(""):
		return nil, fmt.Errorf("%q: it matches the empty text", expr)
	}
	return re, nil
}

// CompileDeclaring compiles a regular expression of [Description.Declares].
func CompileDeclaring(expr string) (*regexp.Regexp, error) {
	re, err := CompileMatching(expr)
	if err == nil && re.NumSubexp() == 0 {
		return nil, fmt.Errorf(`%q: it has no group, as in (\w+), that holds the name`, expr)
	}
	return re, err
}

func compileAll(exprs []string, compile func(string) (*regexp.Regexp, error)) ([]*regexp.Regexp, error) {
	out := make([]*regexp.Regexp, 0, len(exprs))
	for _, expr := range exprs {
		re, err := compile(expr)
		if err != nil {
			return nil, err
		}
		out = append(out, re)
	}
	return out, nil
}

// matches collects what several regular expressions find, in the order of the text.
func matches(text string, exprs []*regexp.Regexp, of func(text string, place []int) string) []string {
	found := map[int][]string{} // by the place
	for _, re := range exprs {
		for _, place := range re.FindAllStringSubmatchIndex(text, -1) {
			if hit := of(text, place); hit != "" {
				found[place[0]] = append(found[place[0]], hit)
			}
		}
	}
	var out []string
	for _, at := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[at]...)
	}
	return out
}

// firstGroup is the first group that took part in a match.
func firstGroup(text string, place []int) string {
	for g := 2; g < len(place); g += 2 {
		if place[g] >= 0 {
			return strings.TrimSpace(text[place[g]:place[g+1]])
		}
	}
	return ""
}

// wholeMatch is a match with its white space folded.
func wholeMatch(text string, place []int) string {
	return strings.Join(strings.Fields(text[place[0]:place[1]]), " ")
}
