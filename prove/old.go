package prove

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// old finds out what became of the tests of before. Those that read otherwise now, or
// are gone, are put under the sources of the change as they were: one that fails there
// asked for something that the change took back.
func (p *proof) old(ctx context.Context) error {
	if p.Verdict == Proven || p.Verdict == Pinned {
		p.Old.Weaker = slices.Concat(gates.Each(p.Change.Files, gates.FileChange.Weaker)...)
	}
	now := p.Change.Followed(p.before, p.after)
	var crossed gates.Facts
	if p.crosses(now) {
		var err error
		if crossed, err = p.how.Checker.Crossed(ctx, p.Derived); err != nil {
			return err
		}
	}
	for _, t := range p.before.Tests {
		id, there := now[t.ID]
		as, ran := crossed.Lookup(t.ID)
		ran = ran && crossed.Complete()
		took := ran && t.Status == gates.StatusPassed && as.Status == gates.StatusFailed
		switch {
		case !there && (p.Verdict == Refactoring && ran && as.Status == t.Status || p.Change.Retitled(t, p.before, p.after)): // it has another name
		case !there:
			p.Old.Gone = append(p.Old.Gone, Gone{ID: t.ID, File: t.File, Fails: took})
			continue
		case took:
			p.changed(t, id, as)
		case p.fell(t.ID, id):
			p.Old.Changed = append(p.Old.Changed, id)
		}
		p.Old.Kept++
	}
	return nil
}

// crosses reports whether an old test may have asked for something that none asks for now:
// it is gone, what helps it changed, or it reads otherwise and passes without the change.
func (p *proof) crosses(now map[string]string) bool {
	helps := func(f gates.FileChange) bool {
		return f.TouchesTest() && (f.Kind() == gates.KindSupport || f.Old != nil && f.ChangesHelpers())
	}
	return !p.Change.OnlyAddsTests() && (slices.ContainsFunc(p.Change.Files, helps) ||
		slices.ContainsFunc(p.before.With(gates.StatusPassed), func(t gates.Test) bool {
			_, reads := p.Change.Touches(now[t.ID])
			return now[t.ID] == "" || reads && p.red.After.Facts.StatusOf(now[t.ID]) != gates.StatusFailed
		}))
}

// fell reports whether a test notices less than it did, as far as that was measured.
func (p *proof) fell(was, now string) bool {
	before, after := p.measured().Before[was], p.measured().After[now]
	return before != "" && after != "" && after.Worth() < before.Worth()
}

// changed judges an old test that, as it was, fails with the change. If it asks for the
// change now, it fails without it. If it passes with and without it, what its text
// expects has become less; or it is gone with what is withdrawn, or the test calls something
// else, or has other data, or other tests took that over, or it asks as much of something else,
// while another test asks for the change, which a reader can tell better.
func (p *proof) changed(was gates.Test, id string, as gates.Test) {
	without, ran := p.red.After.Facts.Lookup(id)
	if ran && without.Status == gates.StatusFailed {
		return
	}
	asked := slices.ContainsFunc(p.red.Step.Red, func(r gates.Red) bool { return r.Class == gates.ClassAssertion })
	_, text := p.Change.Touches(id)
	if !ran || !text || as.Class != gates.ClassAssertion || asked && p.Change.KeepsChecks(id) || len(p.red.Step.Red) > 0 && p.Change.HandsOver(id) || p.last.Case.LosesGone(was) {
		p.Old.Changed, p.Old.Lost[id] = append(p.Old.Changed, id), gates.Gist(as.Message)
		return
	}
	t, _ := p.after.Lookup(id)
	f := gates.Finding{
		Gate: "strength", Path: t.File, Line: t.Line, Test: id,
		Seen:   fmt.Sprintf("as it was, this test fails with the change (%s); as it reads now, it passes with and without it", as.Class),
		Remedy: "let it expect what the change makes of it, so that it fails without the change; or put it back, and the behaviour",
	}
	p.Findings = append(p.Findings, f)
	p.Verdict, p.Why = Refuted, was.ID+" was loosened: "+f.Seen
}

// breaks refuses a change with which a test fails that did not fail before. Old tests are
// run again first, on both sides: one that fails by chance is not the change's fault.
func (p *proof) breaks(ctx context.Context) error {
	was := p.Change.Before(p.before, p.after)
	fails, old := p.newFailures(was)
	if len(fails) == 0 {
		return nil
	}
	chance, err := p.byChance(ctx, old, was)
	if err != nil || p.Why != "" {
		return err
	}
	for _, t := range fails {
		if slices.Contains(chance, t.ID) {
			continue
		}
		p.Findings = append(p.Findings, gates.Finding{
			Gate: "green", Path: t.File, Line: t.Line, Test: t.ID,
			Seen: fmt.Sprintf("this test fails with the change (%s): %s", t.Class, gates.Gist(t.Message)), Remedy: "let it pass",
		})
	}
	if n := len(p.Findings); n > 0 {
		p.Verdict, p.Why = Unproven, fmt.Sprintf("with the change %d of its tests fail", n)
		if n == 1 {
			p.Why = "with the change " + p.Findings[0].Test + " fails"
		}
	}
	return nil
}

// newFailures are the tests that fail with the change and did not before, and the ids of
// those among them that were there. What each was called before is in was.
func (p *proof) newFailures(was map[string]string) (fails []gates.Test, old []string) {
	for _, t := range p.after.With(gates.StatusFailed) {
		before, there := p.before.Lookup(was[t.ID])
		if there && before.Status == gates.StatusFailed {
			continue
		}
		if fails = append(fails, t); there {
			old = append(old, t.ID)
		}
	}
	return fails, old
}

// byChance runs the change again, with which old tests fail, and returns those that pass
// then. If one fails each time, but on the base too when that is run again, nothing can be
// said of the change.
func (p *proof) byChance(ctx context.Context, ids []string, was map[string]string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	after, chance, err := p.how.Checker.Repeat(ctx, p.Project, p.Green.Tree, ids)
	if err != nil {
		return nil, err
	}
	p.after = after.Facts
	for _, id := range chance {
		p.assumed = append(p.assumed, "why "+id+" failed with the change in one run and passed in another")
	}
	left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(chance, id) })
	if len(left) == 0 {
		return chance, nil
	}
	for i, id := range left {
		left[i] = was[id]
	}
	before, err := p.how.Checker.Again(ctx, p.Project, p.Derived.Base.Tree, left)
	for _, id := range left {
		if before.StatusOf(id) == gates.StatusFailed {
			p.Why = id + " fails by chance: without the change it passed in one run and failed in another, and with it it failed in all; try again on a machine that is less busy, or mend the test first"
		}
	}
	return chance, err
}

// leftOut names the test files of the change of which no test ran, where each test that did
// stands in a file.
func (p *proof) leftOut() (out []string) {
	ran := map[string]bool{}
	for _, t := range p.after.Tests {
		ran[t.File] = true
	}
	for _, f := range p.Change.Files {
		tests := f.New != nil && f.New.Kind == gates.KindTest && len(f.New.Declared) > 0
		if tests && !ran[f.New.Path] && !ran[""] && p.after.Detail == gates.DetailTest && p.after.Complete() {
			out = append(out, f.New.Path+", which the change touches, ran no test")
		}
	}
	return out
}
