package gates

import (
	"fmt"
	"slices"
	"strings"
)

func redGate() Gate {
	return Gate{
		Name: "red", Who: "tester", Judges: plays(Tester),
		Doc: `At least one added or changed test fails (at most gates.max_new_red, one by
default), for a right reason: an assertion, a stub that says it is unimplemented,
an exception, or a missing symbol that the added test itself names. What passed
before passes still; nothing vanished or was skipped.

Why: a test that has not been seen failing proves nothing, and one that fails by
a syntax error proves less.

To satisfy it: add one test for one behaviour that does not exist yet. A test
that pins down what is there already is a characterization: commit it with
--trailer "Tdd-Outcome: characterization".`,
		Run: red,
	}
}

func red(c *Case) []Finding {
	if out := unfinished(c.After); out != nil {
		return out
	}
	if c.Special == Characterization {
		return characterization(c)
	}
	reds, out := Reds(c)
	out = append(out, flaky(c)...)
	if len(out) == 0 && len(reds) == 0 {
		return nothingRed(c)
	}
	if len(reds) > c.Policy.MaxNewRed {
		out = append(out, Finding{
			Seen:   fmt.Sprintf("%d new failing tests: %s; the policy allows %d", len(reds), joinReds(reds), c.Policy.MaxNewRed),
			Remedy: "keep one failing test, leave the others for later cycles",
		})
	}
	return append(append(out, redCheck(c, reds)...), claims(c, reds)...)
}

func joinReds(reds []Red) string {
	var ids []string
	for _, r := range reds {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, ", ")
}

func nothingRed(c *Case) []Finding {
	seen := "no added or changed test fails"
	if c.After.Outcome == Empty {
		seen = "no test ran at all"
	}
	if added := newTests(c); len(added) > 0 {
		seen = "the new test passes at once: " + strings.Join(added, ", ")
	}
	return []Finding{{Seen: seen, Remedy: "write a test for behaviour that does not exist yet, so that it fails by its assertion"}}
}

// newTests lists the ids that were not there before.
func newTests(c *Case) []string {
	var out []string
	for _, t := range c.After.Tests {
		if _, ok := c.Before.Lookup(t.ID); !ok {
			out = append(out, t.ID)
		}
	}
	return out
}

// Reds lists what a tester's change turned red, and what stands against it.
func Reds(c *Case) ([]Red, []Finding) {
	if c.After.Detail == DetailExitCode {
		return coarseReds(c)
	}
	if c.After.Outcome == Broken {
		return brokenReds(c)
	}
	out := lost(c, c.Before)
	var reds []Red
	for _, t := range c.After.Tests {
		before, existed := c.Before.Lookup(t.ID)
		switch {
		case t.Status == StatusSkipped && !existed:
			out = append(out, Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: "the new test is skipped", Remedy: "let it run, and fail"})
		case t.Status != StatusFailed || (existed && before.Status == StatusFailed):
		case existed && !changedTest(c, t):
			out = append(out, failed(t, "this test passed before and fails now", "change only the new test; leave the others and what they need as they were"))
		case !rightReason(c, t.Class):
			out = append(out, failed(t, "the new test fails for a wrong reason", wrongReasonRemedy(c)))
		case c.Policy.Stubs == Allow && stubbed(c) && t.Class != ClassUnimplemented:
			out = append(out, failed(t, "the step adds a stub, but the new test does not fail because of it", "let the stub say that it is unimplemented, and nothing more"))
		default:
			reds = append(reds, Red{ID: t.ID, Class: t.Class})
		}
	}
	return reds, out
}

// changedTest reports whether the change touches the file of a test.
func changedTest(c *Case, t Test) bool {
	return slices.ContainsFunc(c.Change.Files, func(f FileChange) bool {
		return f.touchesTest() && f.New != nil && (t.File == "" || f.New.Path == t.File) &&
			(t.File != "" || slices.Contains(f.New.Declared, leaf(t.ID)))
	})
}

