package evidence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Of three checks, the middle one says nothing: it stands where nobody listens.
func TestIdle(t *testing.T) {
	t.Parallel()
	const content = "a is 1\nb is 2\nc is 3\n"
	var checks []syntax.Check
	for _, name := range []string{"a", "b", "c"} {
		at := strings.Index(content, name+" is")
		checks = append(checks, syntax.Check{
			Test: "it", At: syntax.Span{Start: at, End: at + 6},
			Negated: []syntax.Edit{{Span: syntax.Span{Start: at + 4, End: at + 4}, Text: " not"}},
		})
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"it"}, Checks: checks}}
	passing := []gates.Test{{ID: "it", File: "a", Status: gates.StatusPassed}}
	var asked []string
	idle, err := evidence.Idle(t.Context(), files, passing, 5, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		asked = append(asked, q.Files["a"])
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		if strings.Contains(q.Files["a"], "a is not") || strings.Contains(q.Files["a"], "c is not") {
			test.Status = gates.StatusFailed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
	if err != nil || len(idle) != 1 || idle[0].Line != 2 || idle[0].Was != "b is 2" || idle[0].Now != "b is not 2" {
		t.Errorf("%v, %v", idle, err)
	}
	if got := strings.Join(asked, ", "); got != "a is 1\nb is 2\nc is not 3\n, a is 1\nb is not 2\nc is 3\n" {
		t.Errorf("asked %q", got)
	}
}

// What stands deepest may never run: it is asked first, also if it is the first check.
func TestIdle_deepestFirst(t *testing.T) {
	t.Parallel()
	const content = "try\n    a is 1\nb is 2\nc is 3\n"
	var checks []syntax.Check
	for _, name := range []string{"a", "b", "c"} {
		at := strings.Index(content, name+" is")
		checks = append(checks, syntax.Check{
			Test: "it", At: syntax.Span{Start: at, End: at + 6},
			Negated: []syntax.Edit{{Span: syntax.Span{Start: at + 4, End: at + 4}, Text: " not"}},
		})
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"it"}, Checks: checks}}
	passing := []gates.Test{{ID: "it", File: "a", Status: gates.StatusPassed}}
	idle, err := evidence.Idle(t.Context(), files, passing, 1, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		if !strings.Contains(q.Files["a"], "a is not") {
			test.Status = gates.StatusFailed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
	if err != nil || len(idle) != 1 || idle[0].Line != 2 {
		t.Errorf("%v, %v", idle, err)
	}
}
