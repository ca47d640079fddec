package check

import (
	"context"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
)

// trials makes what the green added wrong in small ways, one at a time, and asks the
// tests that the red waited for, until they notice. Where it is to be known what no test
// notices, it goes on for a few more.
func (e *examination) trials(ctx context.Context, waited []gates.Test) error {
	sources, rewritten, err := e.added(ctx)
	if err == nil {
		err = e.remark(ctx, sources, waited)
	}
	if err != nil {
		return err
	}
	run := e.runner(e.j.Project, e.p.Tree)
	asked, took, err := e.standing(ctx, waited, run, quickSuite)
	if err != nil {
		return err
	}
	t := trials{examination: e, added: rewritten, sources: sources, waited: waited, asked: asked, run: hasty(run, took), survey: e.surveys(), until: e.waited()}
	for _, ask := range []func(context.Context) error{t.each, t.again, t.more, t.notRun} {
		if err := ask(ctx); err != nil {
			return err
		}
	}
	t.found.Untried = len(t.found.Trials) == 0
	return nil
}

// more tries what else could be wrong in what the green added where no small error shows that
// the tests notice anything, or there is none.
func (t *trials) more(ctx context.Context) error {
	if !t.noticed && t.crashed > 0 && t.found.Raising == nil {
		if err := t.raising(ctx); err != nil {
			return err
		}
	}
	for _, mutants := range []making{leftOut, reworded} {
		if t.noticed {
			return nil
		}
		if err := t.leaveOut(ctx, t.j.Project.sourcesOf(t.added, mutants)); err != nil {
			return err
		}
	}
	if t.noticed {
		return nil
	}
	return t.others(ctx)
}

// others asks all tests of what those that the red waited for missed, until none of them
// notices.
func (t *trials) others(ctx context.Context) error {
	list := evidence.Trials(t.sources)
	for i, trial := range t.found.Trials {
		at := slices.IndexFunc(list, func(g evidence.Group) bool { return slices.Equal(g.Mutants(), trial.Mutants) })
		if trial.Given || trial.Suite != nil || at < 0 || !trial.Unnoticed(t.waited) {
			continue
		}
		suite, ran, err := evidence.Try(ctx, &list[at], t.passing(), t.run)
		if err != nil || !ran {
			return err
		}
		if t.found.Trials[i].Suite = &suite; t.found.Trials[i].Missed(t.waited) {
			return nil
		}
	}
	return nil
}

// each tries small errors until the tests notice one, or as many as are to be known.
func (t *trials) each(ctx context.Context) error {
	for i, g := range evidence.Trials(t.sources) {
		late := !t.until.IsZero() && time.Now().After(t.until)
		if t.noticed && (!t.survey || g.Last || i >= t.surveyed() || t.waits >= maxLate || late) {
			return nil
		}
		if err := t.try(ctx, g); err != nil {
			return err
		}
		if len(t.late) < maxLate || t.noticed {
			continue
		}
		if err := t.again(ctx); err != nil {
			return err
		}
	}
	return nil
}

// maxLate is how many errors may keep the tests waiting before one of them gets the time
// that shows whether it ever ends.
const maxLate = 2

// quickCommit is how long a suite takes, in ms, of which a hook can run altered copies
// while somebody waits.
const quickCommit = 500

// alterable reports whether a hook can run altered copies of a suite. Where tests are built by a
// command of its own, that takes long if all are altered, though nearly nothing if one is.
func alterable(f gates.Facts) bool { return f.SuiteMS() < quickCommit && f.AloneMS == 0 }

// mostWait is how long a hook asks what it need not know: what is built anew each time may take
// long although its tests do not.
const mostWait = 10 * time.Second

// waited is when somebody has waited long enough in a hook; the zero time where nobody waits.
func (e *examination) waited() time.Time {
	if e.mode(e.j) != gates.EvidenceChanged {
		return time.Time{}
	}
	return time.Now().Add(mostWait)
}

// surveys reports whether it is to be known which errors no test notices. Of a change
// that was taken apart [Checker.Survey] knows more.
func (e *examination) surveys() bool {
	k := e.j.Case
	return !k.Derived && (e.much == gates.EvidenceFull || k.Policy.RefusesMutants() || alterable(k.After))
}

// surveyed is how many errors are tried to know which of them no test notices: fewer
// where each takes long, unless one of them refuses the step.
func (e *examination) surveyed() int {
	if k := e.j.Case; !k.Policy.RefusesMutants() && k.After.SuiteMS() >= quickSuite {
		return evidence.Surveyed / 2
	}
	return evidence.Surveyed
}

// trials are the trials of a step while they are made.
type trials struct {
	*examination
	added   []rewriting       // what the green made of each source
	sources []evidence.Source // these, with the small errors in what it added
	waited  []gates.Test      // by the red
	asked   []gates.Test      // those that run
	run     evidence.Run
	survey  bool
	until   time.Time        // when no more is surveyed
	noticed bool             // by what a test asserts that the red waited for
	crashed int              // how many errors only made these crash
	late    []evidence.Group // what did not end in its time
	waits   int              // how much that was in all
}

