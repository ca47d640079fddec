package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Covered is what covers an acceptance criterion.
type Covered struct {
	Tests []string // those that pass, of the steps that name the criterion
	// Extent is what the latest of these steps says, if one of its tests passes.
	Extent gates.Extent
	// Acceptance is the acceptance test of the criterion; empty if it has none.
	Acceptance string
	Accepted   bool // it passes
}

// Whole reports whether the criterion is met: by its acceptance test, or, where it
// has none, because nothing of it is left without a test.
func (c Covered) Whole() bool {
	if c.Acceptance != "" {
		return c.Accepted
	}
	return len(c.Tests) > 0 && c.Extent != gates.Part
}

// Covered says which acceptance criteria have a passing test: a tester's commit
// in this history names the criterion, and a test that it declares passes in
// the facts of now. What was withdrawn does not count.
func (c *Checker) Covered(ctx context.Context, project *Project, commit gitx.ID, now gates.Facts) (map[int]Covered, error) {
	named, err := c.criterionCommits(ctx, commit)
	if err != nil {
		return nil, err
	}
	covered := map[int]Covered{}
	for _, n := range named {
		if n.withdrawn {
			continue
		}
		tests, err := c.passing(ctx, project, n, now)
		if err != nil {
			return nil, err
		}
		for _, id := range n.Criteria {
			covered[id] = covered[id].with(tests, n.Covered[id])
		}
	}
	return covered, c.accepted(ctx, commit, now, covered)
}

// with adds the passing tests of an earlier step.
func (c Covered) with(tests []string, extent gates.Extent) Covered {
	if len(tests) == 0 {
		return c
	}
	if len(c.Tests) == 0 {
		c.Extent = extent
	}
	c.Tests = gates.Union(c.Tests, tests)
	return c
}

// Cycles counts, for each criterion, the steps up to a commit that name it: one
// a cycle. Steps that mend a red go on with its cycle, and one that opens an
// acceptance test begins none.
func (c *Checker) Cycles(ctx context.Context, commit gitx.ID) (map[int]int, error) {
	named, err := c.criterionCommits(ctx, commit)
	cycles := map[int]int{}
	for _, n := range named {
		if n.Outcome == gates.Disputed || n.Outcome == gates.Acceptance {
			continue
		}
		for _, id := range n.Criteria {
			cycles[id]++
		}
	}
	return cycles, err
}

type criterionCommit struct {
	commit gitx.Commit
	gates.Step
	withdrawn bool // it withdraws a test, or that of it was withdrawn
}

// criterionCommits lists the steps of a history that name a criterion, back to
// the first step.
func (c *Checker) criterionCommits(ctx context.Context, commit gitx.ID) ([]criterionCommit, error) {
	pos, err := c.Position(ctx, commit)
	if err != nil || !pos.Started() {
		return nil, err
	}
	var out []criterionCommit
	withdrawn := withdrawals()
	err = c.opts.Repo.Walk(ctx, pos.Commit, func(commit gitx.Commit) bool {
		m := commitmsg.Parse(commit.Message)
		step, ok := gates.ParseStep(m)
		gone := ok && withdrawn(step)
		step.Criteria, step.Covered = gates.Criteria(m) // also of a commit that takes no step
		if len(step.Criteria) > 0 {
			out = append(out, criterionCommit{commit, step, gone})
		}
		return !ok || step.Number > 1
	})
	return out, err
}

// passing lists the tests that a commit declares, or says to be its reds, and that pass
// now: results in TAP have names that no file declares. If there is none, it lists those
// that it changes.
func (c *Checker) passing(ctx context.Context, project *Project, n criterionCommit, now gates.Facts) ([]string, error) {
	commit := n.commit
	parent, err := c.treeBefore(ctx, commit)
	if err != nil {
		return nil, err
	}
	change, err := c.Change(ctx, project.Language, parent, commit.Tree)
	if err != nil {
		return nil, err
	}
	if now.Detail == gates.DetailExitCode {
		return testFiles(change, now), nil
	}
	declared := gates.DeclaredAnew(change)
	own := slices.DeleteFunc(now.With(gates.StatusPassed), func(t gates.Test) bool {
		red := slices.ContainsFunc(n.Red, func(r gates.Red) bool { return r.ID == t.ID })
		return !red && !slices.ContainsFunc(declared, func(name string) bool { return named(t.ID, name) })
	})
	if len(own) == 0 { // a row that came to an old table is declared by the table
		own = slices.DeleteFunc(now.With(gates.StatusPassed), func(t gates.Test) bool {
			_, text := change.Touches(t.ID)
			return !text
		})
	}
	return gates.Each(own, gates.Test.Name), nil
}

// testFiles is the substitute if the runner does not tell tests apart: the test
// files of a change, if the whole run passes.
func testFiles(change gates.Change, now gates.Facts) []string {
	if now.Outcome != gates.Passed {
		return nil
	}
	tests := slices.DeleteFunc(slices.Clone(change.Files), func(f gates.FileChange) bool { return f.New == nil || !f.TouchesTest() })
	return gates.Each(tests, gates.FileChange.Path)
}

// named reports whether an id belongs to a test declared under that name.
func named(id, name string) bool {
	return id == name || strings.HasSuffix(id, "::"+name) || strings.HasSuffix(id, "."+name) || strings.HasSuffix(id, " > "+name)
}
