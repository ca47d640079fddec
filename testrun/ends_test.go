package testrun_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// shell is a request to run a script, which is judged by its exit code.
func shell(t *testing.T, script string) testrun.Request {
	t.Helper()
	gittest.Need(t, "sh")
	req := projecttest.Project(t, testrun.Generic(), "-- keep --\n")
	req.Commands.Test = []string{"sh", "-c", script}
	return req
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct {
		outcome gates.Outcome
		class   gates.Class
		exit    int
	}{
		"exit 0":          {gates.Passed, gates.ClassNone, 0},
		"exit 3":          {gates.Failed, gates.ClassException, 3},
		"exit 127":        {gates.Crashed, gates.ClassRunnerMissing, 127},
		"kill -9 $$":      {gates.Crashed, gates.ClassCrash, 137},
		"kill -TERM $$":   {gates.Crashed, gates.ClassCrash, 143},
		"kill -TERM 1; :": {gates.Passed, gates.ClassNone, 0},
		"read x || true":  {gates.Passed, gates.ClassNone, 0}, // standard input is closed
		"test ! -t 0":     {gates.Passed, gates.ClassNone, 0},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(script, " 1;") && sandbox.Tier(t.Context()) != "namespace" {
				t.Skip("process 1 is not ours")
			}
			got := projecttest.Measure(t, shell(t, script))
			if got.Facts.Outcome != want.outcome || got.Facts.Class() != want.class || got.Runs[0].Exit != want.exit {
				t.Errorf("%+v", got)
			}
			if got.Facts.Detail != gates.DetailExitCode {
				t.Errorf("detail %s", got.Facts.Detail)
			}
		})
	}
}

// A command may name every test of a suite: what is said of it is one readable line.
func TestLongCommand(t *testing.T) {
	t.Parallel()
	req := shell(t, "exit 3")
	for i := range 200 {
		req.Commands.Test = append(req.Commands.Test, fmt.Sprintf("tests/test_calc.py::test_%d", i))
	}
	got := projecttest.Measure(t, req)
	if m := got.Facts.Diagnostics[0].Message; len(m) > 250 || !strings.Contains(m, "exit code 3") {
		t.Errorf("%d bytes: %s", len(m), m)
	}
}

func TestMissingProgram(t *testing.T) {
	t.Parallel()
	req := shell(t, "")
	req.Commands.Test = []string{"no-such-program"}
	got := projecttest.Measure(t, req)
	if got.Facts.Outcome != gates.Crashed || got.Facts.Class() != gates.ClassRunnerMissing {
		t.Errorf("%+v", got.Facts)
	}
	projecttest.Write(t, req.Dir, "-- odd --\nnot a program\n")
	if err := os.Chmod(filepath.Join(req.Dir, "odd"), 0o700); err != nil {
		t.Fatal(err)
	}
	req.Commands.Test = []string{"./odd"}
	got = projecttest.Measure(t, req)
	if got.Facts.Outcome != gates.Crashed || got.Facts.Class() != gates.ClassRunnerMissing {
		t.Errorf("%+v", got.Facts)
	}
}

// What runs what was built before has a limit of its own, where it is known how long that takes.
func TestTimeout_alone(t *testing.T) {
	t.Parallel()
	lang := testrun.Generic()
	lang.Test = func(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
		if _, err := s.Run(ctx, testrun.Job{Name: "test", Argv: []string{"sh", "-c", "sleep 1"}}); err != nil { // it builds
			return testrun.Verdict{}, err
		}
		end, err := s.Run(ctx, testrun.Job{Name: "test", Argv: argv, Discard: true})
		return end.Verdict(), err
	}
	for script, want := range map[string]gates.Outcome{"sleep 0.1": gates.Passed, "sleep 60": gates.Timeout} {
		req := shell(t, script)
		req.Language, req.Alone = lang, 900*time.Millisecond
		got := projecttest.Measure(t, req).Facts
		if got.Outcome != want || got.AloneMS < 100 || got.TestMS < got.AloneMS+1000 {
			t.Errorf("%s: %s, %d of %d ms", script, got.Outcome, got.AloneMS, got.TestMS)
		}
	}
}

func TestTimeoutIsAFact(t *testing.T) {
	t.Parallel()
	req := shell(t, "trap '' TERM; echo going; while :; do sleep 1; done")
	req.Commands.Timeout = 1500 * time.Millisecond
	got := projecttest.Measure(t, req)
	if got.Facts.Outcome != gates.Timeout || got.Facts.Class() != gates.ClassTimeout || !got.Runs[0].TimedOut {
		t.Errorf("%+v", got)
	}
	if got.Runs[0].Output != "going\n" {
		t.Errorf("output %q", got.Runs[0].Output)
	}
}
