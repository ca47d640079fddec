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
}

// Compare finds the first mutant of some sources that a test notices, and not the one
// that takes its place; follow has the id of that one, if there is one. A test that
// has no successor is followed by all tests that have no predecessor. Sources that
// come first count first. What would weigh against the tests of now is asked of both
// once more: a test that notices by chance, by threads or by time, decides nothing.
func Compare(ctx context.Context, sources []Source, was, now Suite, follow map[string]string) (at gates.Mutant, weaker bool, err error) {
	first, _, near := listed(sources)
	for _, p := range slices.Concat(spread(first, maxCompared), spread(near, maxNear)) {
		if weaker, err = less(ctx, p, was, now, follow); err != nil || weaker {
			return p.told(), weaker, err
		}
	}
	return at, false, nil
}

// onceMore marks a question that was asked before.
const onceMore = "once more"

// less reports whether a test notices a mutant, and what follows it does not.
func less(ctx context.Context, p placed, was, now Suite, follow map[string]string) (bool, error) {
	var before map[string]bool // those that notice it each time
	after := map[string]bool{} // those that notice it at all
	for _, again := range []string{"", onceMore} {
		noticed, err := was.noticing(ctx, p, again)
		if before == nil {
			before = noticed
		}
		maps.DeleteFunc(before, func(id string, _ bool) bool { return !noticed[id] })
		if err != nil || len(before) == 0 {
			return false, err
		}
		noticed, err = now.noticing(ctx, p, again)
		maps.Copy(after, noticed)
		all := len(after) > 0 && len(after) == len(now.Tests) // then none is weaker, also where there are fewer
		if err != nil || all || !lost(before, after, follow) {
			return false, err
		}
	}
	return true, nil
}

// lost reports whether a test that noticed has no successor that does. Where rows of
// a table have nothing but their number for a name, a row that is put before them
// gives each the name of its neighbour: any row of the table succeeds them.
func lost(before, after map[string]bool, follow map[string]string) bool {
	heirs := maps.Clone(after) // that no test of before became
	for _, id := range follow {
		delete(heirs, id)
	}
	tables := map[string]bool{}
	for id := range after {
		tables[numbered(id)] = true
	}
	delete(tables, "")
	for id := range before {
		successor, followed := follow[id]
		if followed && !after[successor] && !tables[numbered(successor)] || !followed && len(heirs) == 0 {
			return true
		}
	}
	return false
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
