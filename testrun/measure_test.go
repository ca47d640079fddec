package testrun_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func TestCancelIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	req := shell(t, "sleep 1000")
	req.Phase = func(string, []string) { cancel() }
	if _, err := testrun.Measure(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRelativePathsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := testrun.Measure(t.Context(), testrun.Request{Dir: "work", Scratch: "scratch"}); err == nil || !strings.Contains(err.Error(), "must be absolute") {
		t.Errorf("error %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	req := shell(t, "env")
	environ := slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "CI=") || strings.HasPrefix(pair, "NO_COLOR=") })
	req.Environ = append(environ,
		"GIT_DIR=/nowhere", "MY_API_KEY=canary", "AWS_SECRET=canary", "MAKEFLAGS=canary", "CARGO_TARGET_DIR=canary",
		"LC_TIME=C", "LC_ALL=de_DE.UTF-8", "TERM=screen", "TZ=UTC", "HTTPS_PROXY=http://user:pass@proxy")
	req.Env = []string{"DECLARED=yes", "GIT_INDEX_FILE=canary", "SOME_TOKEN=canary", "DB_PASSWORD=canary"}
	got := projecttest.Measure(t, req).Runs[0].Output
	for _, line := range []string{"DECLARED=yes\n", "LC_ALL=de_DE.UTF-8\n", "LC_TIME=C\n", "TERM=screen\n", "TZ=UTC\n", "HTTPS_PROXY=http://user:pass@proxy\n", "TMPDIR=$SCRATCH"} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	for _, word := range []string{"canary", "GIT_", "\nCI=", "\nNO_COLOR="} {
		if strings.Contains(got, word) {
			t.Errorf("%q in\n%s", word, got)
		}
	}
}

func TestFilesBelongToTheUser(t *testing.T) {
	t.Parallel()
	req := shell(t, "echo mine >made && echo temporary >$TMPDIR/x && id -u")
	got := projecttest.Measure(t, req)
	info, err := os.Stat(filepath.Join(req.Dir, "made"))
	if err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	own, err := os.Stat(req.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if owner(info) != owner(own) {
		t.Errorf("owner %v, want %v", owner(info), owner(own))
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "head", "tr")
	size := int64(20 << 20)
	if os.Getenv("TESTRUN_BIG") != "" {
		size = 5 << 30
	}
	req := shell(t, "echo first; head -c "+strconv.FormatInt(size, 10)+" /dev/zero | tr '\\0' x; echo; echo last >&2")
	got := projecttest.Measure(t, req)
	run := got.Runs[0]
	if len(run.Output) > 16<<10 || !run.Truncated || !strings.HasPrefix(run.Output, "first\nxxx") || !strings.HasSuffix(run.Output, "x\nlast\n") {
		t.Errorf("%d bytes: %q … %q", len(run.Output), run.Output[:20], run.Output[len(run.Output)-20:])
	}
}

func TestFormatAndVersions(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "gofmt", "go")
	const module = "-- go.mod --\nmodule example.com/calc\n\ngo 1.22\n"
	req := projecttest.Project(t, testrun.Language{
		Name: "go", Tools: [][]string{{"go", "version"}}, VersionFiles: []string{"go.mod"},
		Defaults: testrun.Commands{Fmt: []string{"gofmt", "-l", "-w", "."}},
	}, module+"-- a.go --\npackage   calc\n")
	run, err := testrun.Format(t.Context(), req)
	if err != nil || run.Exit != 0 || run.Name != "fmt" {
		t.Errorf("%+v %v", run, err)
	}
	if raw, _ := os.ReadFile(filepath.Join(req.Dir, "a.go")); string(raw) != "package calc\n" {
		t.Errorf("%q", raw)
	}
	first, err := testrun.Versions(t.Context(), req)
	if err != nil || !strings.Contains(first.Text, "go version go1.") || first.Failed != nil {
		t.Errorf("%+v %v", first, err)
	}
	projecttest.Write(t, req.Dir, strings.Replace(module, "1.22", "1.21", 1))
	if second, _ := testrun.Versions(t.Context(), req); second.Text == first.Text {
		t.Error("go.mod changed, the identity did not")
	}
	req.Commands.Fmt = nil
	if run, err := testrun.Format(t.Context(), req); err != nil || run.Name != "" {
		t.Errorf("%+v %v", run, err)
	}
	req.Language, req.Commands.Test = testrun.Generic(), []string{"go"}
	req.Language.Tools = [][]string{{"go", "version"}, {"go", "no-such-command"}, {"no-such-tool", "-v"}}
	id, err := testrun.Versions(t.Context(), req)
	if err != nil || len(id.Failed) != 2 || !strings.HasPrefix(id.Failed[0], "go no-such-command: exit 2: ") ||
		!strings.HasPrefix(id.Failed[1], "no-such-tool -v: exit 127: ") {
		t.Errorf("%+v %v", id, err)
	}
}

func TestScratchIsCleared(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir()
	for _, harm := range []string{
		"mkdir $TMPDIR/closed && touch $TMPDIR/closed/file && chmod 500 $TMPDIR/closed",
		"touch $TMPDIR/file && chmod 0 $TMPDIR",
		"rmdir $TMPDIR && touch $TMPDIR",
		"touch " + elsewhere + "/file && rmdir $TMPDIR && ln -s " + elsewhere + " $TMPDIR",
		"mkdir -p $TMPDIR/../reports/journal/journal && touch $TMPDIR/../reports/journal/journal/file",
		"cd $TMPDIR/../reports && rmdir journal && touch journal",
	} {
		req := shell(t, "test -d $TMPDIR && test -z \"$(ls $TMPDIR $TMPDIR/../reports/journal | grep -v :)\" && "+harm)
		for range 2 {
			if got := projecttest.Measure(t, req); got.Facts.Outcome != gates.Passed {
				t.Errorf("%s: %+v", harm, got)
			}
		}
		if err := testrun.Clear(req.Scratch); err != nil {
			t.Error(err)
		}
		left, err := filepath.Glob(filepath.Join(req.Scratch, "*", "*"))
		left = slices.DeleteFunc(left, func(name string) bool { return name == filepath.Join(req.Scratch, "reports", "journal") })
		if err != nil || len(left) > 0 {
			t.Errorf("%s left: %v %v", harm, left, err)
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "file")); err != nil {
		t.Error(err)
	}
}
