package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
)

// State says how far an acceptance criterion is.
type State string

// The states of a criterion.
const (
	Pending State = "pending" // nothing of it is tested, or a part
	Failing State = "failing" // its acceptance test is open, or an inner red of it
	Passing State = "passing" // it is met
)

// Criterion is an acceptance criterion of a kata and how far it is.
type Criterion struct {
	ID    int    `json:"id"`
	Text  string `json:"text"`
	State State  `json:"state,omitempty"` // empty if nothing was measured
	// Cycles is how many it has had.
	Cycles     int      `json:"cycles"`
	Acceptance string   `json:"acceptance,omitempty"` // its acceptance test
	Tests      []string `json:"tests,omitempty"`      // that pass, of the steps that name it
}

// Criteria lists the criteria of a project's kata. now is the facts of a commit, or
// those before the red that keeps its tests from running; nil if nobody knows.
func (c *Checker) Criteria(ctx context.Context, project *Project, commit gitx.ID, now *gates.Facts) ([]Criterion, error) {
	if project.Settings.Kata == "" {
		return nil, nil
	}
	kata, err := c.text(ctx, project.Tree, project.Settings.Kata)
	listed := katas.ParseCriteria([]byte(kata))
	if err != nil || len(listed) == 0 {
		return nil, err
	}
	cycles, err := c.Cycles(ctx, commit)
	if err != nil {
		return nil, err
	}
	covered := map[int]Covered{}
	var red []int
	if now != nil {
		if covered, err = c.Covered(ctx, project, commit, *now); err != nil {
			return nil, err
		}
		pos, err := c.Position(ctx, commit)
		if err != nil {
			return nil, err
		}
		if pos.Step.Phase == gates.PhaseRed {
			red = pos.Step.Criteria
		}
	}
	out := make([]Criterion, 0, len(listed))
	for _, l := range listed {
		by := covered[l.ID]
		one := Criterion{ID: l.ID, Text: l.Text, Cycles: cycles[l.ID], Acceptance: by.Acceptance, Tests: by.Tests}
		switch {
		case now == nil:
		case by.Acceptance != "" && !by.Accepted, slices.Contains(red, l.ID):
			one.State = Failing
		case by.Whole():
			one.State = Passing
		default:
			one.State = Pending
		}
		out = append(out, one)
	}
	return out, nil
}

// accepted adds what the acceptance tests of a history show about its criteria.
func (c *Checker) accepted(ctx context.Context, commit gitx.ID, now gates.Facts, covered map[int]Covered) error {
	pos, err := c.Position(ctx, commit)
	if err != nil || !pos.Started() {
		return err
	}
	claimed, err := c.claimed(ctx, commit)
	if err != nil {
		return err
	}
	for _, t := range claimed {
		found, ok := t.in(now)
		by := covered[t.Criterion]
		if !ok || t.Criterion == 0 || by.Acceptance != "" && !by.Accepted {
			continue // withdrawn, of none, or another one fails
		}
		by.Acceptance, by.Accepted = found.ID, found.Status == gates.StatusPassed
		if by.Accepted {
			by.Tests = gates.Union(by.Tests, []string{found.ID})
		}
		covered[t.Criterion] = by
	}
	return nil
}

// in finds an acceptance test in facts. Once it passed, it may have moved.
func (t claimedTest) in(now gates.Facts) (gates.Test, bool) {
	if found, ok := now.Lookup(t.ID); ok || !t.passed {
		return found, ok
	}
	name := t.ID[strings.LastIndexAny(t.ID, ":./ ")+1:]
	return gates.Find(now.Tests, func(other gates.Test) bool { return named(other.ID, name) })
}

// listed has the criteria of the kata: as it was, and as the commit leaves it.
func (c *Checker) listed(ctx context.Context, p Proposal, j *Judgement) (out []int, err error) {
	now, err := c.text(ctx, p.Tree, j.Project.Settings.Kata)
	for _, text := range []string{j.Project.Kata, now} {
		out = gates.Union(out, gates.Each(katas.ParseCriteria([]byte(text)), func(l katas.Criterion) int { return l.ID }))
	}
	return out, err
}

// serves notes the first acceptance criterion that an agent's characterization names, if the
// kata lists it and passing tests do not cover the whole of it yet.
func (c *Checker) serves(ctx context.Context, p Proposal, j *Judgement) error {
	k := j.Case
	ids, _ := gates.Criteria(k.Message)
	if !k.Agent || k.Special != gates.Characterization || k.Policy.Characterization == gates.Allow || len(ids) == 0 || p.Parent == "" {
		return nil
	}
	covered, err := c.Covered(ctx, j.Project, p.Parent, k.Before)
	for _, listed := range katas.ParseCriteria([]byte(j.Project.Kata)) {
		if k.Serves == 0 && slices.Contains(ids, listed.ID) && !covered[listed.ID].Whole() {
			k.Serves = listed.ID
		}
	}
	return err
}

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
