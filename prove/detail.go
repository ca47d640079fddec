package prove

import (
	"context"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// detail gathers what a reader wants to know beside the verdict: test by test, and what
// of the change no test looks at.
func (p *proof) detail(ctx context.Context) error {
	if p.Verdict == Proven && p.Red.ID != p.Derived.Base.ID {
		p.Unknown = append(p.Unknown, "who saw a test fail: the red was derived, not witnessed")
	}
	p.Unknown = append(p.Unknown, "whether the tests ask for what somebody wants")
	if p.Tier == Quick {
		p.Unknown = append(p.Unknown, "whether its tests notice an error (--full tries that)")
	}
	p.Unknown = slices.Concat(p.Unknown, p.assumed, p.leftOut())
	if p.Verdict == NotJudged {
		return nil
	}
	if p.tests(); !p.Verdict.Holds() {
		return nil
	}
	if err := p.unreached(ctx); err != nil || !p.Verdict.Holds() {
		return err
	}
	for _, look := range []func(context.Context) error{p.survey, p.putBack, p.idle, p.asksMore} {
		if err := look(ctx); err != nil {
			return err
		}
	}
	p.Asking, p.Answers, p.Copied, p.Itself = p.asking(), p.answers(), p.copied(), p.itself()
	p.Vague, p.Reading, p.Singled = p.vague(), p.reading(), p.singled()
	unshown := slices.ContainsFunc(p.Notes, func(f gates.Finding) bool { return f.Gate == "hollow" && f.Mutant.Path != "" })
	if p.Verdict == Proven && (p.miscalled() || unshown || p.recalls || len(p.Gaps()) > 0) {
		p.Verdict = WithGaps
	}
	return nil
}

// keepsPattern matches what may keep something for the next call: a member or an element that is
// given a value, a list that grows, a call that is wrapped.
var keepsPattern = lazyregexp.New(`(?:(?:\.|->|@)\w+|\w\[[^\]]*\])\s*(?:\|\||\?\?|:)?=[^=>~]|\.(?:set|put|add|push|append|insert|setdefault|fetch|computeIfAbsent|emplace)\(|cache|memo|\bstatic\b|\bglobal\b`)

// asksMore asks old tests twice where the change may keep something from one call to the next, and
// with other values where it alters what was there before. That these are answered otherwise may
// well be meant.
func (p *proof) asksMore(ctx context.Context) error {
	if p.Tier != Full || p.Verdict != Proven {
		return nil
	}
	keeps := func(lines map[int]string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(lines)), keepsPattern.MatchString)
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(p.added)), keeps) {
		found, err := p.how.Checker.Remembers(ctx, p.Derived, p.before, p.after)
		if p.recalls = len(found) > 0; p.recalls || err != nil {
			p.Notes = append(p.Notes, found...)
			return err
		}
	}
	alters := func(f gates.FileChange) bool { return f.Alters }
	if p.how.Budget > 0 && p.slow() || !slices.ContainsFunc(p.Change.Files, alters) {
		return nil
	}
	found, err := p.how.Checker.Strays(ctx, p.Derived, p.before, p.after)
	p.Notes = append(p.Notes, found...)
	return err
}

// How many runs it may take to find checks that say nothing: where all is to be known, and
// where the suite chose the tier; of one that takes long, one.
const allRuns, someRuns = 8, 3

// idle finds checks of the change that say nothing.
func (p *proof) idle(ctx context.Context) (err error) {
	runs := allRuns
	if p.how.Budget > 0 && p.slow() {
		runs = 1
	} else if p.how.Budget > 0 {
		runs = someRuns
	}
	if near := p.near(); p.Tier == Full && len(near) > 0 {
		p.Idle, err = p.how.Checker.Idle(ctx, p.Derived, p.withRows(near), runs)
	}
	return err
}

// withRows are some tests with all others that are rows of the same ones: a check may be for
// some rows only.
func (p *proof) withRows(tests []gates.Test) []gates.Test {
	name := func(t gates.Test) string {
		f, _ := gates.Find(p.Change.Files, func(f gates.FileChange) bool { return t.File != "" && f.Path() == t.File })
		return f.New.Declares(t.ID)
	}
	all := slices.Clone(tests)
	for _, t := range p.after.With(gates.StatusPassed) {
		row := func(of gates.Test) bool { return of.File == t.File && name(of) == name(t) }
		if name(t) != "" && slices.ContainsFunc(tests, row) && !slices.ContainsFunc(tests, func(of gates.Test) bool { return of.ID == t.ID }) {
			all = append(all, t)
		}
	}
	return all
}

// asking are the places where the change asks whether it is tested.
func (p *proof) asking() []Lines {
	return slices.Concat(gates.Each(p.Change.Files, func(f gates.FileChange) []Lines {
		return gates.Each(f.Asks, func(a gates.Asking) Lines { return Lines{Path: f.Path(), First: a.Line, Last: a.Line, Text: a.Text} })
	})...)
}

// miscalled notes it if the subject calls a change a refactoring, and its tests show that
// the program does something else now.
func (p *proof) miscalled() bool {
	at := slices.IndexFunc(p.red.Step.Red, func(r gates.Red) bool { return r.Class == gates.ClassAssertion })
	if at < 0 || p.called() != "refactor" {
		return false
	}
	p.Notes = append(p.Notes, gates.Finding{
		Gate: "evidence", Test: p.red.Step.Red[at].ID, Note: true,
		Seen: "its subject calls it a refactoring, but this test expects something that the code did not do before", Remedy: "call it feat: or fix:",
	})
	return true
}

