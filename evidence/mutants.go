package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Source is a file of sources, and what of it may be made wrong.
type Source struct {
	Path    string
	Content string
	Mutants []syntax.Mutant
	Near    []syntax.Mutant // see [testrun.Syntax]
}

// placed is a mutant of a file.
type placed struct {
	source *Source
	syntax.Mutant
}

func (p placed) told() gates.Mutant {
	m := gates.Mutant{Path: p.source.Path, Line: p.Line, What: firstLine(p.What)}
	if p.Lines {
		return p.lines(m)
	}
	shown := syntax.Edit{Span: p.Edit.Span, Text: cmp.Or(p.Shown, p.Edit.Text)}
	m.Was, m.Now = differing(p.source.Content, syntax.Apply(p.source.Content, []syntax.Edit{shown}))
	return m
}

// lines is a mutant that puts whole lines back, with what these are and were.
func (p placed) lines(m gates.Mutant) gates.Mutant {
	part := p.source.Content[p.Edit.Start:p.Edit.End]
	was, now := strings.Trim(part, "\r\n"), strings.Trim(p.Edit.Text, "\r\n")
	if n := strings.Count(part, "\n"); n > 1 {
		m.Last = p.Line + n - 1
	}
	if m.Last > 0 && now != "" {
		was = fmt.Sprintf("(lines %d-%d)", p.Line, m.Last)
	}
	switch first, _, more := strings.Cut(now, "\n"); {
	case more && was == "":
		now = fmt.Sprintf("%s … (%d lines)", strings.TrimSpace(first), strings.Count(now, "\n")+1)
	case more:
		now = "(" + p.What + ")"
	}
	was, _, _ = strings.Cut(was, "\n")
	was, now = aroundDifference(was, now)
	m.Was, m.Now = cmp.Or(was, nothing), cmp.Or(now, nothing)
	return m
}

// nothing is said where no text stands.
const nothing = "(nothing)"

// differing is the first line in which two texts differ, as each of them has it.
func differing(a, b string) (was, now string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			was, now = aroundDifference(x[i], y[i])
			return cmp.Or(was, nothing), cmp.Or(now, nothing)
		}
	}
	return "", ""
}

// aroundDifference are two lines without indentation, unless they differ in nothing else,
// cut if they are long so that it shows where they differ.
func aroundDifference(was, now string) (shortWas, shortNow string) {
	const most, before = 70, 30
	if strings.TrimSpace(was) != strings.TrimSpace(now) {
		was, now = strings.TrimSpace(was), strings.TrimSpace(now)
	}
	for was != "" && now != "" && was[0] == now[0] && (was[0] == ' ' || was[0] == '\t') {
		was, now = was[1:], now[1:]
	}
	a, b := []rune(was), []rune(now)
	cut := func(line []rune, differ int) string {
		head, tail := "", ""
		if from := differ - before; len(line) > most && from > 0 {
			line, head = line[from:], "…"
		}
		if len(line) > most {
			line, tail = line[:most], "…"
		}
		return head + string(line) + tail
	}
	i, j := differ(a, b)
	return cut(a, i), cut(b, j)
}

// differ is where two lines differ, by more than brackets that the second has around a part
// if there is more.
func differ(a, b []rune) (i, j int) {
	first := -1
	for ; i < len(a) && j < len(b); j++ {
		switch {
		case a[i] == b[j]:
			i++
		case first < 0 && b[j] == '(':
			first = j
		case first < 0 || b[j] != '(' && b[j] != ')':
			return i, j
		}
	}
	if first >= 0 && strings.Trim(string(b[j:]), ")") == "" {
		return first, first
	}
	return i, j
}

// firstLine is the first line of a text, cut if it is long.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return gates.Clip(line, 80)
}

// listed lists the mutants of some sources: those that tell most, line by line, the
// others, and those that only a close look notices.
func listed(sources []Source) (first, rest, near []placed) {
	for i := range sources {
		add := func(to *[]placed, list []syntax.Mutant) {
			for _, m := range list {
				*to = append(*to, placed{&sources[i], m})
			}
		}
		telling, others := syntax.MostTelling(sources[i].Mutants)
		add(&first, telling)
		add(&rest, others)
		add(&near, sources[i].Near)
	}
	return first, rest, near
}

// spread takes at most n of a list, evenly.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, 0, n)
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// Surveyed is how many mutants of what a step added are tried where it is asked which
// of them no test notices.
const Surveyed = 8

// maxSingles is how many mutants are tried by themselves before the others are tried
// together, where it is enough that one is noticed.
const maxSingles = 24

