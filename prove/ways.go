package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// redGreen proves a change by a test that fails without it: one of its own, or, if it
// changes no test, one that was there before and waited for it.
func (p *proof) redGreen(ctx context.Context) (bool, error) {
	if p.Red.ID == p.Derived.Base.ID {
		held, err := p.mended(ctx)
		if held || err != nil {
			return held, err
		}
		return p.comes(ctx, check.Judgement{}, p.before)
	}
	red, err := p.how.Checker.JudgeRed(ctx, p.Derived)
	if err == nil {
		err = p.dies(ctx, &red)
	}
	if err == nil && len(red.Step.Red) == 0 && red.After.Facts.Complete() {
		if held, err := p.comes(ctx, red, red.After.Facts); held || err != nil {
			return held, err
		}
	}
	objects := red.Verdict.Judged && slices.ContainsFunc(red.Verdict.Findings, func(f gates.Finding) bool { return f.Gate == "red" && !f.Note })
	if p.red = red; err != nil || (objects || len(red.Step.Red) == 0) && !p.accepts(red) {
		return false, err
	}
	return p.answered(ctx, red)
}

// comes proves a change by tests that are there only with its sources: examples in the
// documentation of what is new, or rows that a test makes of a list in the sources. If others are
// gone, these may have got other names.
func (p *proof) comes(ctx context.Context, red check.Judgement, without gates.Facts) (bool, error) {
	for _, t := range p.newTests() {
		if _, there := without.Lookup(t.ID); !there && t.Status == gates.StatusPassed {
			red.Step.Red = append(red.Step.Red, gates.Red{ID: t.ID, Class: gates.ClassMissingSymbol})
		}
	}
	if len(red.Step.Red) == 0 || len(p.Change.Followed(p.before, p.after)) < len(p.before.Tests) {
		return false, nil
	}
	held, err := p.answered(ctx, red)
	if held {
		p.Why = p.turning("is not there", "are not there")
	} else if p.Verdict == Refuted { // nothing is worth less than before
		p.Verdict = Unproven
	}
	return held, err
}

// answered proves a change by a red that it answers.
func (p *proof) answered(ctx context.Context, red check.Judgement) (bool, error) {
	green, err := p.how.Checker.JudgeGreen(ctx, p.Derived, red)
	if err != nil || !p.accepts(green) {
		return false, err
	}
	p.red = red
	p.hold(Proven, p.turning("fails", "fail"), green)
	return true, nil
}

// mended proves a change that changes no test by those that failed before, each time, and
// pass with it.
func (p *proof) mended(ctx context.Context) (bool, error) {
	ids := p.waiting()
	if len(ids) == 0 {
		return false, nil
	}
	again, err := p.how.Checker.Again(ctx, p.Project, p.Derived.Base.Tree, ids)
	if err != nil {
		return false, err
	}
	red := check.Judgement{}
	for _, id := range ids {
		if t, _ := again.Lookup(id); t.Status == gates.StatusFailed {
			red.Step.Red = append(red.Step.Red, gates.Red{ID: id, Class: t.Class})
		}
	}
	if len(red.Step.Red) == 0 {
		return false, nil
	}
	return p.answered(ctx, red)
}

// waiting lists the tests that fail without the change for a reason that a red may have,
// and pass with it.
func (p *proof) waiting() []string {
	waiting := slices.DeleteFunc(p.before.With(gates.StatusFailed), func(t gates.Test) bool {
		return p.after.StatusOf(t.ID) != gates.StatusPassed || !redReason(t.Class)
	})
	return gates.Each(waiting, gates.Test.Name)
}

// turning says which tests fail without the change, and how all end with it. What they do
// without it is said of one, and of several.
func (p *proof) turning(one, several string) string {
	red := p.red.Step.Red
	fails, pass := fmt.Sprintf("%d tests %s", len(red), several), "pass"
	if len(red) == 1 {
		fails, pass = red[0].ID+" "+one, "passes"
	}
	switch n := len(p.after.With(gates.StatusFailed)); n {
	case 0:
		return fails + " without the change, and with it every test passes"
	case 1:
		return fmt.Sprintf("%s without the change, and %s with it; 1 test fails before and after", fails, pass)
	default:
		return fmt.Sprintf("%s without the change, and %s with it; %d tests fail before and after", fails, pass, n)
	}
}

