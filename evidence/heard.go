package evidence

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// place is what one expected value takes to be another one.
type place []syntax.Edit

// maxPlaces is how many of a test's expected values are asked one by one.
const maxPlaces = 8

// Listener asks the passing tests of a tree, value by value, whether they notice that
// one of those that they expect is another: a row of a table, a check after another.
type Listener struct {
	run    Run
	tests  map[string]*graded
	places map[string][]place // by test; those in which there are several
	bodies map[body][]gates.Test
}

// body is the text of a test. Several tests may have it in common, as the rows of a
// table have: then each value is one of them's to notice.
type body struct {
	file  string
	first int // where the first of its values stands
}

func (l Listener) bodyOf(id string) body {
	return body{l.tests[id].file.Path, l.places[id][0][0].Start}
}

// Listen makes a listener for passing tests of some files. What a test expects are the values of
// its checks, and those of some values that its text spells out: a helper may compare them.
func Listen(files []File, values map[string]bool, passing []gates.Test, run Run) Listener {
	l := Listener{run: run, tests: map[string]*graded{}, places: map[string][]place{}, bodies: map[body][]gates.Test{}}
	for _, t := range passing {
		g := find(files, t)
		if g == nil {
			continue
		}
		var all []place
		for _, unit := range g.units() {
			all = append(all, places(g.file.Content, unit, values)...)
		}
		all = append(all, g.spelled(values, all)...)
		slices.SortFunc(all, func(a, b place) int { return a[0].Start - b[0].Start })
		if len(all) > 1 && len(g.units()) == 1 {
			l.tests[t.ID], l.places[t.ID] = g, all
			l.bodies[l.bodyOf(t.ID)] = append(l.bodies[l.bodyOf(t.ID)], t)
		}
	}
	return l
}

// IDs are the tests that expect several values.
func (l Listener) IDs() []string { return slices.Sorted(maps.Keys(l.tests)) }

// asked are the places of a test that are asked, the last first: at most [maxPlaces].
func (l Listener) asked(id string) []place {
	rest, last := l.places[id][:len(l.places[id])-1], l.places[id][len(l.places[id])-1]
	return append([]place{last}, spread(rest, maxPlaces-1)...)
}

// Lost finds the values that tests of before heard of and those that follow them hear of no
// longer, although they are written there: of each test one, at one of its places. Values are
// told apart by what is written, because they may have changed places. What could not be asked
// is assumed.
func Lost(ctx context.Context, was, now Listener, follow map[string]string) (lost []gates.Mutant, assumed string, err error) {
	old := slices.Sorted(maps.Keys(follow))
	had, wholeBefore, err := was.hear(ctx, old)
	if err != nil {
		return nil, "", err
	}
	has, whole, err := now.hear(ctx, slices.Compact(slices.Sorted(maps.Values(follow))))
	if !whole || !wholeBefore {
		assumed = gates.Unasked
	}
	for _, id := range old {
		heirs := has[follow[id]]
		for _, value := range slices.Sorted(maps.Keys(heirs)) {
			if before := had[id][value]; before != nil && heirs[value].less(*before) {
				lost = append(lost, now.where(follow[id], heirs[value].deaf[0]))
				break
			}
		}
	}
	return lost, assumed, err
}

// hearing is what a test makes of one value that it expects: at how many places that is
// written, and at which of those that were asked, counted from its first, it notices another one.
type hearing struct {
	written int
	asked   map[int]bool
	deaf    []place
}

// less reports whether less is noticed than was: not only because the value is written at
// fewer places, nor because it is an input as well, nor because other places were asked.
func (h hearing) less(was hearing) bool {
	all := len(h.asked) == h.written && len(was.asked) == was.written
	if !all && h.written != was.written {
		return false
	}
	heard, deaf := h.among(was, all)
	wasHeard, wasDeaf := was.among(h, all)
	return heard < wasHeard && deaf > wasDeaf
}

// among counts the places that were asked, all or only those that were in another test too.
func (h hearing) among(other hearing, all bool) (heard, deaf int) {
	for n, hears := range h.asked {
		_, both := other.asked[n]
		switch {
		case !both && !all:
		case hears:
			heard++
		default:
			deaf++
		}
	}
	return heard, deaf
}

// hear asks some tests about their values, until one of these keeps them from ending: others
// are likely to do so too, and each would cost the longest time that there is.
// It says whether all of them could be asked.
func (l Listener) hear(ctx context.Context, ids []string) (of map[string]map[string]*hearing, whole bool, err error) {
	run, hangs := l.run, false
	whole = true
	l.run = func(ctx context.Context, q Question) (facts gates.Facts, err error) {
		if !hangs {
			facts, err = run(ctx, q)
			hangs, whole = facts.Outcome == gates.Timeout, whole && facts.Complete()
		}
		return facts, err
	}
	of, nth := map[string]map[string]*hearing{}, map[string]map[int]int{}
	for _, id := range ids {
		of[id], nth[id] = l.values(id)
	}
	for i := range maxPlaces {
		deaf, err := l.Deaf(ctx, ids, i)
		if err != nil {
			return nil, false, err
		}
		for id, is := range deaf {
			p := l.asked(id)[i]
			h := of[id][l.written(id, p)]
			if h.asked[nth[id][p[0].Start]] = !is; is {
				h.deaf = append(h.deaf, p)
			}
		}
	}
	return of, whole, nil
}

