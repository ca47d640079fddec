package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// judged reads journals, one a text, as those of a run that ended with this
// exit code.
func judged(tb testing.TB, exit int, texts ...string) testrun.Verdict {
	tb.Helper()
	dir := tb.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	j, _, err := Read(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return showing(j, dir, exit)
}

// showing is what a journal of a run that ended with this exit code shows.
func showing(j *Journal, dir string, exit int) testrun.Verdict {
	return Run{
		Journal: j, Places: &testrun.Places{Dir: dir, Language: testrun.Generic()}, End: testrun.Ended{Run: testrun.Run{Exit: exit, Argv: []string{"x"}}},
		Explain: func(e Event) Finding {
			if slices.Contains(e.Kinds, "AssertionError") {
				return Finding{Class: gates.ClassAssertion}
			}
			return Finding{Class: gates.ClassException}
		},
	}.Verdict()
}

const (
	jBegin = `{"event":"begin"}` + "\n"
	jPlan  = `{"event":"plan","id":"a"}` + "\n"
	jStart = `{"event":"start","id":"a"}` + "\n"
	jPass  = `{"event":"verdict","id":"a","status":"passed"}` + "\n"
	jFail  = `{"event":"verdict","id":"a","status":"failed","kinds":["AssertionError"]}` + "\n"
	jEnd   = `{"event":"end","exit":0}` + "\n"
)

// A process that gathers what others say has their words alone, and may be the
// first that is read.
func TestJournalKeepsTheFailureOfWhichMoreIsKnown(t *testing.T) {
	t.Parallel()
	text := `{"event":"verdict","id":"a","status":"failed","text":"[gw0] linux\nE AttributeError"}` + "\n"
	for _, texts := range [][]string{
		{jBegin + jStart + text + jEnd, jBegin + jPlan + jStart + jFail + jEnd},
		{jBegin + jPlan + jStart + jFail + jEnd, jBegin + jStart + text + jEnd},
	} {
		r := judged(t, 1, texts...)
		if len(r.Tests) != 1 || r.Tests[0].Class != gates.ClassAssertion {
			t.Errorf("got %+v", r.Tests)
		}
	}
}

func TestJournalNeedsProof(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		exit    int
		texts   []string
		outcome gates.Outcome
	}{
		{"whole", 0, []string{jBegin + jPlan + jStart + jPass + jEnd}, gates.Passed},
		{"two processes that share the plan", 0, []string{jBegin + jPlan + jEnd, jBegin + jPlan + jStart + jPass + jEnd}, gates.Passed},
		{"no end", 0, []string{jBegin + jPlan + jStart + jPass}, gates.Crashed},
		{"no beginning", 0, []string{jPlan + jStart + jPass + jEnd}, gates.Crashed},
		{"one of two processes died", 0, []string{jBegin, jBegin + jPlan + jStart + jPass + jEnd}, gates.Crashed},
		{"no start", 0, []string{jBegin + jPlan + jPass + jEnd}, gates.Crashed},
		{"no verdict", 0, []string{jBegin + jPlan + jStart + jEnd}, gates.Crashed},
		{"a failure first", 0, []string{jBegin + jPlan + jStart + jFail + jPass + jEnd}, gates.Failed},
		{"a failure last", 0, []string{jBegin + jPlan + jStart + jPass + jFail + jEnd}, gates.Failed},
		{"an exit code that disagrees", 1, []string{jBegin + jPlan + jStart + jPass + jEnd}, gates.Crashed},
		{"more after the end", 0, []string{jBegin + jPlan + jStart + jPass + jEnd + jPass}, gates.Crashed},
		{"no line of ours", 0, []string{jBegin + jPlan + "hello\n" + jStart + jPass + jEnd}, gates.Crashed},
		{"a status that is none", 0, []string{jBegin + jPlan + jStart + strings.Replace(jPass, "passed", "fine", 1) + jEnd}, gates.Crashed},
		{"nothing ran", 0, []string{jBegin + jEnd}, gates.Empty},
	} {
		if got := judged(t, c.exit, c.texts...); got.Outcome != c.outcome {
			t.Errorf("%s: %s, want %s: %v", c.name, got.Outcome, c.outcome, got.Diagnostics)
		}
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(jBegin+jPlan+jStart+jFail+jEnd), 1)
	f.Add([]byte(jBegin+`{"event":"broken","kinds":["ImportError"],"message":"No module named x","name":"x"}`), 2)
	f.Fuzz(func(t *testing.T, text []byte, exit int) {
		j := New()
		if err := j.add(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if got := showing(j, "/nowhere", exit); got.Outcome == gates.Passed && (exit != 0 || j.has("failed") || j.Open > 0) {
			t.Fatal("passed without proof")
		}
	})
}
