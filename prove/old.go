package prove

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// old finds out what became of the tests of before. Those that read otherwise now, or
// are gone, are put under the sources of the change as they were: one that fails there
// asked for something that the change took back.
func (p *proof) old(ctx context.Context) error {
	c := gates.Case{Before: p.before, After: p.after, Change: p.Change}
	now := c.Followed(p.before)
	var crossed gates.Facts
	var known bool
	if !p.Change.OnlyAddsTests() {
		var err error
		if crossed, known, err = p.how.Checker.Crossed(ctx, p.Derived); err != nil {
			return err
		}
	}
	for _, t := range p.before.Tests {
		id, there := now[t.ID]
		as, ran := crossed.Lookup(t.ID)
		took := known && crossed.Complete() && ran && t.Status == gates.StatusPassed && as.Status == gates.StatusFailed
		switch {
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

// fell reports whether a test notices less than it did, as far as that was measured.
func (p *proof) fell(was, now string) bool {
	if p.last.Case == nil || p.last.Case.Evidence == nil {
		return false
	}
	before, after := p.last.Case.Evidence.Before[was], p.last.Case.Evidence.After[now]
	return before != "" && after != "" && after.Worth() < before.Worth()
}

// changed judges an old test that, as it was, fails with the change. If it asks for the
// change now, it fails without it. If it passes with and without it, what its text
// expects has become less; or it calls something else, or has other data, which a reader
// can tell better.
func (p *proof) changed(was gates.Test, id string, as gates.Test) {
	without, ran := p.red.After.Facts.Lookup(id)
	if ran && without.Status == gates.StatusFailed {
		return
	}
	if _, text := p.Change.Touches(id); !ran || !text || as.Class != gates.ClassAssertion {
		p.Old.Changed = append(p.Old.Changed, id)
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

// breaks refuses a change with which a test fails that did not fail before.
func (p *proof) breaks() {
	c := gates.Case{Before: p.before, After: p.after, Change: p.Change}
	was := map[string]string{}
	for old, now := range c.Followed(p.before) {
		was[now] = old
	}
	for _, t := range p.after.With(gates.StatusFailed) {
		if before, there := p.before.Lookup(was[t.ID]); there && before.Status == gates.StatusFailed {
			continue
		}
		message, _, _ := strings.Cut(gates.Cause(t.Message), "\n")
		p.Findings = append(p.Findings, gates.Finding{
			Gate: "green", Path: t.File, Line: t.Line, Test: t.ID,
			Seen: fmt.Sprintf("this test fails with the change (%s): %s", t.Class, message), Remedy: "let it pass",
		})
	}
	if n := len(p.Findings); n > 0 {
		p.Verdict, p.Why = Unproven, fmt.Sprintf("with the change %d of its tests fail", n)
		if n == 1 {
			p.Why = "with the change " + p.Findings[0].Test + " fails"
		}
	}
}
