package evidence

import (
	"context"
	"maps"
	"slices"

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
}

// Compare finds the first mutant of some sources that a test notices, and not the one
// that takes its place; follow has the id of that one, if there is one. A test that
// has no successor is followed by all tests that have no predecessor. Sources that
// come first count first. A test that reads as it did may notice another error than before,
// because what is set up for it is something else: it is weaker if it misses more than half
// of those that it noticed; otherwise those that it misses are shifted.
func Compare(ctx context.Context, sources []Source, was, now Suite, follow map[string]string) (weaker, shifted []gates.Mutant, err error) {
	first, _, near := listed(sources)
	c := comparison{was: was, now: now, follow: follow, noticed: map[string]int{}}
	missed := map[string][]placed{}
	for _, p := range slices.Concat(spread(first, maxCompared), spread(near, maxNear)) {
		lost, err := c.less(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range lost {
			if missed[id] = append(missed[id], p); !was.Kept[id] {
				return []gates.Mutant{p.told()}, nil, nil
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(missed)) {
		if 2*len(missed[id]) > c.noticed[id] {
			return []gates.Mutant{missed[id][0].told()}, nil, nil
		}
		if at := missed[id][0].told(); !slices.Contains(shifted, at) {
			shifted = append(shifted, at)
		}
	}
	return nil, shifted, nil
}

// comparison is two suites while they are compared.
type comparison struct {
	was, now Suite
	follow   map[string]string
	noticed  map[string]int // how many mutants each test of before notices
}

// onceMore marks a question that was asked before.
const onceMore = "once more"

// less lists the tests that notice a mutant while what follows them does not. What would
// weigh against the tests of now is asked of both once more: a test that notices by chance,
// by threads or by time, decides nothing.
func (c comparison) less(ctx context.Context, p placed) (lost []string, err error) {
	var before map[string]bool // those that notice it each time
	after := map[string]bool{} // those that notice it at all
	for _, again := range []string{"", onceMore} {
		noticed, err := c.was.noticing(ctx, p, again)
		if before == nil {
			before = noticed
			for id := range noticed {
				c.noticed[id]++
			}
		}
		maps.DeleteFunc(before, func(id string, _ bool) bool { return !noticed[id] })
		if err != nil || len(before) == 0 {
			return nil, err
		}
		noticed, err = c.now.noticing(ctx, p, again)
		maps.Copy(after, noticed)
		all := len(after) > 0 && len(after) == len(c.now.Tests) // then none is weaker, also where there are fewer
		if lost = c.lost(before, after); err != nil || all || len(lost) == 0 {
			return nil, err
		}
	}
	return lost, nil
}

// lost lists the tests that noticed and have no successor that does. Where rows of
// a table have nothing but their number for a name, a row that is put before them
// gives each the name of its neighbour: any row of the table succeeds them.
func (c comparison) lost(before, after map[string]bool) (ids []string) {
	heirs := maps.Clone(after) // that no test of before became
	for _, id := range c.follow {
		delete(heirs, id)
	}
	tables := map[string]bool{}
	for id := range after {
		tables[numbered(id)] = true
	}
	delete(tables, "")
	for id := range before {
		successor, followed := c.follow[id]
		if followed && !after[successor] && !tables[numbered(successor)] || !followed && len(heirs) == 0 {
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
	at := numberPattern.FindStringIndex(id)
	if at == nil {
		return ""
	}
	return id[:at[0]]
}
