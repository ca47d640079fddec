package prove

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// answers finds the added lines that hold what a check gives and expects, value by value,
// if that goes for every check that the change adds: then its tests cannot tell a rule from
// a table of their answers.
func (p *proof) answers() []Lines {
	var asked [][]string
	for _, f := range p.Change.Files {
		for _, check := range f.NewAssertions() {
			if values := gates.Literals(check); len(values) > 1 {
				asked = append(asked, values)
			}
		}
	}
	if len(asked) < 2 {
		return nil
	}
	var out []Lines
	for _, values := range asked {
		at, found := p.holding(values)
		if !found {
			return nil
		}
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	slices.SortFunc(out, func(a, b Lines) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First)) })
	return out
}

// holding is the first added line that holds all of some values, by itself or with the one
// below it.
func (p *proof) holding(values []string) (at Lines, found bool) {
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		lines := p.added[path]
		holds := func(text string) bool {
			there := gates.Literals(text)
			return !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(there, v) })
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