// try makes one trial.
func (t *trials) try(ctx context.Context, g evidence.Group) error {
	trial, err := t.trial(ctx, &g)
	switch {
	case err != nil || len(trial.Mutants) == 0:
		return err
	case trial.Reds.Outcome == gates.Timeout:
		t.late = append(t.late, g)
		t.waits++
		return nil
	case t.j.Case.Shown(trial, t.waited):
		t.noticed = true
	case g.Slips() && !trial.Unnoticed(t.waited):
		return nil // another name may stand for another kind of value, and then only crash
	case !trial.Unnoticed(t.waited):
		if t.crashed++; t.crashed == maxCrashed {
			err = t.raising(ctx)
		}
	case len(t.asked) == len(t.passing()):
		trial.Suite = &trial.Reds
	case t.survey:
		suite, _, err := evidence.Try(ctx, &g, t.passing(), t.run)
		if err != nil {
			return err
		}
		trial.Suite = &suite
	}
	t.found.Trials = append(t.found.Trials, trial)
	return err
}

// maxCrashed is how many errors only make the tests crash before it is asked whether
// their own checks fail in that way.
const maxCrashed = 2

// raising finds out which tests assert by exceptions.
func (t *trials) raising(ctx context.Context) error {
	files, all := t.filesToGrade()
	tests, err := t.testFiles(ctx, t.j.Project.Language, t.p.Tree, selection{files: files, all: all})
	if err != nil {
		return err
	}
	t.found.Raising, err = evidence.Raising(ctx, tests, t.waited, t.run)
	t.noticed = slices.ContainsFunc(t.found.Trials, func(trial gates.Trial) bool { return t.j.Case.Shown(trial, t.waited) })
	return err
}

// trial asks the tests that the red waited for, among those that run; by themselves
// where one of the others may be what hangs.
func (t *trials) trial(ctx context.Context, g *evidence.Group) (trial gates.Trial, err error) {
	trial.Reds, _, err = evidence.Try(ctx, g, t.asked, t.run)
	if err == nil && trial.Reds.Outcome == gates.Timeout && len(t.asked) > len(t.waited) {
		trial.Reds, _, err = evidence.Try(ctx, g, t.waited, t.run)
	}
	trial.Mutants, trial.Given = g.Mutants(), g.Defaults()
	return trial, err
}

// again gives more time to what did not end, where it decides. What does not end then
// either is noticed.
func (t *trials) again(ctx context.Context) error {
	hasty, late := t.run, t.late
	t.run, t.late = t.runner(t.j.Project, t.p.Tree), nil
	defer func() { t.run = hasty }()
	for _, g := range late {
		if t.noticed {
			return nil
		}
		trial, err := t.trial(ctx, &g)
		if err != nil {
			return err
		}
		t.noticed = t.j.Case.Shown(trial, t.waited)
		t.found.Trials = append(t.found.Trials, trial)
	}
	return nil
}

// leaveOut leaves out the statements that the green added, or says what they say in other
// words, until a test shows that it notices. A change may do all it does by calls or by what
// it says, and have only errors that do not matter.
// That nothing notices says no more against the tests; nor does it speak for them that
// they notice where no result is left at all, and not where it is another one.
func (t *trials) leaveOut(ctx context.Context, sources []evidence.Source) error {
	all := evidence.Singles(sources)
	for _, g := range all[:min(len(all), evidence.Surveyed)] {
		muted, ok := g.Muted(t.sources)
		if !ok {
			continue
		}
		trial, err := t.trial(ctx, &g)
		if err != nil {
			return err
		}
		if !t.j.Case.Shown(trial, t.waited) {
			continue
		}
		quiet, err := t.trial(ctx, &muted)
		if err != nil {
			return err
		}
		if !t.j.Case.Shown(quiet, t.waited) {
			t.found.Trials, t.noticed = append(t.found.Trials, trial), true
			return nil
		}
	}
	return nil
}

func (t *trials) passing() []gates.Test { return t.j.Case.After.With(gates.StatusPassed) }

// standing are the tests to run so that some of them are as they are in the suite: these
// alone, with the time that they take, or all, if that takes hardly longer or less than some
// ms, if no runner can be asked for less, or if one of them passes only where others ran before
// it.
func (e *examination) standing(ctx context.Context, waited []gates.Test, run evidence.Run, quick int64) (asked []gates.Test, took time.Duration, err error) {
	after := e.j.Case.After
	if !few(waited, after) {
		return waited, 0, nil
	}
	all := after.With(gates.StatusPassed)
	if after.SuiteMS() < quick || !e.j.Project.narrows(waited) {
		return all, 0, nil
	}
	alone, err := run(ctx, evidence.Question{Tests: waited})
	fails := func(t gates.Test) bool { return alone.StatusOf(t.ID) != gates.StatusPassed }
	if err != nil || 5*alone.SuiteMS() > 4*after.SuiteMS() || slices.ContainsFunc(waited, fails) {
		return all, 0, err
	}
	return waited, time.Duration(alone.DurationMS) * time.Millisecond, nil
}

// quickSuite is how long a suite takes, in ms, of which a part is hardly faster where few
// errors are tried: what starts and compiles it takes most of that.
const quickSuite = 2000
