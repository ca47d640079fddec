package check

import (
	"context"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/syntax"
)

// Tried is one small error in a change, and the tests that fail with it.
type Tried struct {
	gates.Mutant
	At     int          // which of the surveyor's errors it is
	Caught []gates.Test // none: no test notices
	// Late is set if the tests did not end in their time: with the error they may never.
	Late bool
}

// Unnoticed reports whether no test fails, and all came to an end.
func (t Tried) Unnoticed() bool { return len(t.Caught) == 0 && !t.Late }

// Surveyor tries small errors in what a change added, each by itself.
type Surveyor struct {
	tree       gitx.ID
	run        evidence.Run
	first, all []gates.Test
	took       time.Duration // by the first
	errors     []evidence.Group
}

// Surveyor makes a surveyor of a judged change from a commit to another. Where the change
// is said to change what the program does, its parts are put back, too.
func (c *Checker) Surveyor(ctx context.Context, j Judgement, d Derived, near []gates.Test) (*Surveyor, error) {
	project := d.Project // measured here, whoever judged
	j.Project = project
	e := &examination{Checker: c, p: Proposal{Parent: d.Red.ID, Tree: d.Green.Tree}, j: &j, found: &gates.Evidence{}}
	sources, rewritten, err := e.added(ctx)
	if err != nil {
		return nil, err
	}
	for i, r := range rewritten {
		subtle := slices.DeleteFunc(slices.Clone(sources[i].Near), func(m syntax.Mutant) bool { return !m.Subtle || !r.added.alters(m.Edit) })
		sources[i].Mutants = slices.Concat(sources[i].Mutants, project.limits(r), project.made(r, leftOut), subtle)
		if d.Behaves {
			sources[i].Mutants = append(sources[i].Mutants, project.made(r, putBacks)...)
		}
	}
	if err := e.narrower(ctx, sources, rewritten); err != nil {
		return nil, err
	}
	s := &Surveyor{tree: d.Green.Tree, all: j.Case.After.With(gates.StatusPassed), errors: evidence.Subtle(sources)}
	run := e.runner(project, d.Green.Tree)
	if s.first = s.all; len(near) > 0 {
		s.first, s.took, err = e.standing(ctx, near, run, quickCommit)
	}
	s.run = hasty(run, s.took)
	return s, err
}

// Beside is a surveyor of the same errors that measures with another checker.
func (s *Surveyor) Beside(ctx context.Context, c *Checker) (*Surveyor, error) {
	project, err := c.project(ctx, s.tree)
	other := *s
	other.run = hasty(c.runner(project, s.tree), s.took)
	return &other, err
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

// Len is how many errors there are.
func (s *Surveyor) Len() int { return len(s.errors) }

// At is error i.
func (s *Surveyor) At(i int) gates.Mutant { return s.errors[i].Mutants()[0] }

// Try tries error i on the near tests; ok is false if it does not compile. If they are not
// all the tests there are, and none notices it, [Surveyor.Rest] says whether any does.
func (s *Surveyor) Try(ctx context.Context, i int) (t Tried, ok bool, err error) {
	return s.try(ctx, i, s.first)
}

// Near reports whether there are tests that are asked only about what the near ones miss.
func (s *Surveyor) Near() bool { return len(s.first) < len(s.all) }

func (s *Surveyor) try(ctx context.Context, i int, tests []gates.Test) (t Tried, ok bool, err error) {
	g := s.errors[i]
	facts, _, err := evidence.Try(ctx, &g, tests, s.run)
	made := g.Mutants()
	if err != nil || len(made) == 0 {
		return t, false, err
	}
	t.Mutant, t.At, t.Late = made[0], i, facts.Outcome == gates.Timeout
	if g.PutsBack() && !t.Late && !facts.Complete() {
		return t, false, nil // the rest of the change does not go without it
	}
	t.Caught = failing(tests, facts)
	return t, true, nil
}

// Rest tries some errors on all tests: those that lie apart together, since most often no test
// notices any of them, and each by itself if one does. It calls found with what came of each,
// until that says that no more is to be tried; left is how many were not.
func (s *Surveyor) Rest(ctx context.Context, errors []int, found func(Tried) (goOn bool)) (left int, err error) {
	for len(errors) > 0 {
		g, joined, apart := s.together(errors)
		quiet, err := s.quiet(ctx, g)
		if err != nil {
			return 0, err
		}
		for n, i := range joined {
			t, ok := Tried{Mutant: s.At(i), At: i}, true
			if !quiet {
				t, ok, err = s.try(ctx, i, s.all)
			}
			if err != nil {
				return 0, err
			}
			if ok && !found(t) {
				return len(joined) - n - 1 + len(apart), nil
			}
		}
		errors = apart
	}
	return 0, nil
}

// together are those of some errors that lie apart, and the others.
func (s *Surveyor) together(errors []int) (g evidence.Group, joined, apart []int) {
	for _, i := range errors {
		if g.Join(s.errors[i]) {
			joined = append(joined, i)
		} else {
			apart = append(apart, i)
		}
	}
	return g, joined, apart
}

// quiet reports whether all tests pass with several errors at once.
func (s *Surveyor) quiet(ctx context.Context, g evidence.Group) (bool, error) {
	made := len(g.Mutants())
	if made == 1 {
		return false, nil
	}
	facts, _, err := evidence.Try(ctx, &g, s.all, s.run)
	return facts.Complete() && len(g.Mutants()) == made && len(failing(s.all, facts)) == 0, err
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
