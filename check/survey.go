package check

import (
	"context"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Survey is what the tests make of small errors in what a change added.
type Survey struct {
	Tried []Tried
	Left  int // how many more there were no time for
}

// Tried is one small error, and the tests that fail with it.
type Tried struct {
	gates.Mutant
	Caught []gates.Test // none: no test notices
	// Late is set if the tests did not end in their time: with the error they may never.
	Late bool
}

// Survey tries small errors in what a judged change added, each by itself: first on some
// of the tests that pass with it, and on all of them where those notice nothing. It goes
// on until more says no.
func (c *Checker) Survey(ctx context.Context, j Judgement, from, to gitx.Commit, near []gates.Test, more func() bool) (Survey, error) {
	e := &examination{Checker: c, p: Proposal{Parent: from.ID, Tree: to.Tree}, j: &j, found: &gates.Evidence{}}
	sources, err := e.added(ctx)
	if err != nil {
		return Survey{}, err
	}
	s := surveyor{run: e.runner(j.Project, to.Tree), all: j.Case.After.With(gates.StatusPassed)}
	s.first = s.all
	if len(near) > 0 {
		if s.first, err = e.standing(ctx, near, s.run); err != nil {
			return Survey{}, err
		}
	}
	var out Survey
	singles := evidence.Singles(sources)
	for i, g := range singles {
		if !more() {
			out.Left = len(singles) - i
			break
		}
		tried, ok, err := s.try(ctx, g)
		if err != nil {
			return out, err
		}
		if ok {
			out.Tried = append(out.Tried, tried)
		}
	}
	return out, nil
}

// surveyor tries errors on tests.
type surveyor struct {
	run        evidence.Run
	first, all []gates.Test
}

// try tries one error; ok is false if it does not compile.
func (s surveyor) try(ctx context.Context, g evidence.Group) (t Tried, ok bool, err error) {
	for _, tests := range [][]gates.Test{s.first, s.all} {
		facts, _, err := evidence.Try(ctx, &g, tests, s.run)
		made := g.Mutants()
		if err != nil || len(made) == 0 {
			return t, false, err
		}
		t.Mutant, t.Late = made[0], facts.Outcome == gates.Timeout
		if t.Caught = failing(tests, facts); t.Late || len(t.Caught) > 0 || len(tests) == len(s.all) {
			break
		}
	}
	return t, true, nil
}

// failing are those of some tests that fail in facts, or did not come to run.
func failing(tests []gates.Test, f gates.Facts) []gates.Test {
	var out []gates.Test
	for _, t := range tests {
		if now, ran := f.Lookup(t.ID); !ran || now.Status == gates.StatusFailed {
			t.Class, t.Status = now.Class, gates.StatusFailed
			if !ran {
				t.Class = f.Class()
			}
			out = append(out, t)
		}
	}
	return out
}
