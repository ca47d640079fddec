package prove

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
)

// Whoever writes the test first may commit it by itself, without a trailer that says so.

// waits reports whether a change is a red whose green is to come: its trailers say so, or it
// touches nothing but tests, and these fail as a red may.
func (p *proof) waits() bool {
	switch {
	case p.after.Outcome == gates.Passed:
		return false
	case p.Changed.Waits:
		return true
	case !onlyTests(p.Derived):
		return false
	case p.after.Outcome == gates.Broken:
		return !slices.ContainsFunc(p.after.Diagnostics, func(d gates.Diagnostic) bool { return !redReason(d.Class) })
	}
	was := p.Change.Before(p.before, p.after)
	fails, _ := p.newFailures(was)
	return len(fails) > 0 && !slices.ContainsFunc(fails, func(t gates.Test) bool {
		_, text := p.Change.Touches(t.ID)
		return !redReason(t.Class) || was[t.ID] != "" && !text
	})
}

func redReason(c gates.Class) bool { return slices.Contains(gates.DefaultPolicy().RedReasons, c) }

// onlyTests reports whether a change that was taken apart touches nothing but tests, and
// what helps them.
func onlyTests(d check.Derived) bool { return d.Red.Tree == d.Green.Tree && d.Red.ID != d.Base.ID }

// withRed proves a change together with the commit that it follows, if that touches nothing
// but tests and lets them fail, and this one answers it. ok is false if it does not.
func (p *proof) withRed(ctx context.Context) (r Report, ok bool, err error) {
	on := p.Changed.on
	if on.Head == "" || onlyTests(p.Derived) || stands(p.before) && len(p.waiting()) == 0 {
		return r, false, nil
	}
	red, err := p.how.Checker.Derive(ctx, check.Apart{Parent: on.Base, Tree: on.Tree})
	if err != nil || !onlyTests(red) {
		return r, false, err
	}
	if failed, err := p.failedBefore(ctx, red); failed || err != nil {
		return r, false, err
	}
	whole := p.Changed
	whole.with(on.Head, on.Base)
	r, err = Change(ctx, p.how, whole)
	return r, err == nil && (r.Verdict == Proven || r.Verdict == WithGaps), err
}

// failedBefore reports whether all tests that wait for a change failed before the commit that it
// follows, so that this is not their red.
func (p *proof) failedBefore(ctx context.Context, red check.Derived) (bool, error) {
	waiting := p.waiting()
	if len(waiting) == 0 {
		return false, nil
	}
	earlier, err := p.how.Checker.OfBase(ctx, red.Project, red)
	held := func(id string) bool { return earlier.Facts.StatusOf(id) != gates.StatusFailed }
	return !slices.ContainsFunc(waiting, held), err
}

// Answered leaves out of the reports on a row of commits the red that the last of them took
// along.
func Answered(all []Report) []Report {
	n := len(all)
	if n > 1 && all[n-2].Changed.Waits && all[n-2].Base == all[n-1].Base {
		return append(all[:n-2], all[n-1])
	}
	return all
}
