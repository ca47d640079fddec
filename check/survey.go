package check

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Tried is one small error in a change, and the tests that fail with it.
type Tried struct {
	gates.Mutant
	Caught []gates.Test // none: no test notices
	// Late is set if the tests did not end in their time: with the error they may never.
	Late bool

	at int // which of the errors it is
}

// Unnoticed reports whether no test fails, and all came to an end.
func (t Tried) Unnoticed() bool { return len(t.Caught) == 0 && !t.Late }

// Search says which small errors in a change are tried, and on what.
type Search struct {
	Near    []gates.Test // asked first: the others are asked only about what these miss
	Beside  []*Checker   // that measure at the same time
	Until   time.Time    // when no more is tried; the zero time for never
	Behaves bool         // the change is said to change what the program does: its parts are put back, too
	// Told reports whether an error says nothing more beside some that no test notices.
	Told func(m gates.Mutant, unnoticed []gates.Mutant) bool
}

// Survey tries small errors in what a judged change from a commit to another added, each by
// itself. It returns what came of each, in their order, and how many were left for want of time.
func (c *Checker) Survey(ctx context.Context, j Judgement, d Derived, how Search) (tried []Tried, left int, err error) {
	j.Project = d.Project // measured here, whoever judged
	e := &examination{Checker: c, p: Proposal{Parent: d.Red.ID, Tree: d.Green.Tree}, j: &j, found: &gates.Evidence{}}
	sources, rewritten, err := e.added(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i, r := range rewritten {
		subtle := slices.DeleteFunc(slices.Clone(sources[i].Near), func(m syntax.Mutant) bool { return !m.Subtle || !r.added.alters(m.Edit) })
		sources[i].Mutants = slices.Concat(sources[i].Mutants, j.Project.limits(r), j.Project.made(r, leftOut), subtle)
		if how.Behaves {
			sources[i].Mutants = append(sources[i].Mutants, j.Project.made(r, putBacks)...)
		}
	}
	if err := e.narrower(ctx, sources, rewritten); err != nil {
		return nil, 0, err
	}
	s := &survey{Search: how, all: j.Case.After.With(gates.StatusPassed), errors: evidence.Subtle(sources), done: map[int]bool{}}
	run, took := e.runner(j.Project, d.Green.Tree), time.Duration(0)
	if s.first = s.all; len(how.Near) > 0 {
		if s.first, took, err = e.standing(ctx, how.Near, run, quickCommit); err != nil {
			return nil, 0, err
		}
	}
	s.runs = []evidence.Run{hasty(run, took)}
	for _, beside := range how.Beside {
		project, err := beside.project(ctx, d.Green.Tree)
		if err != nil {
			return nil, 0, err
		}
		s.runs = append(s.runs, hasty(beside.runner(project, d.Green.Tree), took))
	}
	for again := true; again && err == nil; {
		again, err = s.round(ctx)
	}
	slices.SortFunc(s.tried, func(a, b Tried) int { return cmp.Compare(a.at, b.at) })
	return s.tried, s.left, err
}

// limits are the comparisons of a source with what a change altered in them, each with
// "less" for "less or equal", or the like.
func (p *Project) limits(r rewriting) []syntax.Mutant {
	return slices.DeleteFunc(p.source(r.path, r.now).Mutants, func(m syntax.Mutant) bool { return r.added.alters(m.Edit) || !r.added.bounds(r.now, m.Edit) })
}

// making finds errors of one kind in what a change made of a source. code leaves out what the
// source does nothing by; it may be nil.
type making func(r rewriting, code func(string) string) []syntax.Mutant

// made are the errors of a kind in a source, but for its tests.
func (p *Project) made(r rewriting, of making) []syntax.Mutant {
	return p.outsideTests(r.path, r.now, of(r, codeOf(p.syntaxOf(r.path))))
}

// sourcesOf are some sources as they are now, with the errors of a kind in them.
func (p *Project) sourcesOf(all []rewriting, of making) []evidence.Source {
	return gates.Each(all, func(r rewriting) evidence.Source {
		return evidence.Source{Path: r.path, Content: r.now, Mutants: p.made(r, of)}
	})
}

// PutBacks are the changes to the sources, each put back as it was. Where the
// tests pass without the change too, none of them notices any.
func (c *Checker) PutBacks(ctx context.Context, d Derived) ([]gates.Mutant, error) {
	all, err := c.rewritten(ctx, d.Red.Tree, d.Green.Tree, d.Change)
	return slices.Concat(gates.Each(evidence.Singles(d.Project.sourcesOf(all, wholeBack)), evidence.Group.Mutants)...), err
}

// Idle finds checks in some tests of a change that say nothing, in so many runs at most.
func (c *Checker) Idle(ctx context.Context, d Derived, tests []gates.Test, runs int) ([]gates.Mutant, error) {
	named := gates.Each(tests, func(t gates.Test) string { return t.File })
	of := selection{files: named, all: slices.Contains(named, "")}
	files, err := c.testFiles(ctx, d.Project.Language, d.Green.Tree, of)
	if err != nil {
		return nil, err
	}
	return evidence.Idle(ctx, files, tests, runs, c.runner(d.Project, d.Green.Tree))
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

// hasty is a run of which nothing is told that does not end in its time. Its tests take so long
// by themselves; zero if nobody knows.
func hasty(run evidence.Run, took time.Duration) evidence.Run {
	return func(ctx context.Context, q evidence.Question) (gates.Facts, error) {
		q.Hasty, q.Took = true, took
		return run(ctx, q)
	}
}
