package prove

import (
	"context"
	"fmt"

	"github.com/git-tdd/git-tdd/gates"
)

// old finds out what became of the tests of before. Those that read otherwise now, or
// are gone, are put under the sources of the change as they were: one that fails there
// asked for something that the change took back.
func (p *proof) old(ctx context.Context) error {
	c := gates.Case{Before: p.before, After: p.after, Change: p.Derived.Change}
	now := c.Followed()
	crossed, known, err := p.how.Checker.Crossed(ctx, p.Derived)
	if err != nil {
		return err
	}
	for _, t := range p.before.Tests {
		id, there := now[t.ID]
		as, ran := crossed.Lookup(t.ID)
		took := known && crossed.Complete() && ran && t.Status == gates.StatusPassed && as.Status == gates.StatusFailed
		switch {
		case !there:
			p.Old.Gone = append(p.Old.Gone, Gone{ID: t.ID, File: t.File, Fails: took})
			continue
		case took && p.passesWithout(id):
			p.loosened(t, id, as)
		}
		p.Old.Kept++
	}
	return nil
}

// passesWithout reports whether a test of the change passes without it.
func (p *proof) passesWithout(id string) bool {
	t, ran := p.red.After.Facts.Lookup(id)
	return ran && t.Status == gates.StatusPassed
}

// loosened refutes a change that makes an old test expect less, so that it passes.
func (p *proof) loosened(was gates.Test, id string, as gates.Test) {
	t, _ := p.after.Lookup(id)
	f := gates.Finding{
		Gate: "strength", Path: t.File, Line: t.Line, Test: id,
		Seen:   fmt.Sprintf("as it was, this test fails with the change (%s); as it reads now, it passes with and without it", as.Class),
		Remedy: "let it expect what the change makes of it, so that it fails without the change; or put it back, and the behaviour",
	}
	p.Findings = append(p.Findings, f)
	p.Verdict, p.Why = Refuted, was.ID+" was loosened: "+f.Seen
}
