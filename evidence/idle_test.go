package evidence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// asked lets Idle ask in so many runs about three checks, a, b and c, of which one says nothing.
func asked(t *testing.T, content, silent string, runs int) (idle []gates.Mutant, asked string) {
	t.Helper()
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
	idle, err := evidence.Idle(t.Context(), files, passing, runs, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		asked += q.Files["a"]
		test := gates.Test{ID: "it", Status: gates.StatusFailed}
		if strings.Contains(q.Files["a"], silent+" is not") {
			test.Status = gates.StatusPassed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return idle, asked
}

// Of three checks, the middle one says nothing: it stands where nobody listens.
func TestIdle(t *testing.T) {
	t.Parallel()
	idle, all := asked(t, "a is 1\nb is 2\nc is 3\n", "b", 5)
	if len(idle) != 1 || idle[0].Line != 2 || idle[0].Was != "b is 2" || idle[0].Now != "b is not 2" {
		t.Errorf("%v", idle)
	}
	if all != "a is 1\nb is 2\nc is not 3\na is 1\nb is not 2\nc is 3\n" {
		t.Errorf("asked %q", all)
	}
}

// What stands deepest may never run: it is asked first, also if it is the first check.
func TestIdle_deepestFirst(t *testing.T) {
	t.Parallel()
	if idle, all := asked(t, "try\n    a is 1\nb is 2\nc is 3\n", "a", 1); len(idle) != 1 || idle[0].Line != 2 {
		t.Errorf("%v, asked %q", idle, all)
	}
}