// tests says how each test of the change ends without it, and with it.
func (p *proof) tests() {
	anew := p.newTests()
	was := p.red.After.Facts
	if was.Outcome == "" {
		was = p.before
	}
	for _, t := range p.after.Tests {
		fresh := slices.ContainsFunc(anew, func(n gates.Test) bool { return n.ID == t.ID })
		fails := slices.ContainsFunc(p.red.Step.Red, func(r gates.Red) bool { return r.ID == t.ID })
		if _, text := p.Change.Touches(t.ID); !fresh && !fails && (!text || p.namesake(t)) {
			continue
		}
		out := Test{ID: t.ID, File: t.File, Line: t.Line, New: fresh, With: t.Status, Grade: p.measured().After[t.ID]}
		if then, ran := was.Lookup(t.ID); ran {
			out.Without, out.Class, out.Message = then.Status, then.Class, gates.Gist(then.Message)
		} else if why := whyNotRun(was, t); why.Message != "" {
			out.Class, out.Message = why.Class, gates.Gist(why.Message)
		}
		p.Tests = append(p.Tests, out)
	}
}

// namesake reports whether a test stands in a file that the change leaves as it was, and only
// has the name of one that it touches.
func (p *proof) namesake(t gates.Test) bool {
	own := func(f gates.FileChange) bool { return f.Path() == t.File }
	return t.File != "" && !slices.ContainsFunc(p.Change.Files, own) && slices.ContainsFunc(p.Change.Files, func(f gates.FileChange) bool {
		name := f.New.Declares(t.ID)
		return name != "" && slices.ContainsFunc(p.after.Tests, func(o gates.Test) bool { return o.File == f.Path() && f.New.Declares(o.ID) == name })
	})
}

// whyNotRun is the complaint that kept a test from running: one in its own file, or the
// first.
func whyNotRun(f gates.Facts, t gates.Test) gates.Diagnostic {
	if len(f.Diagnostics) == 0 {
		return gates.Diagnostic{}
	}
	at := slices.IndexFunc(f.Diagnostics, func(d gates.Diagnostic) bool { return d.File == t.File })
	return f.Diagnostics[max(at, 0)]
}

// unreached finds the lines of the change that no test reaches. Its own tests, and those
// that name what it changes, need not be joined by the others if they reach all of it.
func (p *proof) unreached(ctx context.Context) error {
	if len(p.added) == 0 {
		return nil
	}
	covered, err := p.how.Checker.Coverage(ctx, p.Project, p.Green.Tree) // or waits for the one beside
	if err != nil {
		return err
	}
	if covered.Unknown != "" {
		p.Unknown = append(p.Unknown, "which lines no test reaches: "+covered.Unknown)
		return nil
	}
	if other, err := p.elsewhere(ctx, covered); other || err != nil {
		return err
	}
	for _, f := range covered.Files {
		for _, line := range f.Missed {
			text, ok := p.added[f.Path][line]
			switch n := len(p.Unreached); {
			case !ok, p.illustrates(f.Path):
			case n > 0 && p.Unreached[n-1].Path == f.Path && p.Unreached[n-1].Last+1 == line:
				p.Unreached[n-1].Last = line
			default:
				p.Unreached = append(p.Unreached, Lines{Path: f.Path, First: line, Last: line, Text: text})
			}
		}
	}
	return nil
}

// illustrates reports whether a test of the change is an example in the documentation of a source:
// what those reach is not counted in each language.
func (p *proof) illustrates(path string) bool {
	f, _ := gates.Find(p.Change.Files, func(f gates.FileChange) bool { return f.Path() == path })
	return f.Kind() == gates.KindSource && slices.ContainsFunc(p.Tests, func(t Test) bool { return t.File == path && f.New.Declares(t.ID) == "" })
}

// elsewhere reports whether the tests reach no source and pass also where none holds any
// code. Then they run others, and nothing that a change does to these decides anything.
func (p *proof) elsewhere(ctx context.Context, covered gates.Coverage) (bool, error) {
	if p.Verdict == Proven || slices.ContainsFunc(covered.Files, func(f gates.FileCoverage) bool { return f.Reached > 0 }) {
		return false, nil
	}
	deaf, _, err := p.how.Checker.Hears(ctx, p.Project, p.Green.Tree)
	if err != nil || len(deaf) == 0 {
		return false, err
	}
	p.Verdict, p.Why = NotJudged, "its tests pass even if there is no code in any source: they run something else, "+
		"such as an installed copy of the project; let them import what stands here, for instance by an editable install, and try again"
	return true, nil
}

// slow reports whether a few tests take much less than all of them.
func (p *proof) slow() bool { return p.after.SuiteMS() > 1_500 }

// missed reports whether a line is one of those that no test reaches: that it can be
// altered says nothing more.
func (p *proof) missed(path string, line int) bool {
	return slices.ContainsFunc(p.Unreached, func(l Lines) bool { return l.Path == path && l.First <= line && line <= l.Last })
}
