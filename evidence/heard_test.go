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
	deaf, err := l.Deaf(t.Context(), l.IDs(), 0)
	if err != nil || !deaf["it"] {
		t.Errorf("last: %v, %v", deaf, err)
	}
	if lost, _, err := evidence.Lost(t.Context(), l, l, map[string]string{"it": "it"}); err != nil || len(lost) > 0 {
		t.Errorf("lost between the same tests: %v, %v", lost, err)
	}
	if got := strings.Join(asked[:4], ", "); got != "it 1 2 -413, it 1 2 -413, it 411 2 -3, it 1 412 -3" {
		t.Errorf("asked %s", got)
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
	if deaf, err := l.Deaf(t.Context(), l.IDs(), 0); err != nil || deaf["it"] {
		t.Errorf("last: %v, %v", deaf, err)
	}
}

// A value that is heard of at fewer places than before, and stands at more that are not
// heard of, is lost. Where it stands, and as what besides, does not matter.
func TestLost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ was, now, lost string }{
		{"=1 =2 =3", "=3 =1 =2", ""},
		{"=1 =2 =3", "=1 -2 =3", "2"},
		{"=1 =2 =3", "=1 =3", ""},
		{"=1 =2 =3", "-2 =1 =2 -3 =3", ""},
		{"=1 =1 =3", "=1 -1 =3", "1"},
		{"=1 -2 =3", "=1 -2 =3", ""},
		{"=7 =7 =7 =7 =7 =7 =7 =7 =7 =7", "=7 -7 -7 -7 -7 -7 -7 -7 -7 -7", "7"},
		{"=7 =7 =7 =7 =7 =7 =7 =7 =7 =7", "-7 =7 -7 =7 -7 =7 -7 =7 -7 =7 -7 =7 -7 =7 -7 =7 -7 =7 -7 =7", ""},
		{"=1 =2 =7 =3 =4 =5 =6 =8 -7 =9", "=1 =2 =7 =3 =4 =5 =6 =8 -7 =9 =1 =2 =3", ""}, // others are asked
		{"=7 =2 =7 =3 =4 =5 =6 =8 -7 =9", "-7 =2 -7 =3 =4 =5 =6 =8 -7 =9 =1 =2 =3", "7"},
	} {
		lost, _, err := evidence.Lost(t.Context(), listener(test.was), listener(test.now), map[string]string{"it": "it"})
		var got []string
		for _, m := range lost {
			got = append(got, strings.TrimPrefix(m.What, "another value is expected than "))
		}
		if err != nil || strings.Join(got, " ") != test.lost {
			t.Errorf("%s, then %s: lost %v, %v; want %q", test.was, test.now, got, err, test.lost)
		}
	}
}

// listener listens to one test that notices another value behind =, and none behind -.
func listener(content string) evidence.Listener {
	return listenerTo(content, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		if strings.Contains(q.Files["a"], "=41") {
			test.Status = gates.StatusFailed
		}
		return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
	})
}

// listenerTo listens to one test, whose values stand behind = or -, as it is run.
func listenerTo(content string, run evidence.Run) evidence.Listener {
	check := syntax.Check{Test: "it", Altered: []syntax.Edit{{}}}
	for i := 0; i < len(content); i += 3 {
		check.Values = append(check.Values, syntax.Span{Start: i + 1, End: i + 2})
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"it"}, Checks: []syntax.Check{check}}}
	passing := []gates.Test{{ID: "it", File: "a", Status: gates.StatusPassed}}
	return evidence.Listen(files, nil, passing, run)
}

// A test that does not end where it expects another value keeps the others from being asked,
// and what they would have said is assumed.
func TestLost_endless(t *testing.T) {
	t.Parallel()
	runs := 0
	hanging := listenerTo("=1 =2 -3", func(context.Context, evidence.Question) (gates.Facts, error) {
		runs++
		return gates.Facts{Outcome: gates.Timeout}, nil
	})
	lost, assumed, err := evidence.Lost(t.Context(), listener("=1 =2 =3"), hanging, map[string]string{"it": "it"})
	if err != nil || len(lost) > 0 || assumed != gates.Unasked || runs != 1 {
		t.Errorf("lost %v, assumed %q after %d runs, %v", lost, assumed, runs, err)
	}
}