func rightReason(c *Case, class Class) bool { return slices.Contains(c.Policy.RedReasons, class) }

func wrongReasonRemedy(c *Case) string {
	var names []string
	for _, r := range c.Policy.RedReasons {
		names = append(names, string(r))
	}
	return "let it fail for one of: " + strings.Join(names, ", ")
}

// coarseReds judges a runner that tells no tests apart.
func coarseReds(c *Case) ([]Red, []Finding) {
	if c.After.Outcome != Failed || c.Before.Outcome == Failed {
		return nil, nil
	}
	for _, f := range c.Change.Files {
		if f.touchesTest() {
			return []Red{{ID: f.Path(), Class: ClassExitCode}}, nil
		}
	}
	return nil, nil
}

// brokenReds judges a change after which the project, or a part of it, does not
// compile: right only if every complaint is a missing symbol that the added
// test names.
func brokenReds(c *Case) ([]Red, []Finding) {
	files := map[string]string{}
	var out []Finding
	for _, d := range c.After.Diagnostics {
		switch {
		case !explained(c, d) || !rightReason(c, ClassMissingSymbol):
			out = append(out, Finding{
				Path: d.File, Line: d.Line,
				Seen:   fmt.Sprintf("the tests do not compile (%s): %s", d.Class, firstLine(d.Message)),
				Remedy: "the only thing missing may be what the new test names; everything else must compile",
			})
		case files[d.File] == "":
			files[d.File] = d.Symbol
		}
	}
	if len(c.After.Diagnostics) == 0 {
		out = append(out, Finding{Seen: "the project does not build, and nothing says why", Remedy: "see the output"})
	}
	for _, t := range c.After.Tests {
		if before, ok := c.Before.Lookup(t.ID); ok && before.Status == StatusPassed && t.Status == StatusFailed {
			out = append(out, failed(t, "this test passed before and fails now", "change only the new test"))
		}
	}
	if n := declaredAnew(c); len(files) > 0 && n > c.Policy.MaxNewRed {
		out = append(out, Finding{
			Seen:   fmt.Sprintf("the change declares %d new tests; the policy allows %d", n, c.Policy.MaxNewRed),
			Remedy: "keep one new test, leave the others for later cycles",
		})
	}
	var reds []Red
	for _, f := range c.Change.Files {
		if symbol, ok := files[f.Path()]; ok {
			reds = append(reds, Red{ID: f.Path(), Class: ClassMissingSymbol, Symbol: symbol})
		}
	}
	return reds, out
}

// explained reports whether a diagnostic is the red itself: a missing symbol
// that the added test names, complained of in a file that the step changed.
func explained(c *Case, d Diagnostic) bool {
	return d.Class == ClassMissingSymbol && symbolNamed(c, d.Symbol) &&
		slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return f.New != nil && f.New.Path == d.File })
}

// declaredAnew counts the tests that the change declares and that were not
// declared in the same file before.
func declaredAnew(c *Case) int { return len(DeclaredAnew(c.Change)) }

