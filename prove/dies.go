package prove

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
)

// maxAlone is how many tests of a change are run by themselves to find the one that ends
// or holds up the whole run.
const maxAlone = 8

// dies finds out which tests of a change crash or hang without it, where the derived red
// did not finish and both the base and the change did: what kills the run came with the
// tests. Each is run by itself. The red is then that of the tests which fail so.
func (p *proof) dies(ctx context.Context, red *check.Judgement) error {
	was := red.After.Facts
	if was.Finished() || was.Outcome == "" || !p.before.Complete() || !p.after.Complete() {
		return nil
	}
	asked := p.newTests()
	if len(asked) == 0 {
		asked = slices.DeleteFunc(slices.Clone(p.after.Tests), func(t gates.Test) bool { _, text := p.Change.Touches(t.ID); return !text })
	}
	if len(asked) > maxAlone {
		asked = p.tables(asked)
	}
	if len(asked) > maxAlone {
		return nil
	}
	out := p.before
	out.Outcome, out.Tests = gates.Failed, slices.Clone(p.before.Tests)
	for _, t := range asked {
		f, err := p.how.Checker.Alone(ctx, p.Derived, t, p.after)
		if err != nil {
			return err
		}
		now, ran := f.Lookup(t.ID)
		if !f.Finished() {
			now = gates.Test{ID: t.ID, File: t.File, Line: t.Line, Status: gates.StatusFailed, Class: f.Class(), Message: cause(f)}
			red.Step.Red = append(red.Step.Red, gates.Red{ID: t.ID, Class: now.Class})
		} else if !ran {
			continue
		}
		out.Tests = slices.DeleteFunc(out.Tests, func(old gates.Test) bool { return old.ID == t.ID })
		out.Tests = append(out.Tests, now)
	}
	if len(red.Step.Red) > 0 {
		red.After.Facts = out
	}
	return nil
}

// tables are tests without those that are rows of another one: in their place is the one
// that runs them all.
func (p *proof) tables(tests []gates.Test) []gates.Test {
	var out []gates.Test
	for _, t := range tests {
		for _, whole := range p.after.Tests {
			if strings.HasPrefix(t.ID, whole.ID+"/") {
				t = whole
			}
		}
		out = gates.Union(out, []gates.Test{t})
	}
	return out
}
