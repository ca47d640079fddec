package gates

import (
	"cmp"
	"slices"
)

// Outcome says how a measurement of one tree ended.
type Outcome string

// The outcomes of a measurement. Only Passed, Failed, Broken and Empty are
// facts about the tree; Timeout and Crashed say that the run did not finish.
const (
	Passed  Outcome = "passed"  // every test that ran passed, and the runner proved that it finished
	Failed  Outcome = "failed"  // the runner finished and at least one test failed
	Broken  Outcome = "broken"  // the project, or a part of it, could not be built or loaded
	Empty   Outcome = "empty"   // the runner finished without running one test
	Timeout Outcome = "timeout" // the run was killed at its time limit
	Crashed Outcome = "crashed" // the runner died, was missing, or its environment failed
)

// Status is the verdict on one test.
type Status string

// The verdicts of a test.
const (
	StatusPassed  Status = "passed"
	StatusFailed  Status = "failed"
	StatusSkipped Status = "skipped"
)

// Class says why a test or a run failed.
type Class string

// The classes of failure, from the mildest to the worst.
const (
	ClassNone          Class = ""
	ClassAssertion     Class = "assertion"      // an expectation was not met
	ClassExitCode      Class = "exit-code"      // the command failed; nothing finer can be read
	ClassUnimplemented Class = "unimplemented"  // a stub said that it is a stub
	ClassException     Class = "exception"      // the test ran and something else was raised
	ClassMissingSymbol Class = "missing-symbol" // what the test names does not exist yet
	ClassCompile       Class = "compile"        // any other compile error
	ClassSyntax        Class = "syntax"         // the text does not parse
	ClassNoTests       Class = "no-tests"       // nothing ran
	ClassTimeout       Class = "timeout"        // killed at the time limit
	ClassCrash         Class = "crash"          // the process died before it could report
	ClassRunnerMissing Class = "runner-missing" // the tool is not installed
	ClassInfra         Class = "infra"          // a download, the configuration or the environment broke the run
)

// Worse returns the worse of two classes.
func Worse(a, b Class) Class {
	return worse([]Class{
		ClassNone, ClassExitCode, ClassAssertion, ClassUnimplemented, ClassException, ClassMissingSymbol,
		ClassCompile, ClassSyntax, ClassNoTests, ClassTimeout, ClassCrash, ClassRunnerMissing, ClassInfra,
	}, a, b)
}

