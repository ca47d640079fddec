package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// added are the sources that a commit changed, with the mutants of the tokens that it
// added. A line that only moved is as old as it was. Beside each is what it was before.
func (e *examination) added(ctx context.Context) ([]evidence.Source, []rewriting, error) {
	rewritten, err := e.rewritten(ctx, gitx.ID(e.j.Case.Before.Tree), e.p.Tree, e.j.Case.Change)
	var out []evidence.Source
	for _, r := range rewritten {
		s := e.j.Project.source(r.path, r.now)
		s.Mutants = slices.DeleteFunc(s.Mutants, func(m syntax.Mutant) bool { return !r.added.alters(m.Edit) })
		out = append(out, s)
	}
	return out, rewritten, err
}

// rewriting is a source that a commit changed: as it was, as it is, and what was added.
type rewriting struct {
	path, was, now string
	added          additions
}

// rewritten reads the sources that a commit changed. One that is gone is empty now, and
// so is what is no text.
func (c *Checker) rewritten(ctx context.Context, before, after gitx.ID, change gates.Change) (out []rewriting, err error) {
	for _, f := range change.Files {
		if f.Kind() != gates.KindSource {
			continue
		}
		r := rewriting{path: f.Path()}
		if f.Old != nil && !f.Old.Binary {
			r.was, err = c.text(ctx, before, f.Old.Path)
		}
		if err == nil && f.New != nil && !f.New.Binary {
			r.now, err = c.text(ctx, after, f.New.Path)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	more := moreOf(out)
	for i, r := range out {
		out[i].added = addedTokens(r.was, r.now, more)
	}
	return out, nil
}

// moreOf says how many times more a line occurs than before, without its indentation.
func moreOf(all []rewriting) map[string]int {
	more := map[string]int{}
	for _, r := range all {
		for line := range strings.Lines(r.was) {
			more[strings.TrimSpace(line)]--
		}
		for line := range strings.Lines(r.now) {
			more[strings.TrimSpace(line)]++
		}
	}
	return more
}

// AddedLines are the lines of sources that a change added or altered, by file and number,
// without those of the tests that stand in them.
func (c *Checker) AddedLines(ctx context.Context, d Derived) (map[string]map[int]string, error) {
	all, err := c.rewritten(ctx, d.Base.Tree, d.Green.Tree, d.Change)
	out := map[string]map[int]string{}
	for _, r := range all {
		found := map[int]string{}
		inTest := inTests(d.Project.syntaxOf(r.path), r.now)
		at := 0
		for i, line := range lines(r.now) {
			if !inTest(at) && r.added.alters(syntax.Edit{Span: syntax.Span{Start: at, End: at + len(line)}}) {
				found[i+1] = strings.TrimSpace(line)
			}
			at += len(line)
		}
		if len(found) > 0 {
			out[r.path] = found
		}
	}
	return out, err
}

// additions is where a text differs from another one: what it has that the other has
// not, and, as empty spans, where it lacks something.
type additions []syntax.Span

// alters reports whether an edit takes the place of an addition, or has a place where
// something is lacking within.
func (a additions) alters(e syntax.Edit) bool {
	return slices.ContainsFunc(a, func(s syntax.Span) bool {
		if s.Start == s.End {
			return e.Start < s.Start && s.Start < e.End
		}
		return s.Start < e.End && e.Start < s.End
	})
}

var (
	orderPattern = lazyregexp.New(`^\s*(?:<=?|>=?)\s*$`)
	// partingPattern matches what parts a comparison from what stands beside it in a line.
	partingPattern = lazyregexp.New(`\s*(?:&&|\|\||\b(?:and|or)\b|[,;{}?\n])`)
)

// bounds reports whether an edit puts "less" for "less or equal", or one like it, where a
// side of the comparison has an addition: the limit is another one then.
func (a additions) bounds(text string, e syntax.Edit) bool {
	if !orderPattern.MatchString(text[e.Start:e.End]) || !orderPattern.MatchString(e.Text) {
		return false
	}
	from, to := 0, len(text)
	for _, at := range partingPattern().FindAllStringIndex(text, -1) {
		if at[1] <= e.Start {
			from = at[1]
		} else if at[0] >= e.End {
			to = at[0]
			break
		}
	}
	return a.alters(syntax.Edit{Span: syntax.Span{Start: from, End: to}})
}

// addedTokens finds what a text has that another had not: line by line, and in lines
// that differ token by token. A line that only moved differs in nothing: of it the
// change has as many as there were.
func addedTokens(before, after string, more map[string]int) additions {
	return slices.Concat(gates.Each(hunks(before, after), func(h hunk) additions { return tokensOf(h.start, h.was, h.now, more) })...)
}

// hunk is a run of lines in which two texts differ; start is where it begins in the
// second.
type hunk struct {
	start    int
	was, now []string
}

// hunks lists the runs of lines in which two texts differ; none where they are too long.
// Lines that were added before lines like them are those that come last: what a function
// shares with the one before it is the older one's.
func hunks(before, after string) []hunk {
	a, b := lines(before), lines(after)
	if len(a)+len(b) > 2*maxLines {
		return nil
	}
	var out []hunk
	at, from := 0, 0
	all, _ := differences(a, b)
	for n, d := range all {
		next := len(b)
		if n+1 < len(all) {
			next = all[n+1].j
		}
		for d.gone == 0 && d.j+d.came < next && b[d.j] == b[d.j+d.came] {
			d.i, d.j = d.i+1, d.j+1
		}
		at += len(strings.Join(b[from:d.j], ""))
		from = d.j
		out = append(out, hunk{at, a[d.i : d.i+d.gone], b[d.j : d.j+d.came]})
	}
	return out
}

// tokenPattern cuts a line into words, white space, and whatever else there is.
var tokenPattern = lazyregexp.New(`[\pL\pN_]+|\s+|.`)

// tokensOf compares two runs of lines, of which the second begins at byte start.
func tokensOf(start int, was, now []string, more map[string]int) additions {
	var a, b []string
	var places []int // of the tokens in b
	for _, line := range was {
		if more[strings.TrimSpace(line)] < 0 {
			a = append(a, tokenPattern().FindAllString(line, -1)...)
		}
	}
	for _, line := range now {
		if more[strings.TrimSpace(line)] > 0 {
			for _, hit := range tokenPattern().FindAllStringIndex(line, -1) {
				b, places = append(b, line[hit[0]:hit[1]]), append(places, start+hit[0])
			}
		}
		start += len(line)
	}
	if len(a)+len(b) > maxLines {
		a = nil
	}
	places = append(places, start)
	var out additions
	all, _ := differences(a, b)
	for _, d := range all {
		if d.gone > 0 {
			out = append(out, syntax.Span{Start: places[d.j], End: places[d.j]})
		}
		for i := d.j; i < d.j+d.came; i++ {
			out = append(out, syntax.Span{Start: places[i], End: places[i] + len(b[i])})
		}
	}
	return out
}
