package evidence_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/syntax"
)

// A test that passes while a helper that it does not use is altered has not shown
// to be hollow: its own checks never ran altered.
func TestGrades_ofATestWhoseAlteredChecksNeverRan(t *testing.T) {
	t.Parallel()
	const content = "check\nhelper\n"
	replaced := func(line, text string) []syntax.Edit {
		at := strings.Index(content, line)
		return []syntax.Edit{{Span: syntax.Span{Start: at, End: at + len(line)}, Text: text}}
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"one"}, Checks: []syntax.Check{
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

// An assertion may stand in what is given to another one. Of two that are turned round, the
// outer one would want what the inner one does.
func TestGrades_ofAnAssertionInAnother(t *testing.T) {
	t.Parallel()
	const content = "all(same(x))"
	check := func(at syntax.Span) syntax.Check {
		return syntax.Check{Test: "one", At: at, Negated: syntax.Around(at, "not(", ")")}
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"one"}, Checks: []syntax.Check{
		check(syntax.Span{End: len(content)}), check(syntax.Span{Start: 4, End: 11}),
	}}}
	facts := func(s gates.Status) gates.Facts {
		return gates.Facts{Outcome: gates.Outcome(s), Tests: []gates.Test{{ID: "one", Status: s, File: "a"}}}
	}
	got, err := evidence.Grades(t.Context(), files, facts(gates.StatusPassed), func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		if strings.Count(q.Files["a"], "not(") == 2 {
			return facts(gates.StatusPassed), nil
		}
		return facts(gates.StatusFailed), nil
	})
	if err != nil || got["one"] != gates.GradeSense {
		t.Errorf("Grades: %v, %v; want %s", got, err, gates.GradeSense)
	}
}

// The title of a test may be put together when it runs: then its line tells which
// one it is.
func TestGrades_ofATestWithATitleMadeAtRunTime(t *testing.T) {
	t.Parallel()
	const content = "it doubles #{n}\nexpect 2\n"
	at := syntax.Span{Start: strings.Index(content, "2"), End: len(content) - 1}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"doubles #{n}"}, Checks: []syntax.Check{
		{Test: "doubles #{n}", Body: syntax.Span{End: len(content)}, Altered: []syntax.Edit{{Span: at, Text: "43"}}},
	}}}
	facts := func(s gates.Status) gates.Facts {
		return gates.Facts{Outcome: gates.Outcome(s), Tests: []gates.Test{{ID: "a::doubles 1", Status: s, File: "a", Line: 1}}}
	}
	got, err := evidence.Grades(t.Context(), files, facts(gates.StatusPassed), func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		if strings.Contains(q.Files["a"], "expect 43") {
			return facts(gates.StatusFailed), nil
		}
		return facts(gates.StatusPassed), nil
	})
	if err != nil || got["a::doubles 1"] != gates.GradeValue {
		t.Errorf("Grades: %v, %v; want %s", got, err, gates.GradeValue)
	}
}

// A test may be inherited from another file, and the runner may not say on which
// line it stands there.
func TestGrades_ofAnInheritedTestWithoutALine(t *testing.T) {
	t.Parallel()
	const content = "class Base: inherited expects 2"
	at := syntax.Span{Start: strings.Index(content, "2"), End: len(content)}
	base := evidence.File{Path: "t/Base.php", Content: content, Declared: []string{"inherited"}, Checks: []syntax.Check{
		{Test: "inherited", At: at, Body: syntax.Span{End: len(content)}, Altered: []syntax.Edit{{Span: at, Text: "43"}}},
	}}
	for own, want := range map[string]gates.Grade{"class One extends Base": gates.GradeValue, "class One": ""} {
		files := []evidence.File{base, {Path: "t/One.php", Content: own}}
		facts := func(s gates.Status) gates.Facts {
			return gates.Facts{Outcome: gates.Outcome(s), Tests: []gates.Test{{ID: "t/One.php::One::inherited", Status: s, File: "t/One.php"}}}
		}
		got, err := evidence.Grades(t.Context(), files, facts(gates.StatusPassed), func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			if strings.Contains(q.Files["t/Base.php"], "expects 43") {
				return facts(gates.StatusFailed), nil
			}
			return facts(gates.StatusPassed), nil
		})
		if err != nil || got["t/One.php::One::inherited"] != want {
			t.Errorf("%s: %v, %v; want %q", own, got, err, want)
		}
	}
}