// worse is the one of two that comes later in an order from the best to the worst.
func worse[T comparable](order []T, a, b T) T {
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// Detail says how much detail could be read from a runner's results.
type Detail string

// The levels of detail.
const (
	DetailTest     Detail = "test"      // every test by name
	DetailExitCode Detail = "exit-code" // only whether the command succeeded
)

// Test is one test of a tree and its result.
type Test struct {
	// ID names the test the same way from run to run, for instance
	// "calculator::sums_two_numbers".
	ID      string `json:"id"`
	Status  Status `json:"status"`
	Class   Class  `json:"class,omitempty"`   // set on failed tests only
	Message string `json:"message,omitempty"` // what the runner said about the failure
	File    string `json:"file,omitempty"`    // slash-separated, relative to the project's root
	Line    int    `json:"line,omitempty"`    // 1-based; 0 if it is not known
}

// Name is the id of a test.
func (t Test) Name() string { return t.ID }

// Diagnostic is one complaint of a compiler, linter, loader or runner.
type Diagnostic struct {
	Class   Class  `json:"class"`
	Symbol  string `json:"symbol,omitempty"` // the missing name, for missing-symbol
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// Facts is what the project's own commands show about one git tree.
type Facts struct {
	Tree    string  `json:"tree"` // object id of the tree that was measured
	Outcome Outcome `json:"outcome"`
	// Tests has one entry for each test, ordered by ID, without duplicates.
	Tests []Test `json:"tests"`
	// Diagnostics explains a run that is broken, empty, timed out or crashed.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Check is the outcome of the check command; empty if none is configured or if
	// it was not needed.
	Check Outcome `json:"check,omitempty"`
	// CheckDiagnostics explains a check that failed.
	CheckDiagnostics []Diagnostic `json:"check_diagnostics,omitempty"`
	Detail           Detail       `json:"detail"`
	// Coverage is nil unless it was asked for.
	Coverage   *Coverage `json:"coverage,omitempty"`
	DurationMS int64     `json:"duration_ms"` // wall time of all commands
	// TestMS is that of the tests alone; zero in facts that are older than this, see [Facts.SuiteMS].
	TestMS int64 `json:"test_ms,omitempty"`
	// AloneMS is that of a command that runs what was built before; zero if there is none.
	AloneMS int64 `json:"alone_ms,omitempty"`
}

// Complete reports whether the measurement says something about every test of
// the tree: a run that broke, timed out or crashed leaves tests unknown.
func (f Facts) Complete() bool {
	return f.Outcome == Passed || f.Outcome == Failed || f.Outcome == Empty
}

// Finished reports whether the measurement is a fact at all. A run that timed
// out or crashed is not: it is neither red nor green and is never kept.
func (f Facts) Finished() bool {
	return f.Outcome != Timeout && f.Outcome != Crashed &&
		f.Check != Timeout && f.Check != Crashed
}

// SuiteMS is how long the tests took.
func (f Facts) SuiteMS() int64 { return cmp.Or(f.TestMS, f.DurationMS) }

// Green reports whether every test passed and the check, if any, did too.
func (f Facts) Green() bool {
	return f.Outcome == Passed && (f.Check == "" || f.Check == Passed)
}

// Class is the worst class among the failures and diagnostics.
func (f Facts) Class() Class {
	worst := ClassNone
	for _, t := range f.Tests {
		worst = Worse(worst, t.Class)
	}
	for _, d := range f.Diagnostics {
		worst = Worse(worst, d.Class)
	}
	return worst
}

// Lookup returns the test of that id.
func (f Facts) Lookup(id string) (Test, bool) {
	return Find(f.Tests, func(t Test) bool { return t.ID == id })
}

// Find is the first of a list that something holds of.
func Find[T any](list []T, is func(T) bool) (found T, ok bool) {
	if at := slices.IndexFunc(list, is); at >= 0 {
		return list[at], true
	}
	return found, false
}

// Each is what becomes of each of a list.
func Each[T, U any](list []T, to func(T) U) []U {
	out := slices.Grow([]U(nil), len(list))
	for _, item := range list {
		out = append(out, to(item))
	}
	return out
}

// Union is a list and what of another one is not in it, each once.
func Union[T comparable](list, more []T) []T {
	for _, item := range more {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// StatusOf is how the test of an id ended; empty if there is none.
func (f Facts) StatusOf(id string) Status {
	t, _ := f.Lookup(id)
	return t.Status
}

// With returns the tests of one status, in the order of Tests.
func (f Facts) With(s Status) []Test {
	var out []Test
	for _, t := range f.Tests {
		if t.Status == s {
			out = append(out, t)
		}
	}
	return out
}

// leaves counts the tests that hold no others.
func (f Facts) leaves() int {
	holds := f.holders()
	return len(slices.DeleteFunc(slices.Clone(f.Tests), func(t Test) bool { return holds[t.ID] }))
}

// holders has the beginnings of ids: the tests that are among them hold others.
func (f Facts) holders() map[string]bool {
	holds := map[string]bool{}
	for _, t := range f.Tests {
		for at, r := range t.ID {
			holds[t.ID[:at]] = holds[t.ID[:at]] || r == '/' || r == ':'
		}
	}
	return holds
}

// Join is the facts of a tree of several projects, given those of each; their ids
// differ. What keeps one project from being judged keeps the tree from it, and one
// whose tests cannot be told apart makes the whole no finer.
func Join(tree string, parts []Facts) Facts {
	out := Facts{Tree: tree, Outcome: Empty, Tests: []Test{}, Detail: DetailTest}
	for _, p := range parts {
		out.Outcome, out.Check = worseOutcome(out.Outcome, p.Outcome), worseOutcome(out.Check, p.Check)
		out.Tests = append(out.Tests, p.Tests...)
		out.Diagnostics = append(out.Diagnostics, p.Diagnostics...)
		out.CheckDiagnostics = append(out.CheckDiagnostics, p.CheckDiagnostics...)
		out.DurationMS += p.DurationMS
		out.TestMS += p.SuiteMS()
		out.AloneMS += p.AloneMS
		if p.Detail == DetailExitCode && p.Outcome != Empty {
			out.Detail = DetailExitCode
		}
		out.Coverage = joinCoverage(out.Coverage, p.Coverage)
	}
	slices.SortFunc(out.Tests, func(a, b Test) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// worseOutcome is the one that says more about what is wrong. Nothing at all is the
// best: no check is configured.
func worseOutcome(a, b Outcome) Outcome {
	return worse([]Outcome{"", Empty, Passed, Failed, Broken, Timeout, Crashed}, a, b)
}

// joinCoverage puts the coverage of two projects together.
func joinCoverage(a, b *Coverage) *Coverage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &Coverage{Files: slices.Concat(a.Files, b.Files), Unknown: cmp.Or(a.Unknown, b.Unknown)}
}
