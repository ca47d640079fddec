package prove

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
)

// Options says how a change is proven.
type Options struct {
	Checker *check.Checker
	// Beside are checkers that measure at the same time; they share what they measure
	// with the first, see [check.Shared].
	Beside []*check.Checker
	// Tier is how much is measured; empty lets the suite decide: full, for a while, unless it
	// is slow.
	Tier Tier
	// Budget is how long small errors are tried in the full tier; zero means until all
	// were.
	Budget time.Duration
}

// Where the suite chose the full tier, small errors are tried as long as so many runs of it
// take, within bounds, and old tests and new ones are held against such errors no longer. It
// does so up to slow ms; above fast ms, old tests and new ones are not held against any.
const (
	budgetRuns             = 4
	leastBudget, maxBudget = 15 * time.Second, time.Minute
	leastPatience          = 5 * time.Second
	fast, slow             = 30_000, 120_000
)

// choose settles the tier by the time that the suite takes.
func (p *proof) choose() {
	p.chosen = p.chosen || p.how.Tier == ""
	p.Plain = p.how.Tier == Quick || p.chosen && p.after.SuiteMS() > fast
	if p.chosen && p.after.SuiteMS() > slow {
		p.how.Tier = Quick
	} else if p.chosen {
		budget := time.Duration(budgetRuns*p.after.SuiteMS()) * time.Millisecond
		p.how.Tier, p.how.Budget = Full, min(max(budget, leastBudget), maxBudget)
		p.Patience = min(max(budget, leastPatience), maxBudget)
	}
	p.Tier = p.how.Tier
}

// Change finds out what the tests of a change are worth.
func Change(ctx context.Context, o Options, what Changed) (Report, error) {
	start := time.Now()
	before := o.count()
	ctx, stop := context.WithCancel(ctx)
	pr := &proof{how: o, Report: Report{
		Tier: o.Tier, Base: string(what.Base), Head: string(what.Head), Subject: what.Subject, Verdict: NotJudged,
		Changed: what, Tests: []Test{}, Old: Old{Lost: map[string]string{}},
	}}
	defer pr.aside.Wait()
	defer stop()
	if _, err := o.Checker.Project(ctx, what.Tree); err != nil { // also if nothing says how it is tested
		return pr.Report, err
	}
	if err := pr.takeApart(ctx); err != nil {
		return pr.Report, err
	}
	if whole, ok, err := pr.withRed(ctx); ok || err != nil {
		return whole, err
	}
	if err := pr.detail(ctx); err != nil {
		return pr.Report, err
	}
	pr.Runs, pr.TookMS = o.count()-before, time.Since(start).Milliseconds()
	if pr.Runs == 0 && unmeasured(pr.before, pr.after) != "" {
		pr.Why += " (that is on record; --fresh runs them again)"
	}
	pr.PlainMS = pr.after.DurationMS
	return pr.Report, nil
}

// takeApart takes the change apart and proves it. If the tests of before cannot run with the
// change's configuration, this comes with the tests.
func (p *proof) takeApart(ctx context.Context) (err error) {
	for _, late := range []bool{false, true} {
		if p.Derived, err = p.how.Checker.Derive(ctx, check.Apart{Parent: p.Changed.Base, Tree: p.Changed.Tree, Late: late}); err != nil {
			return err
		}
		if p.Change.DocsOnly() { // nothing that a test could notice
			return unfit("it changes neither tests nor code")
		}
		configures := func(f gates.FileChange) bool { return f.Is().Kind == gates.KindConfig }
		if err := p.prove(ctx); err != nil || stands(p.before) || !slices.ContainsFunc(p.Change.Files, configures) {
			return err
		}
	}
	return nil
}

// stands reports whether the tests of a tree came to run.
func stands(f gates.Facts) bool { return f.Finished() && f.Outcome != gates.Broken }

// proof is a report while it is made.
type proof struct {
	how Options
	check.Derived
	Report

	before gates.Facts     // of the base
	after  gates.Facts     // of the whole
	red    check.Judgement // of the derived red; the zero value if there is none
	last   check.Judgement // whose change holds the sources
	aside  sync.WaitGroup  // what is measured ahead
	chosen bool            // the suite decides how much is measured
	// recalls is set if what is asked first changes what the sources answer then.
	recalls bool

	added   map[string]map[int]string // the lines of sources that the change added
	assumed []string                  // what the verdict takes for granted
}

// ahead measures something beside what is measured anyway. Whoever needs it waits for
// it, or meets its error.
func (p *proof) ahead(ctx context.Context, measure func(*check.Checker, *check.Project)) {
	if len(p.how.Beside) == 0 {
		return
	}
	p.aside.Go(func() {
		c := p.how.Beside[0]
		if project, err := c.Project(ctx, p.Green.Tree); err == nil {
			measure(c, project)
		}
	})
}

// count is how many trees were measured.
func (o Options) count() int {
	n := o.Checker.Count()
	for _, c := range o.Beside {
		n += c.Count()
	}
	return n
}

