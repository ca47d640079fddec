package prove

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// answers finds the added lines that hold what a check gives and expects, value by value,
// if that goes for every check that the change adds: then its tests cannot tell a rule from
// a table of their answers. Of a single check that is the line that alone gives something.
func (p *proof) answers() []Lines {
	var asked [][]string
	for _, f := range p.Change.Files {
		for _, check := range f.NewAssertions() {
			if values := gates.Literals(check); len(values) > 1 {
				asked = append(asked, values)
			}
		}
	}
	switch rows := p.rows(); {
	case len(rows) >= telling:
		return p.allHeld(rows)
	case len(asked) < 2:
		return p.oneAnswer(slices.Concat(asked...))
	}
	return p.allHeld(asked)
}

// rowPattern matches a row of a table, all of it literals: {"1k", 1024},.
var rowPattern = lazyregexp.New(`^[\[({]?\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?\d[\w.]*)(?:\s*(?:,|:|=>)\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?\d[\w.]*))+\s*[\])}]?,?$`)

// rows are the values of each row that the tests of the change add to a table.
func (p *proof) rows() (out [][]string) {
	for _, f := range p.Change.Files {
		added := addedToTests(f)
		for _, n := range slices.Sorted(maps.Keys(added)) {
			if values := gates.Literals(added[n]); len(values) > 1 && rowPattern.MatchString(strings.TrimSpace(added[n])) {
				out = append(out, values)
			}
		}
	}
	return out
}

// allHeld are the added lines that hold some lists of values, each all of one, if that goes
// for every list.
func (p *proof) allHeld(asked [][]string) (out []Lines) {
	for _, values := range asked {
		at, found := p.holding(values)
		if !found {
			return nil
		}
		out = gates.Union(out, []Lines{at})
	}
	slices.SortFunc(out, func(a, b Lines) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First)) })
	return out
}

var (
	// answerPattern matches a line that gives a literal back, and does nothing else.
	answerPattern = lazyregexp.New(`^\s*(?:return\b|.*=>)?\s*(?:"[^"]*"|'[^']*'|-?\d[\w.]*)\s*;?\s*$`)
	// decidesPattern matches what may give something else, or depend on something.
	decidesPattern = lazyregexp.New(`\b(?:return|if|unless|case|when|for|while|match|switch)\b| [?*/%<>]|&&`)
)

// oneAnswer is the added line that gives one of some values whatever it is asked, if no
// other added line gives or decides anything.
func (p *proof) oneAnswer(values []string) []Lines {
	var out []Lines
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		for _, n := range slices.Sorted(maps.Keys(p.added[path])) {
			text := p.added[path][n]
			there := gates.Literals(text)
			if len(there) == 1 && answerPattern.MatchString(text) && slices.Contains(values, there[0]) {
				out = append(out, Lines{Path: path, First: n, Last: n, Text: text})
			} else if decidesPattern.MatchString(text) {
				return nil
			}
		}
	}
	if len(out) > 1 {
		return nil
	}
	return out
}

// holding is the first added line that holds all of some values, by itself or with the one
// below it.
func (p *proof) holding(values []string) (at Lines, found bool) {
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		lines := p.added[path]
		holds := func(text string) bool {
			there := gates.Literals(strings.ToLower(text))
			return !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(there, strings.ToLower(v)) })
		}
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			l := Lines{Path: path, First: n, Last: n, Text: lines[n]}
			if holds(lines[n]) {
				return l, true
			}
			if !found && holds(lines[n]+"\n"+lines[n+1]) {
				at, found = l, true
			}
		}
	}
	return at, found
}
