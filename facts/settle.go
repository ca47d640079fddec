package facts

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// settleRuns is how often a tree is run again to see whether tests fail by chance.
const settleRuns = 2

// Settle runs a tree again because tests failed that nobody has touched. What passes then
// failed for no reason in the tree, and its facts say so from now on. It returns the ids of
// those tests, too.
func (m *Measurer) Settle(ctx context.Context, tree gitx.ID, ids []string) (testrun.Result, []string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, err := m.entry(ctx, tree)
	if err != nil || e.Result.Facts.Outcome != gates.Failed {
		return e.Result, nil, err
	}
	var settled []string
	for range settleRuns {
		again, err := m.run(ctx, tree, &e)
		if err != nil || !again.Facts.Complete() {
			return e.Result, settled, err
		}
		e.Runs++
		passed := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { // those that failed before, and pass now
			return e.Result.Facts.StatusOf(id) != gates.StatusFailed || again.Facts.StatusOf(id) != gates.StatusPassed
		})
		e.Result.Facts = withPassed(e.Result.Facts, passed)
		if settled = append(settled, passed...); len(settled) == len(ids) {
			break
		}
	}
	if len(settled) == 0 {
		return e.Result, nil, nil
	}
	return e.Result, settled, m.store.save(tree, e)
}

// withPassed are facts in which some tests passed that failed.
func withPassed(f gates.Facts, ids []string) gates.Facts {
	f.Tests = slices.Clone(f.Tests)
	for i, t := range f.Tests {
		if slices.Contains(ids, t.ID) {
			f.Tests[i].Status, f.Tests[i].Class, f.Tests[i].Message = gates.StatusPassed, gates.ClassNone, ""
		}
	}
	if len(f.With(gates.StatusFailed)) == 0 {
		f.Outcome = gates.Passed
	}
	return f
}

// disagreements lists what differs between two runs of the same tree.
func disagreements(a, b gates.Facts) []string {
	var out []string
	for _, pair := range [][2]gates.Facts{{a, b}, {b, a}} {
		for _, t := range pair[0].Tests {
			if u, ok := pair[1].Lookup(t.ID); !ok || u.Status != t.Status {
				out = append(out, t.ID)
			}
		}
	}
	if a.Outcome != b.Outcome && len(out) == 0 {
		out = append(out, "the test command")
	}
	if a.Check != b.Check {
		out = append(out, "the check command")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