// prove finds the verdict.
func (p *proof) prove(ctx context.Context) error {
	p.Why = ""
	if err := p.measure(ctx); err != nil {
		return err
	}
	p.choose()
	if why := unmeasured(p.before, p.after); why != "" {
		p.Why = why
		return nil
	}
	if p.Changed.Waits = p.waits(); p.Changed.Waits {
		p.Why = "a red that waits for its green"
		return nil
	}
	if err := p.breaks(ctx); err != nil || p.Why != "" {
		return err
	}
	ways, err := p.ways(ctx)
	if err != nil {
		return err
	}
	for _, way := range ways {
		if held, err := way(ctx); err != nil {
			return err
		} else if held {
			return p.old(ctx)
		}
	}
	return nil
}

// measure measures both sides of the change.
func (p *proof) measure(ctx context.Context) error {
	p.ahead(ctx, func(c *check.Checker, project *check.Project) { _, _ = c.OfBase(ctx, project, p.Derived) })
	after, err := p.how.Checker.Of(ctx, p.Project, p.Green.Tree)
	if err != nil {
		return err
	}
	before, err := p.how.Checker.OfBase(ctx, p.Project, p.Derived)
	if err != nil {
		return err
	}
	p.added, err = p.how.Checker.AddedLines(ctx, p.Derived)
	if p.before, p.after = before.Facts, after.Facts; err == nil && len(p.added) > 0 {
		p.ahead(ctx, func(c *check.Checker, project *check.Project) { _, _ = c.Coverage(ctx, project, p.Green.Tree) })
	}
	return err
}

// ways are the verdicts in the order in which a change of its kind is held against them.
func (p *proof) ways(ctx context.Context) ([]func(context.Context) (bool, error), error) {
	type list = []func(context.Context) (bool, error)
	adds := p.addsTests()
	asks, err := p.asks(ctx, gates.ClassAssertion, gates.ClassException)
	if !asks && !adds && err == nil {
		asks, err = p.names(ctx)
	}
	if asks && err == nil { // what is not there under its new name may raise anything
		var renames bool
		renames, err = p.how.Checker.OnlyRenames(ctx, p.Derived)
		asks = !renames
	}
	if !asks && (!adds || p.tidies()) {
		return list{p.refactored, p.redGreen, p.pinned, p.withdrawn}, err
	}
	return list{p.redGreen, p.pinned, p.refactored, p.withdrawn}, err
}

// names reports whether an old test calls something now that is not there without the change, and
// no other name of what it called: then it would not pass as it was.
func (p *proof) names(ctx context.Context) (bool, error) {
	asks, err := p.asks(ctx, gates.ClassMissingSymbol)
	if err != nil || !asks || p.Change.KeepsTests() {
		return asks, err
	}
	return p.how.Checker.OldTestsPass(ctx, p.Derived)
}

// asks reports whether a test expects something now that the sources of before do not do:
// it fails there for such a reason. One that only calls it by another name does not.
// If the change touches no test, one may have waited for it.
func (p *proof) asks(ctx context.Context, reasons ...gates.Class) (bool, error) {
	if p.Red.ID == p.Derived.Base.ID {
		return len(p.waiting()) > 0, nil
	}
	red, err := p.how.Checker.JudgeRed(ctx, p.Derived)
	return slices.ContainsFunc(red.Step.Red, func(r gates.Red) bool { return slices.Contains(reasons, r.Class) }), err
}

// unmeasured says why a change cannot be judged; empty if it can.
func unmeasured(before, after gates.Facts) string {
	switch {
	case !after.Finished():
		return "with the change the tests cannot be run: " + cause(after)
	case !stands(before) && !stands(after):
		return "the tests can be run neither without the change nor with it: " + cause(after)
	case !stands(before):
		return "without the change the tests cannot be run, so nothing shows what they say of it: " + cause(before)
	case after.Outcome == gates.Empty:
		return "no test ran at all"
	}
	return ""
}

// cause is why tests could not be run.
func cause(f gates.Facts) string {
	if len(f.Diagnostics) == 0 {
		return string(f.Outcome)
	}
	d := f.Diagnostics[0]
	text := string(d.Class) + ", " + d.Message
	if d.File != "" {
		text = fmt.Sprintf("%s (%s:%d)", text, d.File, d.Line)
	}
	return text
}

// addsTests reports whether there are tests with the change that were not there before;
// where tests cannot be told apart, any change of them counts.
func (p *proof) addsTests() bool {
	return len(p.newTests()) > 0 || p.after.Detail == gates.DetailExitCode && p.Red.Tree != p.Derived.Base.Tree
}

// tidies reports whether tests are gone, and whatever they expect is in others now.
func (p *proof) tidies() bool {
	return len(p.Change.Followed(p.before, p.after)) < len(p.before.Tests) && p.asCase().Tidies()
}

// newTests are the tests that were not there before, under any name.
func (p *proof) newTests() []gates.Test { return gates.NewTests(p.asCase()) }

// asCase is the change as gates see it, of which nothing is said.
func (p *proof) asCase() *gates.Case {
	return &gates.Case{Premise: gates.Premise{Before: p.before, Change: p.Change}, Measured: gates.Measured{After: p.after}}
}
