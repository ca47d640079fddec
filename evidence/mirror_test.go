package evidence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// A test that passes while a helper that it does not use is altered has not shown
// to be hollow: its own checks never ran altered.
func TestGrades_ofATestWhoseAlteredChecksNeverRan(t *testing.T) {
	t.Parallel()
	const content = "check\nhelper\n"
	replaced := func(line, text string) []testrun.Edit {
		at := strings.Index(content, line)
		return []testrun.Edit{{Span: testrun.Span{Start: at, End: at + len(line)}, Text: text}}
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"one"}, Checks: []testrun.Check{
		{Test: "one", Altered: replaced("check", "broken"), Negated: replaced("check", "broken")},
		{Negated: replaced("helper", "negated")},
	}}}
	passed := gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{{ID: "one", Status: gates.StatusPassed, File: "a"}}}
	run := func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		if strings.Contains(q.Files["a"], "broken") {
			return gates.Facts{Outcome: gates.Broken, Diagnostics: []gates.Diagnostic{{Class: gates.ClassCompile, File: "a", Line: 1}}}, nil
		}
		return passed, nil
	}
	got, err := evidence.Grades(t.Context(), files, passed, run)
	if err != nil || got["one"] != "" {
		t.Errorf("Grades: %v, %v; want no grade", got, err)
	}
}
