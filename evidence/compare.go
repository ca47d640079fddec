package evidence

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// How many mutants two suites are held against, and how many that are near.
const (
	maxCompared = 12
	maxNear     = 8
)

// Suite is some tests and how they are run.
type Suite struct {
	Tests []gates.Test
	Run   Run
	// Kept has the ids of those that read as they do in the other suite, which expects no
	// value less.
	Kept map[string]bool
	// Others are left as they were. They are asked only of what nothing else would notice
	// that a test noticed which has no successor.
	Others []gates.Test
	// Shares is set if what one of its tests checked may be a new one's now.
	Shares bool
}

// Compare finds the first mutant of some sources that a test notices, and not the one
// that takes its place; follow has the id of that one, if there is one. A test that
// has no successor is followed by all tests: it passed, and is no loss where they notice as
// much. Sources that come first count first. A test that reads as it did may notice another
// error than before, because what is set up for it is something else: it is weaker if it misses
// more than half of those that it noticed; otherwise those that it misses are shifted. Whether
// what is handed over is in the text of new tests is not asked here.
func Compare(ctx context.Context, sources []Source, p Pair, follow map[string]string) (gates.Loss, error) {
	first, _, near := listed(sources)
	mutants := byTurns(spread(first, maxCompared), spread(near, maxNear))
	loss := gates.Loss{HandedOver: map[string]bool{}, Decides: map[string]bool{}}
	noticed, missed := map[string]int{}, map[string][]gates.Mutant{} // by tests of before, and not by what follows them
	for _, m := range mutants {
		if !p.Until.IsZero() && time.Now().After(p.Until) {
			loss.Assumed = gates.NoTime
			break
		}
		a, err := p.less(ctx, m, follow)
		if err != nil {
			return gates.Loss{}, err
		}
		if slices.ContainsFunc(a.lost, func(id string) bool { return !p.Was.Kept[id] }) {
			return gates.Loss{Weaker: []gates.Mutant{m.told()}}, nil
		}
		for id := range a.noticed {
			noticed[id]++
			if a.shared {
				loss.HandedOver[id] = true
			}
		}
		maps.Copy(loss.Decides, a.decided)
		for _, id := range a.lost {
			missed[id] = append(missed[id], m.told())
		}
	}
	return withKept(loss, noticed, missed), nil
}

// withKept adds what tests lost that read as they did, of so many mutants that each noticed.
func withKept(loss gates.Loss, noticed map[string]int, missed map[string][]gates.Mutant) gates.Loss {
	for _, id := range slices.Sorted(maps.Keys(missed)) {
		if 2*len(missed[id]) > noticed[id] {
			return gates.Loss{Weaker: missed[id][:1]}
		}
		loss.Shifted = gates.Union(loss.Shifted, missed[id][:1])
	}
	return loss
}

// byTurns takes the elements of two lists in turn, and what is left of the longer one.
func byTurns[T any](a, b []T) []T {
	var out []T
	for len(a) > 0 && len(b) > 0 {
		out, a, b = append(out, a[0], b[0]), a[1:], b[1:]
	}
	return slices.Concat(out, a, b)
}

// Pair is a suite of before and one of now, and until when they are held against mutants; for
// the zero time, until all were tried.
type Pair struct {
	Was, Now Suite
	Until    time.Time
}

// onceMore marks a question that was asked before.
const onceMore = "once more"

// answered is which tests of before notice a mutant, those of them of which what follows does
// so by an assertion or does not at all, and whether new tests may have what they checked, and
// notice it.
type answered struct {
	noticed, decided map[string]bool
	lost             []string
	shared           bool
}

// less tries a mutant. What would weigh against the tests of now is asked of both once more: a
// test that notices by chance, by threads or by time, decides nothing.
func (p Pair) less(ctx context.Context, m placed, follow map[string]string) (a answered, err error) {
	var before map[string]bool // those that notice it each time
	after := map[string]bool{} // those that notice it at all
	for _, again := range []string{"", onceMore} {
		a.lost = nil
		was, err := p.Was.asked(ctx, m, again)
		if before == nil {
			a.noticed, before = was.failing, maps.Clone(was.failing)
		}
		maps.DeleteFunc(before, func(id string, _ bool) bool { return !was.failing[id] })
		if err != nil || len(before) == 0 {
			return a, err
		}
		now, err := p.Now.asked(ctx, m, again)
		maps.Copy(after, now.failing)
		maps.Copy(after, now.missing)
		a.decided = maps.Clone(before)
		maps.DeleteFunc(a.decided, func(id string, _ bool) bool { return !now.asserting[follow[id]] })
		a.shared = p.Now.Shares && hasHeirs(after, follow)
		all := len(after) > 0 && len(after) == len(p.Now.Tests) // then none is weaker, also where there are fewer
		if lost := without(before, after, follow); err == nil && !a.shared && !all {
			a.lost, err = p.alone(ctx, m, again, lost, follow)
		}
		if err != nil || len(a.lost) == 0 {
			return a, err
		}
	}
	return a, nil
}

// alone are those of the tests of before that lost a mutant which no test of now notices, if they
// have no successor.
func (p Pair) alone(ctx context.Context, m placed, again string, lost []string, follow map[string]string) ([]string, error) {
	left := slices.DeleteFunc(slices.Clone(lost), func(id string) bool { return follow[id] == "" })
	if len(left) == len(lost) || len(p.Now.Others) == 0 {
		return lost, nil
	}
	others, err := Suite{Tests: p.Now.Others, Run: p.Now.Run}.asked(ctx, m, again)
	if err != nil || len(others.failing) == 0 {
		return lost, err
	}
	return left, nil
}

// hasHeirs reports whether one of some tests is none that a test of before became.
func hasHeirs(after map[string]bool, follow map[string]string) bool {
	heirs := maps.Clone(after)
	for _, id := range follow {
		delete(heirs, id)
	}
	return len(heirs) > 0
}

// without lists the tests that noticed and have no successor that does. Where rows of
// a table have nothing but their number for a name, a row that is put before them
// gives each the name of its neighbour: any row of the table succeeds them.
func without(before, after map[string]bool, follow map[string]string) (ids []string) {
	tables := map[string]bool{}
	for id := range after {
		tables[numbered(id)] = true
	}
	delete(tables, "")
	for id := range before {
		successor, followed := follow[id]
		if followed && !after[successor] && !tables[numbered(successor)] || !followed && len(after) == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// numberPattern matches what runners add to a test's name for a row that has none: Go's
// "#01", PHPUnit's "data set #1", pytest's "[text1-sum1]".
var numberPattern = lazyregexp.New(`#\d+$|\[[[:alpha:]_]\w*?\d+(-[[:alpha:]_]\w*?\d+)*\]$`)

// numbered is the table of a test that is a row known by its number; empty for all
// others.
func numbered(id string) string {
	at := numberPattern().FindStringIndex(id)
	if at == nil {
		return ""
	}
	return id[:at[0]]
}
