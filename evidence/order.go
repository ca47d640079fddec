package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// Subtle orders mutants as they are to be tried, each by itself, where it is asked what no test
// notices, and there may not be time for all: whole blocks and the limits of ranges first, then
// what a change does beside what it is for; last what hardly any test misses.
func Subtle(sources []Source) []Group {
	first, rest, _ := listed(sources)
	all := append(first, rest...)
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.subtlety(), b.subtlety()) })
	return byThemselves(all)
}

// limitPattern matches a comparison that has a limit.
var limitPattern = lazyregexp.New(`^\s*(?:<=?|>=?|-(?:l[te]|g[te]))\s*$`)

// subtlety is smaller the more easily tests miss a mutant.
func (p placed) subtlety() int {
	was := p.source.Content[p.Edit.Start:p.Edit.End]
	switch {
	case p.Rank < 0: // a whole block, of which nothing more is to be said
		return 0
	case limitPattern.MatchString(was):
		return 1
	case p.Lines, p.Rank == syntax.Slip:
		return 2
	case p.Default, was != "" && was[0] >= '0' && was[0] <= '9':
		return 3
	case p.Subtle, strings.HasPrefix(p.What, "without "):
		return 4
	case was != "" && strings.ContainsRune("\"'`", rune(was[0])):
		return 6
	}
	return 5
}

// Slips reports whether a group holds only what is easily mistaken for another.
func (g Group) Slips() bool {
	return !slices.ContainsFunc(g.members, func(p placed) bool { return p.Rank != syntax.Slip })
}

// byThemselves makes a group of each mutant.
func byThemselves(list []placed) []Group {
	return gates.Each(list, func(p placed) Group { return Group{members: []placed{p}} })
}

// Nearest orders sources by how much the text of some tests has to do with them,
// and leaves out those that it has nothing to do with, unless that is all.
func Nearest(sources []Source, tests []File) []Source {
	near := map[string]int{}
	for _, s := range sources {
		base := s.Path[strings.LastIndexByte(s.Path, '/')+1:]
		stem, _, _ := strings.Cut(base, ".")
		for _, t := range tests {
			if strings.Contains(strings.ToLower(t.Path), strings.ToLower(stem)) {
				near[s.Path] += 2
			}
			if strings.Contains(t.Content, stem) {
				near[s.Path]++
			}
		}
	}
	out := slices.Clone(sources)
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(near[b.Path], near[a.Path]) })
	if close := slices.IndexFunc(out, func(s Source) bool { return near[s.Path] == 0 }); close > 0 {
		return out[:close]
	}
	return out
}