// Singles orders the mutants of what a step added as they are to be tried, each by
// itself: at most [Surveyed] of lines that lie well apart, the most telling first, then
// what is left.
func Singles(sources []Source) []Group {
	first, rest, _ := listed(sources)
	chosen := slices.Clone(spread(first, Surveyed))
	rest = append(slices.DeleteFunc(first, func(p placed) bool { return slices.Contains(chosen, p) }), rest...)
	byRank := func(a, b placed) int { return cmp.Compare(a.Rank, b.Rank) }
	slices.SortStableFunc(chosen, byRank)
	slices.SortStableFunc(rest, byRank)
	return byThemselves(append(chosen, rest...))
}

// Trials is Singles, but what comes after many is tried together, and behind them
// conditions that never hold, which only matter where nothing else was noticed.
func Trials(sources []Source) []Group {
	all := Singles(sources)
	for len(all) > maxSingles+1 {
		last := len(all) - 1
		all[maxSingles].members = append(all[maxSingles].members, all[last].members...)
		all = all[:last]
	}
	for i := range sources {
		for _, m := range sources[i].Mutants {
			if never, ok := m.Never(sources[i].Content); ok {
				all = append(all, Group{members: []placed{{&sources[i], never}}, Last: true})
			}
		}
	}
	return all
}

// Group is some mutants that are tried together.
type Group struct {
	members []placed
	Last    bool // not to be tried where another one was noticed
}

// Join adds what another group makes wrong, unless both alter the same lines of a file.
func (g *Group) Join(other Group) bool {
	for _, p := range g.members {
		for _, o := range other.members {
			if p.source.Path == o.source.Path && p.Line <= o.last() && o.Line <= p.last() {
				return false
			}
		}
	}
	g.members = append(g.members, other.members...)
	return true
}

// last is the last line that a mutant alters.
func (p placed) last() int {
	return p.Line + strings.Count(p.source.Content[p.Edit.Start:p.Edit.End], "\n")
}

// PutsBack reports whether a group holds lines as they were before a change.
func (g Group) PutsBack() bool {
	return slices.ContainsFunc(g.members, func(p placed) bool { return p.Lines })
}

// Defaults reports whether all that a group makes wrong is what parameters are by default.
func (g Group) Defaults() bool {
	return !slices.ContainsFunc(g.members, func(p placed) bool { return !p.Default })
}

// Muted are the results of some sources that a group leaves out: what each does is done,
// and nothing given back. ok is false if one of them has no such form.
func (g Group) Muted(sources []Source) (muted Group, ok bool) {
	for _, p := range g.members {
		i := slices.IndexFunc(sources, func(s Source) bool { return s.Path == p.source.Path })
		for _, m := range sources[i].Mutants {
			if !m.Result || m.Edit.Start < p.Edit.Start || m.Edit.End > p.Edit.End {
				continue
			}
			if m.Done == "" {
				return Group{}, false
			}
			m.Edit.Text = m.Done
			muted.members = append(muted.members, placed{&sources[i], m})
		}
	}
	return muted, true
}

// Mutants says what a group makes wrong.
func (g Group) Mutants() []gates.Mutant {
	return gates.Each(g.members, placed.told)
}

// Files are the sources of a group, made wrong.
func (g Group) Files() map[string]string {
	edits := map[*Source][]syntax.Edit{}
	for _, p := range g.members {
		edits[p.source] = append(edits[p.source], p.Edit)
	}
	out := map[string]string{}
	for source, list := range edits {
		out[source.Path] = syntax.Apply(source.Content, list)
	}
	return out
}

// Try runs some tests with a group of mutants. Those that do not compile are no
// mutants, and are left out; ok is false if none is left, or if nothing ran.
func Try(ctx context.Context, g *Group, tests []gates.Test, run Run) (facts gates.Facts, ok bool, err error) {
	for range maxRepairs {
		if len(g.members) == 0 {
			return facts, false, nil
		}
		facts, err = run(ctx, Question{Files: g.Files(), Tests: tests})
		if err != nil || facts.Complete() || !g.drop(facts.Diagnostics) {
			break
		}
	}
	ran := slices.ContainsFunc(tests, func(t gates.Test) bool { _, ran := facts.Lookup(t.ID); return ran })
	return facts, ran || facts.Outcome == gates.Timeout, err
}

// drop takes out the mutants that a compiler complains about: of several by their lines,
// because one may leave an import unused. It reports whether there were any.
func (g *Group) drop(complaints []gates.Diagnostic) bool {
	before := len(g.members)
	compilers := []gates.Class{gates.ClassCompile, gates.ClassSyntax, gates.ClassMissingSymbol}
	g.members = slices.DeleteFunc(g.members, func(p placed) bool {
		return slices.ContainsFunc(complaints, func(d gates.Diagnostic) bool {
			return slices.Contains(compilers, d.Class) && d.File == p.source.Path && (before == 1 || d.Line == 0 || d.Line == p.Line)
		})
	})
	return len(g.members) < before
}
