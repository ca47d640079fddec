package loop

import (
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// maxRepeats is how often the same failure may repeat before the circuit opens.
const maxRepeats = 3

// givenUp says why there is no point in another attempt; nil if there is.
func givenUp(t turn, refused []*refusedError) error {
	last := refused[len(refused)-1]
	if why := repeating(t, refused); why != "" {
		return &StopError{Reason: NoProgress, Text: why + goingOn(t)}
	}
	if len(refused) < t.project.Settings.MaxAttempts {
		return nil
	}
	reason := Stuck
	if last.unjudged {
		reason = Unjudged
	}
	return &StopError{Reason: reason, Text: fmt.Sprintf(
		"the %s used up its %d attempts; the last was refused: %s%s", t.role, len(refused), last.findings[0], goingOn(t))}
}

// goingOn says how to go on after that.
func goingOn(t turn) string {
	ways := "\nTo go on: commit the step yourself, or git tdd run, which tries again"
	if t.plays == gates.Implementor && t.history.Step.Phase == gates.PhaseRed {
		ways += "; git tdd step --dispute WHY hands the red back to the tester"
	}
	return ways + "\nThe attempts are kept: git log --oneline --glob='" + AttemptRefs + "*' --no-walk"
}

// repeating says what happens again and again; empty if nothing does.
func repeating(t turn, refused []*refusedError) string {
	if len(refused) < maxRepeats {
		return ""
	}
	latest := refused[len(refused)-maxRepeats:]
	last := latest[maxRepeats-1]
	all := func(is func(*refusedError) bool) bool {
		return !slices.ContainsFunc(latest, func(r *refusedError) bool { return !is(r) })
	}
	if t.plays == gates.Tester && all(func(r *refusedError) bool { return t.green(r.after.Facts) }) {
		may := "A criterion that is met already takes one test that names it; for others there is `gates.characterization: allow`; "
		if t.project.Settings.Gates.Characterization == gates.Allow {
			may = ""
		}
		return fmt.Sprintf("%d new tests in a row passed at once: what they check is there already. %sthe last was refused: %s", maxRepeats, may, last.findings[0])
	}
	if all(func(r *refusedError) bool { return slices.Equal(r.findings, last.findings) }) {
		return fmt.Sprintf("the %s failed the same way %d times in a row: %s", t.role, maxRepeats, last.findings[0])
	}
	for _, test := range last.after.Facts.With(gates.StatusFailed) {
		if t.plays != gates.Tester && !t.isOpen(test.ID) && all(func(r *refusedError) bool { return failsAlike(r.after.Facts, test) }) {
			return fmt.Sprintf("the %s saw %s fail the same way %d times in a row (%s): %s", t.role, test.ID, maxRepeats, test.Class, test.Message)
		}
	}
	return ""
}

// failsAlike reports whether a test fails for the same reason, in the same words.
func failsAlike(f gates.Facts, test gates.Test) bool {
	return slices.ContainsFunc(f.With(gates.StatusFailed), func(t gates.Test) bool {
		return t.ID == test.ID && t.Class == test.Class && t.Message == test.Message
	})
}
