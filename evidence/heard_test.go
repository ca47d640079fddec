package evidence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// A test that stops at its second value hears of the first two only.
func TestListener(t *testing.T) {
	t.Parallel()
	const content = "it 1 2 -3"
	check := syntax.Check{Test: "it", Altered: []syntax.Edit{{}}, Values: []syntax.Span{{Start: 3, End: 4}, {Start: 5, End: 6}, {Start: 7, End: 9}}}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"it"}, Checks: []syntax.Check{check}}}
	passing := []gates.Test{{ID: "it", File: "a", Status: gates.StatusPassed}}
	var asked []string
	l := evidence.Listen(files, nil, passing, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		asked = append(asked, q.Files["a"])
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		if !strings.HasPrefix(q.Files["a"], "it 1 2") {
			test.Status = gates.StatusFailed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
	deaf, err := l.Last(t.Context(), l.IDs())
	if err != nil || !deaf["it"] {
		t.Errorf("last: %v, %v", deaf, err)
	}
	unheard, err := l.Unheard(t.Context(), l.IDs())
	if err != nil || unheard["it"] != 1 {
		t.Errorf("unheard: %v, %v", unheard, err)
	}
	if got := strings.Join(asked, ", "); got != "it 1 2 -413, it 411 2 -3, it 1 412 -3, it 1 2 -413" {
		t.Errorf("asked %s", got)
	}
	if where := l.Where("it"); where.Line != 1 || where.What != "another value is expected than -3" {
		t.Errorf("where: %v", where)
	}
}

// A helper may be told first what it expects.
func TestListener_helper(t *testing.T) {
	t.Parallel()
	const content = "it same(1, 7) same(2, 8)"
	call := func(from int) syntax.Check {
		last := syntax.Edit{Span: syntax.Span{Start: from + 8, End: from + 9}, Text: "99"}
		return syntax.Check{Test: "it", Call: true, At: syntax.Span{Start: from, End: from + 10}, Altered: []syntax.Edit{last}}
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"it"}, Checks: []syntax.Check{call(3), call(14)}}}
	passing := []gates.Test{{ID: "it", File: "a", Status: gates.StatusPassed}}
	l := evidence.Listen(files, nil, passing, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		if !strings.Contains(q.Files["a"], "same(1,") || !strings.Contains(q.Files["a"], "same(2,") {
			test.Status = gates.StatusFailed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
	if deaf, err := l.Last(t.Context(), l.IDs()); err != nil || deaf["it"] {
		t.Errorf("last: %v, %v", deaf, err)
	}
}
