package evidence_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// What stands in a list with an expected value is expected as well, and no input.
func TestAnswers_lists(t *testing.T) {
	t.Parallel()
	const text = "test('waits', () => {\n  equal(waits({ base: 7 }), [1, { a: 2 }, 3]);\n});\n"
	from, expected := strings.Index(text, "equal"), strings.Index(text, "1,")
	file := evidence.File{
		Path: "a.test.js", Content: text, Declared: []string{"waits"},
		Checks: []syntax.Check{{
			Test: "waits", At: syntax.Span{Start: from, End: strings.Index(text, ";")},
			Altered: []syntax.Edit{{Span: syntax.Span{Start: expected, End: expected + 1}, Text: "9"}},
		}},
	}
	passes := gates.Test{ID: "a.test.js::waits", Status: gates.StatusPassed, File: "a.test.js", Line: 1}
	var asked []string
	side := evidence.Side{Files: []evidence.File{file}, Plain: gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
		asked = append(asked, strings.Split(q.Files["a.test.js"], "\n")[1])
		return gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, nil
	}}
	if _, err := evidence.Answers(t.Context(), side, side, nil, 9); err != nil || len(asked) == 0 {
		t.Fatal(asked, err)
	}
	for _, line := range asked {
		if !strings.HasSuffix(line, "[1, { a: 2 }, 3]);") || strings.Contains(line, "base: 7 ") {
			t.Errorf("asked %s", line)
		}
	}
	asked, side.Until = nil, time.Now().Add(-time.Second)
	if _, err := evidence.Answers(t.Context(), side, side, nil, 9); err != nil || len(asked) != 2 {
		t.Errorf("when it is late, both sides are asked once, and then no more: %q, %v", asked, err)
	}
}

// An input may be given what another one of the same test is given.
func TestAnswers_others(t *testing.T) {
	t.Parallel()
	const text = "def test_line():\n    assert line(1, 2, \"a\", \"b\") == 5\n"
	expected := strings.Index(text, "5")
	file := evidence.File{
		Path: "test_line.py", Content: text, Declared: []string{"test_line"},
		Checks: []syntax.Check{{Test: "test_line", At: syntax.Span{Start: strings.Index(text, "assert"), End: len(text) - 1}, Altered: []syntax.Edit{{Span: syntax.Span{Start: expected, End: expected + 1}, Text: "6"}}}},
	}
	passes := gates.Test{ID: "test_line", Status: gates.StatusPassed, File: "test_line.py", Line: 1}
	side := func(other bool) evidence.Side {
		return evidence.Side{Files: []evidence.File{file}, Plain: gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			now := passes
			if other && strings.Contains(q.Files["test_line.py"], `line(2, 1, "b", "a")`) {
				now.Status, now.Class, now.Message = gates.StatusFailed, gates.ClassAssertion, "4 != 5"
			}
			return gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{now}}, nil
		}}
	}
	got, err := evidence.Answers(t.Context(), side(false), side(true), nil, 9)
	if err != nil || len(got) != 1 || got[0].At.What != "1 made 2" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Two trees are asked the same, and what differs is told with the input that showed it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const text = "def test_fee():\n    assert fee(10, \"ab\") == 5  # 7\n"
	expected := strings.Index(text, "5")
	file := evidence.File{
		Path: "test_fee.py", Content: text, Declared: []string{"test_fee"},
		Checks: []syntax.Check{{Test: "test_fee", Altered: []syntax.Edit{{Span: syntax.Span{Start: expected, End: expected + 1}, Text: "6"}}}},
	}
	plain := gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{{ID: "test_fee", Status: gates.StatusPassed, File: "test_fee.py", Line: 1}}}
	var asked []string
	runs := 0
	says := func(message func(text string, run int) gates.Test) evidence.Side {
		return evidence.Side{Files: []evidence.File{file}, Plain: plain, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			runs++
			asked = append(asked, strings.Split(q.Files["test_fee.py"], "\n")[1])
			test := message(q.Files["test_fee.py"], runs)
			test.ID, test.File, test.Line = "test_fee", "test_fee.py", 1
			return gates.Facts{Outcome: gates.Failed, Tests: []gates.Test{test}}, nil
		}}
	}
	fails := func(message string) gates.Test {
		return gates.Test{Status: gates.StatusFailed, Class: gates.ClassAssertion, Message: message}
	}
	always := func(test gates.Test) func(string, int) gates.Test {
		return func(string, int) gates.Test { return test }
	}
	at18 := func(text string, _ int) gates.Test {
		if strings.Contains(text, "fee(18,") {
			return fails("9 != 5")
		}
		return gates.Test{Status: gates.StatusPassed}
	}
	for _, tc := range []struct {
		name     string
		was, now func(string, int) gates.Test
		told     string // the input that showed it; empty for no difference
	}{
		{"the same", at18, at18, ""},
		{"at a value of the changed lines", always(gates.Test{Status: gates.StatusPassed}), at18, `assert fee(18, "ABC") == 5  # 7`},
		{"at the next one", always(fails("8 != 5")), always(fails("9 != 5")), `assert fee(18, "ABC") == 5  # 7`},
		{"it raises now", always(fails("8 != 5")), always(gates.Test{Status: gates.StatusFailed, Class: gates.ClassException}), `assert fee(18, "ABC") == 5  # 7`},
		{"it raised before", always(gates.Test{Status: gates.StatusFailed, Class: gates.ClassException}), always(fails("9 != 5")), ""},
		{"another address", always(fails("<f at 0x7f11>")), always(fails("<f at 0x7f22>")), ""},
		{"other fields", always(fails("#<Grid:0x7f11 @cells={1=>true}> is empty")), always(fails("#<Grid:0x7f22 @rows=[1]> is empty")), ""},
		{"another line", always(fails("calc.py:12: 1 != 2")), always(fails("calc.py:15: 1 != 2")), ""},
		{"another order", always(fails("got {'a': 1, 'b': 2}")), always(fails("got {'b': 2, 'a': 1}")), ""},
		{"the other way round", always(fails("expected 9 to be 5")), always(fails("expected 5 to be 9")), `assert fee(18, "ABC") == 5  # 7`},
		{"never twice the same", func(_ string, run int) gates.Test { return fails(strings.Repeat("x", run)) }, always(fails("y")), ""},
	} {
		asked, runs = nil, 0
		got, err := evidence.Answers(t.Context(), says(tc.was), says(tc.now), []string{"18", `"ABC`}, 9)
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		if len(got) > 0 {
			told = strings.TrimSpace(got[0].At.Now)
		}
		if told != tc.told {
			t.Errorf("%s: told %q, want %q; asked:\n%s", tc.name, told, tc.told, strings.Join(asked, "\n"))
		}
		if tc.name == "the same" {
			want := []string{`fee(18, "ABC")`, `fee((-10), " AB ")`, `fee(10, "")`, `fee(11, "abb")`}
			for i, w := range want {
				if len(asked) != 2*len(want) || !strings.Contains(asked[2*i], w) || asked[2*i] != asked[2*i+1] {
					t.Fatalf("asked:\n%s\nwant %s", strings.Join(asked, "\n"), w)
				}
			}
		}
	}
}

