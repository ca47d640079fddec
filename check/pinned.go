package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// maxPinned is how many small errors are tried for a characterization.
const maxPinned = 12

// pinned makes the code that a characterization runs wrong in small ways, one at a time,
// until each of its tests that spells out no value notices one. A test that holds what
// the code says against what the code says never does.
func (e *examination) pinned(ctx context.Context) error {
	tests := e.j.Case.Unspelled()
	if len(tests) == 0 || e.p.Quick || !e.j.Project.Language.Mutable() {
		return nil
	}
	sources, err := e.sources(ctx, e.j.Case.Change)
	if err != nil {
		return err
	}
	covered, err := e.j.Project.CoveredBy(ctx, e.p.Tree, tests)
	if err != nil {
		return err
	}
	all := evidence.Singles(onLinesThatRan(sources, covered))
	if len(all) == 0 || len(covered) == 0 && len(all) > maxPinned {
		e.found.Untried = true // they may be of code that the tests never run
		return nil
	}
	run := e.runner(e.j.Project, e.p.Tree)
	for _, g := range all[:min(len(all), maxPinned)] {
		facts, ok, err := evidence.Try(ctx, &g, tests, run)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		e.found.Trials = append(e.found.Trials, gates.Trial{Mutants: g.Mutants(), Reds: facts})
		if len(e.j.Case.Unshown(tests)) == 0 {
			return nil
		}
	}
	return nil
}

// onLinesThatRan are some sources with the mutants of the lines that ran; with all of them if that
// is not known.
func onLinesThatRan(sources []evidence.Source, covered []gates.FileCoverage) []evidence.Source {
	if len(covered) == 0 {
		return sources
	}
	var out []evidence.Source
	for _, s := range sources {
		at := slices.IndexFunc(covered, func(f gates.FileCoverage) bool { return f.Path == s.Path && f.Reached > 0 })
		if at < 0 {
			continue
		}
		s.Mutants = slices.DeleteFunc(slices.Clone(s.Mutants), func(m syntax.Mutant) bool { return slices.Contains(covered[at].Missed, m.Line) })
		out = append(out, s)
	}
	return out
}