// values are the values that a test expects, before it is asked, and which of the places of its
// value each is, by where it begins.
func (l Listener) values(id string) (all map[string]*hearing, nth map[int]int) {
	all, nth = map[string]*hearing{}, map[int]int{}
	for _, p := range l.places[id] {
		h := all[l.written(id, p)]
		if h == nil {
			h = &hearing{asked: map[int]bool{}}
			all[l.written(id, p)] = h
		}
		nth[p[0].Start] = h.written
		h.written++
	}
	return all, nth
}

// written is what stands at a place of a test.
func (l Listener) written(id string, p place) string {
	text := l.tests[id].file.Content
	return strings.Join(gates.Each(p, func(e syntax.Edit) string { return strings.Trim(text[e.Start:e.End], "\"'") }), " ")
}

// where is a place at which a test expects a value.
func (l Listener) where(id string, p place) gates.Mutant {
	g, at := l.tests[id], p[0].Span
	return gates.Mutant{
		Path: g.file.Path, Line: 1 + strings.Count(g.file.Content[:at.Start], "\n"),
		What: "another value is expected than " + firstLine(cmp.Or(g.file.Content[at.Start:at.End], lineOf(g.file.Content, at.Start))),
	}
}

// lineOf is the line of a text that has a byte.
func lineOf(text string, at int) string {
	line, _, _ := strings.Cut(text[1+strings.LastIndexByte(text[:at], '\n'):], "\n")
	return strings.TrimSpace(line)
}

// Deaf says which of some tests pass with the value at one of their places altered, counted from
// the last one, as all do that have their body in common. Tests without such a place are left out, and all are if the
// run did not finish.
func (l Listener) Deaf(ctx context.Context, ids []string, nth int) (map[string]bool, error) {
	edits := map[*File][]syntax.Edit{}
	asked := map[body]bool{}
	var tests []gates.Test
	for _, id := range ids {
		if of, places := l.bodyOf(id), l.asked(id); nth < len(places) && !asked[of] {
			asked[of] = true
			file := l.tests[id].file
			edits[file] = append(edits[file], places[nth]...)
			tests = append(tests, l.bodies[of]...)
		}
	}
	if len(tests) == 0 {
		return nil, nil
	}
	facts, err := l.run(ctx, Question{Files: apply(edits), Tests: tests})
	if err != nil || !facts.Complete() {
		return nil, err
	}
	out := map[string]bool{}
	for _, id := range ids {
		if of := l.bodyOf(id); asked[of] {
			out[id] = !slices.ContainsFunc(l.bodies[of], func(t gates.Test) bool { return facts.StatusOf(t.ID) != gates.StatusPassed })
		}
	}
	return out, nil
}

// spelled are the places in the text of a test where one of some values is written out,
// and where none of others is.
func (g *graded) spelled(values map[string]bool, others []place) []place {
	var out []place
	text := g.file.Content
	from, to := g.lines()
	for _, e := range otherLiterals(text, syntax.Span{Start: from, End: to}) {
		taken := slices.ContainsFunc(others, func(p place) bool { return p.covers(e.Span) })
		if !taken && values[strings.Trim(text[e.Start:e.End], "\"'")] {
			out = append(out, place{e})
		}
	}
	return out
}

// covers reports whether one of the edits of a place alters some of a literal.
func (p place) covers(literal syntax.Span) bool {
	return slices.ContainsFunc(p, func(e syntax.Edit) bool { return overlap(e.Span, literal) })
}

// overlap reports whether an edit, which may only put something in, alters some of a part of a text.
func overlap(edit, part syntax.Span) bool {
	return edit.Start < part.End && part.Start < max(edit.End, edit.Start+1)
}

// places are where the checks of a unit expect values, each by itself. Those of some values in
// calls of helpers are left to [graded.spelled].
func places(content string, unit []*syntax.Check, values map[string]bool) []place {
	var out []place
	for _, c := range unit {
		switch {
		case c.Guard || len(c.Altered) == 0:
		case len(c.Values) > 0:
			for _, v := range c.Values {
				if text := otherLiteral(content[v.Start:v.End]); text != "" {
					out = append(out, place{{Span: v, Text: text}})
				}
			}
		case c.Call:
			out = append(out, arguments(content, c, values)...)
		case slices.ContainsFunc(c.Altered, func(e syntax.Edit) bool { return e.Start == e.End }):
			out = append(out, c.Altered)
		default:
			out = append(out, gates.Each(c.Altered, func(e syntax.Edit) place { return place{e} })...)
		}
	}
	return out
}

// arguments is a call of a helper in which all that is written out is other values: which of them
// is what it expects only the helper knows, unless it is one of some values.
func arguments(content string, c *syntax.Check, values map[string]bool) []place {
	expects := func(e syntax.Edit) bool { return values[strings.Trim(content[e.Start:e.End], "\"'")] }
	out := slices.DeleteFunc(slices.Clone(place(c.Altered)), expects)
	beside := slices.DeleteFunc(otherLiterals(content, c.At), func(e syntax.Edit) bool { return expects(e) || out.covers(e.Span) })
	out = append(out, beside...)
	if len(out) == 0 {
		return nil
	}
	return []place{out}
}
