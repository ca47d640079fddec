package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// putBack tells the parts of a change that its tests do not ask for, because they pass
// without it too: where its subject says that the program does something else now, or
// does not say what it is and no test of it notices any error in it.
func (p *proof) putBack(ctx context.Context) error {
	called := p.called()
	looksAway := p.Verdict == Pinned && called == "" && !p.catches()
	if p.Verdict != Pinned && p.Verdict != Refactoring || !behaviour(called) && !looksAway {
		return nil
	}
	parts, err := p.how.Checker.PutBacks(ctx, p.Derived)
	for _, m := range parts {
		p.note(check.Tried{Mutant: m})
	}
	return err
}

// called is what the subject of a change calls it: feat, refactor; empty if that is not said.
func (p *proof) called() string {
	h, err := commitmsg.ParseHeader(p.Subject)
	if err != nil || p.Changed.Several {
		return ""
	}
	return strings.ToLower(h.Type)
}

func behaviour(called string) bool { return gates.RoleOf(called) == gates.Implementor }

// catches reports whether a test of the change notices an error in it.
func (p *proof) catches() bool {
	return slices.ContainsFunc(p.Tests, func(t Test) bool { return t.Catches > 0 })
}

// survey tries small errors in what the change added, on all checkers side by side.
func (p *proof) survey(ctx context.Context) error {
	if p.how.Tier != Full || p.last.Case == nil {
		return nil
	}
	search := check.Search{Near: p.near(), Beside: p.how.Beside, Behaves: p.Verdict == Proven, Told: p.said}
	if p.how.Budget > 0 {
		search.Until = time.Now().Add(p.how.Budget)
	}
	if p.Verdict == Pinned { // that a test notices any decides
		search.Told = func(m gates.Mutant, _ []gates.Mutant) bool { return gates.Aside(m.Path) }
	}
	tried, left, err := p.how.Checker.Survey(ctx, p.last, p.Derived, search)
	if err == nil {
		p.tell(tried, left)
	}
	return err
}

// tell notes what a survey found.
func (p *proof) tell(tried []check.Tried, left int) {
	if p.Tried, p.Left = len(tried), left; p.Left > p.Tried {
		p.Unknown = append(p.Unknown, fmt.Sprintf("whether its tests notice %d more small errors, for which there was no time (--full takes it)", p.Left))
	}
	for _, t := range tried {
		p.note(t)
	}
	slices.SortStableFunc(p.Unnoticed, func(a, b gates.Mutant) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	p.Notes = slices.DeleteFunc(p.Notes, func(f gates.Finding) bool {
		return slices.Contains(p.Unnoticed, f.Mutant) || f.Mutant.Path != "" && p.said(f.Mutant, p.Unnoticed) ||
			f.Gate == "hollow" && slices.ContainsFunc(p.Tests, func(t Test) bool {
				return t.ID == f.Test && (t.Catches > 0 || f.Mutant.Path == "" && t.Class == gates.ClassAssertion)
			})
	})
	if called := p.called(); p.Verdict == Pinned && (called == "" || behaviour(called)) && p.Tried >= telling && !p.catches() {
		p.Verdict, p.Why = Unproven, fmt.Sprintf("its tests pass without it too, and notice none of %d small errors in it", p.Tried)
	}
}

// vague are the tests that fail without the change, spell out no value, and notice none of its
// small errors by what they assert, if all were tried and others decide some. A test that says
// what comes of nothing, or of what is refused, may decide nothing, and spells out what it is;
// and what other rows of a table decide, each of them does.
func (p *proof) vague() []Lines {
	decides := func(t Test) bool { return t.Decides > 0 }
	if p.Tier != Full || p.Left > 0 || p.Tried < telling || !slices.ContainsFunc(p.Tests, decides) {
		return nil
	}
	vague := slices.DeleteFunc(slices.Clone(p.Tests), func(t Test) bool {
		row := func(o Test) bool { return decides(o) && o.File == t.File && o.Line == t.Line }
		spells := t.Catches > 0 && t.Grade == gates.GradeValue
		return !t.New || !t.Fails() || t.With != gates.StatusPassed || spells || slices.ContainsFunc(p.Tests, row)
	})
	return gates.Each(vague, func(t Test) Lines { return Lines{Path: t.File, First: t.Line, Last: t.Line, Text: t.ID} })
}

// near are the tests of the change that pass with it.
func (p *proof) near() []gates.Test {
	return slices.DeleteFunc(p.after.With(gates.StatusPassed), func(t gates.Test) bool {
		return !slices.ContainsFunc(p.Tests, func(own Test) bool { return own.ID == t.ID })
	})
}

// telling is how many errors it takes to say that the tests of a change look away from it.
const telling = 3

// note says of an error which tests of the change notice it, or that none does.
func (p *proof) note(t check.Tried) {
	for _, caught := range t.Caught {
		if i := slices.IndexFunc(p.Tests, func(own Test) bool { return own.ID == caught.ID }); i >= 0 {
			p.Tests[i].Catches++
			if caught.Class == gates.ClassAssertion {
				p.Tests[i].Decides++
			}
		}
	}
	same := func(m gates.Mutant) bool { return m.Path == t.Path && m.Line == t.Line && m.Now == t.Now }
	if t.Unnoticed() && !p.said(t.Mutant, p.Unnoticed) && !slices.ContainsFunc(p.Unnoticed, same) {
		p.Unnoticed = append(p.Unnoticed, t.Mutant)
	}
}

// enough is how many errors that no test notices say all there is to say of a line.
const enough = 3

// said reports whether an error says nothing more: no test reaches its line, or notices if
// that is left out with others, or notices some errors in it.
func (p *proof) said(m gates.Mutant, unnoticed []gates.Mutant) bool {
	own := 0
	for _, u := range unnoticed {
		if u.Path == m.Path && u.Line <= m.Line && m.Line <= u.Last {
			return true
		}
		if u.Path == m.Path && u.Line == m.Line {
			own++
		}
	}
	return own >= enough || p.missed(m.Path, m.Line)
}