// DeclaredAnew lists the names of tests that a change declares.
func DeclaredAnew(change Change) []string {
	var out []string
	for _, f := range change.Files {
		if f.New == nil {
			continue
		}
		for _, name := range f.New.Declared {
			if f.Old == nil || !slices.Contains(f.Old.Declared, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// redCheck demands that the check passes, or fails by the red itself only.
func redCheck(c *Case, reds []Red) []Finding {
	if c.After.Check != Failed && c.After.Check != Broken {
		return nil
	}
	var rest []Diagnostic
	for _, d := range c.After.CheckDiagnostics {
		if !explained(c, d) {
			rest = append(rest, d)
		}
	}
	compiles := !slices.ContainsFunc(reds, Red.ByFile)
	if len(rest) == 0 && len(c.After.CheckDiagnostics) > 0 && !compiles {
		return nil
	}
	return complaints("the check fails", rest, "satisfy the check; only the missing symbol of the new test may fail it")
}

func characterization(c *Case) []Finding {
	var out []Finding
	if c.Agent && c.Policy.Characterization != Allow {
		out = append(out, Finding{
			Seen:   "a characterization by an agent; the policy refuses it",
			Remedy: "write a test that fails, or set gates.characterization: allow in a commit of its own",
		})
	}
	if len(newTests(c)) == 0 && c.After.Detail == DetailTest {
		out = append(out, Finding{Seen: "a characterization that adds no test", Remedy: "add the test that pins down what is there"})
	}
	if stubbed(c) {
		out = append(out, Finding{Seen: "a characterization that changes sources", Remedy: "add tests only"})
	}
	return append(append(out, noWorse(c)...), claims(c, nil)...)
}

func greenGate() Gate {
	return Gate{
		Name: "green", Who: "implementor", Judges: plays(Implementor),
		Doc: `Every test passes, the red ones among them; no test vanished, was skipped or
renamed away, and the check passes. A test that failed before the red is not
this step's to repair.

Why: a green that lost a test on the way is not green.

To satisfy it: make the smallest change to the sources that lets all tests pass.`,
		Run: green,
	}
}

func green(c *Case) []Finding {
	if out := unfinished(c.After); out != nil {
		return out
	}
	if !c.After.Complete() {
		return complaints("the tests do not compile", c.After.Diagnostics, "make everything compile, without touching the tests")
	}
	out := append(stillFailing(c, "still failing"), lost(c, c.reference())...)
	out = append(out, redAnswered(c)...)
	if c.After.Outcome == Empty {
		out = append(out, Finding{Seen: "no test ran at all", Remedy: "let the tests run again"})
	}
	if c.After.Detail == DetailExitCode && c.After.Outcome == Failed {
		out = append(out, Finding{Seen: "the test command still fails", Remedy: "make it succeed"})
	}
	out = append(out, checkPasses(c)...)
	return append(append(out, flaky(c)...), claims(c, nil)...)
}

// reference is the last complete facts before the case: those of the parent,
// or, where the red did not compile, those before the red.
func (c *Case) reference() Facts {
	if !c.Before.Complete() && c.Base != nil {
		return *c.Base
	}
	return c.Before
}

func stillFailing(c *Case, how string) []Finding {
	known := c.Known()
	var out []Finding
	for _, t := range c.After.With(StatusFailed) {
		if !known[t.ID] {
			out = append(out, failed(t, how, "change the sources until it passes; the test stays as it is"))
		}
	}
	return out
}

// redAnswered demands that what the red step left failing passes now.
func redAnswered(c *Case) []Finding {
	var out []Finding
	for _, r := range c.Position.Step.Red {
		if !answered(c, r) {
			out = append(out, Finding{Test: r.ID, Seen: "the red test of step " + fmt.Sprint(c.Position.Step.Number) + " does not pass", Remedy: "make it run and pass"})
		}
	}
	return out
}

func answered(c *Case, r Red) bool {
	if c.After.Detail == DetailExitCode {
		return c.After.Outcome == Passed
	}
	if !r.ByFile() {
		t, ok := c.After.Lookup(r.ID)
		return ok && t.Status == StatusPassed
	}
	for _, t := range c.After.With(StatusPassed) {
		if _, before := c.reference().Lookup(t.ID); !before && (t.File == r.ID || t.File == "") {
			return true
		}
	}
	return false
}

func checkPasses(c *Case) []Finding {
	if c.After.Check == "" || c.After.Check == Passed {
		return nil
	}
	return complaints("the check fails", c.After.CheckDiagnostics, "satisfy the check")
}

func sameTestsGate() Gate {
	return Gate{
		Name: "same-tests", Who: "refactorer", Judges: plays(Refactorer),
		Doc: `The same tests pass before and after. Where test files moved or changed, the old
tests also pass against the new sources. The check passes. Nothing worth doing is
an answer too: an empty commit with "Tdd-Outcome: skipped".

Why: a refactoring changes how, never what.

To satisfy it: keep every test, and keep it passing.`,
		Run: sameTests,
	}
}

func sameTests(c *Case) []Finding {
	if c.Special == Skipped {
		if len(c.Change.Files) > 0 {
			return []Finding{{Seen: "a skipped refactoring changes files", Remedy: "commit it without " + KeyOutcome + ", or without the changes"}}
		}
		return nil
	}
	if len(c.Change.Files) == 0 {
		return []Finding{{Seen: "the refactoring changes nothing", Remedy: "say so with " + KeyOutcome + ": skipped"}}
	}
	if out := unfinished(c.After); out != nil {
		return out
	}
	out := append(noWorse(c), added(c)...)
	if c.Crossed != nil {
		out = append(out, crossed(c)...)
	}
	return append(append(out, flaky(c)...), claims(c, nil)...)
}

// added refuses tests that a refactoring brings.
func added(c *Case) []Finding {
	moved := map[string]bool{}
	for _, t := range c.Before.Tests {
		if now, ok := follow(t, c.After, renames(c.Change)); ok {
			moved[now.ID] = true
		}
	}
	var out []Finding
	for _, id := range newTests(c) {
		if !moved[id] {
			out = append(out, Finding{Test: id, Seen: "the refactoring adds a test", Remedy: "leave new tests to the tester"})
		}
	}
	return out
}

// crossed demands that the old tests pass against the new sources.
func crossed(c *Case) []Finding {
	if out := unfinished(*c.Crossed); out != nil {
		return out
	}
	if !c.Crossed.Complete() {
		return complaints("the tests as they were do not compile against the new sources", c.Crossed.Diagnostics,
			"keep what the old tests use")
	}
	var out []Finding
	for _, t := range c.Before.With(StatusPassed) {
		if now, ok := c.Crossed.Lookup(t.ID); !ok || now.Status != StatusPassed {
			out = append(out, Finding{
				Test: t.ID, Path: t.File, Seen: "this test, as it was, does not pass against the new sources",
				Remedy: "restore the behaviour that it checks",
			})
		}
	}
	return out
}

func stayGreenGate() Gate {
	return Gate{
		Name: "stay-green", Who: "outside the loop", Judges: func(c *Case) bool { return !inLoop(c) },
		Doc: `A commit outside the loop (docs, chore, style, ci, build, revert) takes no step
and leaves the facts no worse: what passed passes, nothing vanished or is
skipped, the check still passes.

Why: otherwise the next step would be judged against a broken start.

To satisfy it: repair what the commit broke, or make it a step of the loop.`,
		Run: func(c *Case) []Finding {
			if out := unfinished(c.After); out != nil {
				return out
			}
			return append(noWorse(c), flaky(c)...)
		},
	}
}

// noWorse demands that the facts after are as good as those before.
func noWorse(c *Case) []Finding {
	if !c.After.Complete() {
		if c.Before.Outcome == c.After.Outcome {
			return nil
		}
		return complaints("the tests do not compile", c.After.Diagnostics, "make everything compile again")
	}
	out := lost(c, c.Before)
	for _, t := range c.After.With(StatusFailed) {
		if before, ok := c.Before.Lookup(t.ID); !ok || before.Status != StatusFailed {
			out = append(out, failed(t, "this test fails now", "repair what it checks"))
		}
	}
	if c.After.Detail == DetailExitCode && c.After.Outcome == Failed && c.Before.Outcome != Failed {
		out = append(out, Finding{Seen: "the test command fails now", Remedy: "repair what it checks"})
	}
	if c.Before.Check == "" || c.Before.Check == Passed {
		out = append(out, checkPasses(c)...)
	}
	return out
}