// An altered test may keep those after it from running: they are asked again, by
// the same alteration, without it.
func TestGrades_ofATestThatNeverCameToItsTurn(t *testing.T) {
	t.Parallel()
	const content = "first expects 1\nsecond expects 2\n"
	check := func(name, value string) syntax.Check {
		at := strings.Index(content, value)
		span := syntax.Span{Start: at, End: at + 1}
		return syntax.Check{Test: name, Unit: name, Altered: []syntax.Edit{{Span: span, Text: "9"}}, Negated: []syntax.Edit{{Span: span, Text: "not"}}}
	}
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"first", "second"}, Checks: []syntax.Check{check("first", "1"), check("second", "2")}}}
	run := func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		first, second := gates.Test{ID: "first", Status: gates.StatusPassed, File: "a"}, gates.Test{ID: "second", Status: gates.StatusPassed, File: "a"}
		f := gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{first, second}}
		if strings.Contains(q.Files["a"], "second expects 9") || strings.Contains(q.Files["a"], "second expects not") {
			f.Outcome, f.Tests[1].Status = gates.Failed, gates.StatusFailed
		}
		if strings.Contains(q.Files["a"], "first expects 9") {
			first.Status = gates.StatusFailed
			f = gates.Facts{Outcome: gates.Failed, Tests: []gates.Test{first}}
		}
		return f, nil
	}
	plain, _ := run(t.Context(), evidence.Question{})
	got, err := evidence.Grades(t.Context(), files, plain, run)
	if err != nil || got["first"] != gates.GradeValue || got["second"] != gates.GradeValue {
		t.Errorf("Grades: %v, %v; want %s of both", got, err, gates.GradeValue)
	}
}

// A test that ends its whole process when it expects something else keeps others from
// their turn, in another order each time: they are worth what they are worth without it.
func TestGrades_besideATestThatEndsTheProcess(t *testing.T) {
	t.Parallel()
	const killer = "t10"
	var content string
	file := evidence.File{Path: "a"}
	plain := gates.Facts{Outcome: gates.Passed}
	for n := range 21 {
		name := fmt.Sprintf("t%02d", n)
		span := syntax.Span{Start: len(content), End: len(content) + 1}
		content += "1 " + name + "\n"
		file.Declared = append(file.Declared, name)
		file.Checks = append(file.Checks, syntax.Check{Test: name, Unit: name, Altered: []syntax.Edit{{Span: span, Text: "9"}}, Negated: []syntax.Edit{{Span: span, Text: "!"}}})
		plain.Tests = append(plain.Tests, gates.Test{ID: name, Status: gates.StatusPassed, File: "a"})
	}
	file.Content = content
	runs := 0
	got, err := evidence.Grades(t.Context(), []evidence.File{file}, plain, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		runs++
		f := gates.Facts{Outcome: gates.Failed}
		for _, test := range slices.DeleteFunc(slices.Clone(q.Tests), func(t gates.Test) bool { return t.ID == killer }) {
			test.Status = gates.StatusFailed
			if f.Tests = append(f.Tests, test); len(f.Tests) == len(q.Tests)/2 && len(q.Tests) > 1 {
				break
			}
		}
		return f, nil
	})
	gittest.Check(t, err)
	for _, test := range plain.Tests {
		if test.ID != killer && got[test.ID] != gates.GradeValue {
			t.Errorf("%s is worth %q, want %q (%d runs)", test.ID, got[test.ID], gates.GradeValue, runs)
		}
	}
}

// The rows of a table that notice nothing are asked once more together.
func TestGrades_ofRowsOnceMore(t *testing.T) {
	t.Parallel()
	const content = "check"
	files := []evidence.File{{Path: "a", Content: content, Declared: []string{"all"}, Checks: []syntax.Check{
		{Test: "all", Altered: []syntax.Edit{{Span: syntax.Span{End: 5}, Text: "other"}}},
	}}}
	passed := gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{
		{ID: "all/1", Status: gates.StatusPassed, File: "a"}, {ID: "all/2", Status: gates.StatusPassed, File: "a"},
	}}
	var asked []int
	got, err := evidence.Grades(t.Context(), files, passed, func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		asked = append(asked, len(q.Tests))
		return passed, nil
	})
	if err != nil || got["all/1"] != gates.GradeHollow || got["all/2"] != gates.GradeHollow {
		t.Errorf("Grades: %v, %v; want two that are hollow", got, err)
	}
	if want := []int{2, 2}; !slices.Equal(asked, want) {
		t.Errorf("asked %v tests, want %v", asked, want)
	}
}