// What is asked once is asked twice: sources that alter what they are given, or remember it,
// answer otherwise then.
func TestAnswers_twice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"go":         {"\tgot := Shift(cues, d)", "\tShift(cues, d)\n\tgot := Shift(cues, d)"},
		"with error": {"\tgot, err := x.Shift(cues, f(d))", "\tx.Shift(cues, f(d))\n\tgot, err := x.Shift(cues, f(d))"},
		"python":     {"    got = shift(cues, by=d)", "    shift(cues, by=d)\n    got = shift(cues, by=d)"},
		"javascript": {"  const got = await shift(cues, d);", "  await shift(cues, d);\n  const got = await shift(cues, d);"},
		"java":       {"    List<Cue> got = Retime.shift(cues, d);", "    Retime.shift(cues, d);\n    List<Cue> got = Retime.shift(cues, d);"},
		"rust":       {"    let got: Vec<Cue> = shift(&cues, d);", "    shift(&cues, d);\n    let got: Vec<Cue> = shift(&cues, d);"},
		"php":        {"    $got = shift($cues, $d);", "    shift($cues, $d);\n    $got = shift($cues, $d);"},
		"built in":   {"\tn := len(cues)", ""},
		"a sum":      {"\tn := f(a) + f(b)", ""},
		"a check":    {"    assert f(a, b=1) == g(a)", ""},
		"a loop":     {"  for (let i = f(0); i < 3; i++) {", ""},
	} {
		text := "begin\n" + c.line + "\nend\n"
		passes := gates.Test{ID: "test_a", Status: gates.StatusPassed, File: "a", Line: 1}
		file := evidence.File{
			Path: "a", Content: text, Declared: []string{"test_a"},
			Checks: []syntax.Check{{Test: "test_a", At: syntax.Span{Start: len(text) - 4, End: len(text) - 1}, Body: syntax.Span{End: len(text)}}},
		}
		side := func(remembers bool) evidence.Side {
			return evidence.Side{Files: []evidence.File{file}, Plain: gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
				now := passes
				if remembers && q.Files["a"] == "begin\n"+c.want+"\nend\n" {
					now.Status, now.Class, now.Message = gates.StatusFailed, gates.ClassAssertion, "2 != 1"
				}
				return gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{now}}, nil
			}}
		}
		got, err := evidence.Answers(t.Context(), side(false), side(true), nil, 9)
		if found := len(got) == 1 && got[0].How == "asked the same before in this test" && got[0].At.Was == "(nothing)"; err != nil || found != (c.want != "") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