// pinned takes the tests of a change as a characterization, and its sources as a
// refactoring. That a test is worth nothing, or less than it was, says more than that it
// passes at once.
func (p *proof) pinned(ctx context.Context) (bool, error) {
	if p.Red.ID == p.Derived.Base.ID || len(p.red.Step.Red) > 0 {
		return false, nil
	}
	verdict, why, findings := p.Verdict, p.Why, p.Findings
	p.Findings = nil
	held, err := p.pins(ctx)
	if !held && p.Verdict != Refuted && len(findings) > 0 {
		p.Verdict, p.Why, p.Findings = verdict, why, findings
	}
	return held, err
}

func (p *proof) pins(ctx context.Context) (bool, error) {
	tests, err := p.how.Checker.JudgePinned(ctx, p.Derived)
	if err != nil || !p.accepts(tests) {
		return false, err
	}
	p.last = tests
	const why = "its tests pass without it too: they say what was there before"
	if p.Red.Tree != p.Green.Tree {
		return p.whole(ctx, Pinned, why, p.Red, gates.Ordinary)
	}
	p.hold(Pinned, why, tests)
	return true, nil
}

// refactored takes a change as a refactoring.
func (p *proof) refactored(ctx context.Context) (bool, error) {
	if p.Verdict == Refuted && p.failsAnew() {
		return false, nil
	}
	first := len(p.Findings) == 0
	held, err := p.whole(ctx, Refactoring, "the same tests pass before and after, and none got weaker", p.Derived.Base, gates.Ordinary)
	if first && p.Verdict == Unproven && p.called() != "refactor" {
		p.Why = "taken as a refactoring, it does not hold: " + p.Why
	}
	return held, err
}

// failsAnew reports whether a new test fails without the change: then that is no
// refactoring, whatever the test is worth.
func (p *proof) failsAnew() bool {
	return slices.ContainsFunc(p.newTests(), func(t gates.Test) bool {
		return slices.ContainsFunc(p.red.Step.Red, func(r gates.Red) bool { return r.ID == t.ID || r.ByFile() && r.ID == t.File })
	})
}

// withdrawn takes a change as behaviour that goes together with its tests.
func (p *proof) withdrawn(ctx context.Context) (bool, error) {
	return p.whole(ctx, Withdrawn, "behaviour is taken away, and its tests with it", p.Derived.Base, gates.Retired)
}

// whole judges what differs between a commit and the whole of the change.
func (p *proof) whole(ctx context.Context, verdict Verdict, why string, from gitx.Commit, outcome gates.Special) (bool, error) {
	j, err := p.how.Checker.JudgeWhole(ctx, p.Derived, from, outcome)
	if err != nil || !p.accepts(j) {
		return false, err
	}
	p.hold(verdict, why, j)
	return true, nil
}

// accepts reports whether a part of the change is accepted. What is not leaves its
// findings: those of the first way that was tried say the most.
func (p *proof) accepts(j check.Judgement) bool {
	if j.Verdict.Accepted() {
		if e := j.Case.Evidence; e != nil && e.Assumed != "" {
			more := map[string]string{gates.NoTime: "; --full takes it"}[e.Assumed]
			p.assumed = append(p.assumed, "whether tests that read otherwise check as much as they did ("+e.Assumed+more+")")
		}
		return true
	}
	if len(p.Findings) > 0 {
		return false
	}
	p.Findings = slices.Clone(j.Verdict.Findings)
	for i, f := range p.Findings {
		p.Findings[i].Remedy = withoutTrailers(f.Remedy)
	}
	worthless := func(f gates.Finding) bool { return f.Gate == "hollow" || f.Gate == "strength" }
	switch {
	case !j.Verdict.Judged:
		p.Verdict, p.Why = NotJudged, j.Verdict.Findings[0].Seen
	case !slices.ContainsFunc(j.Verdict.Findings, func(f gates.Finding) bool { return !worthless(f) }):
		p.Verdict, p.Why = Refuted, j.Verdict.Findings[0].Seen
	default:
		p.Verdict, p.Why = Unproven, j.Verdict.Findings[0].Seen
	}
	return false
}

// withoutTrailers is a remedy without what only a commit's trailers can say: a change that
// is proven however it came has none.
func withoutTrailers(remedy string) string {
	parts := strings.Split(remedy, "; ")
	left := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.Contains(part, "Tdd-") })
	if len(left) == 0 {
		return remedy
	}
	return strings.Join(left, "; ")
}

// measured is what was measured of what the tests are worth.
func (p *proof) measured() gates.Evidence {
	if p.last.Case == nil || p.last.Case.Evidence == nil {
		return gates.Evidence{}
	}
	return *p.last.Case.Evidence
}

// hold settles a verdict that holds by what was judged last.
func (p *proof) hold(v Verdict, why string, last check.Judgement) {
	p.Verdict, p.Why, p.Findings, p.Notes, p.last = v, why, nil, last.Verdict.Notes, last
}

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
