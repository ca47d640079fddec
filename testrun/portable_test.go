package testrun_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func TestPathsOfThisMachineStayHere(t *testing.T) {
	t.Parallel()
	dir, scratch := filepath.Join(t.TempDir(), "tree"), t.TempDir()
	projecttest.Write(t, dir, "-- t.sh --\necho \"$PWD/src/lib.rs is wrong in $PWD\"; echo \"$TMPDIR\"; exit 1\n")
	result, err := testrun.Measure(t.Context(), testrun.Request{
		Dir: dir, Scratch: scratch, Language: testrun.Generic(), Environ: []string{"PATH=/usr/bin:/bin"},
		Commands: testrun.Commands{Test: []string{"sh", "t.sh"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Runs[0].Output; !strings.Contains(got, "src/lib.rs is wrong in .") || strings.Contains(got, scratch) {
		t.Errorf("output %q", got)
	}
	if got := result.Facts.Diagnostics[0].Message; strings.Contains(got, dir) || strings.Contains(got, scratch) {
		t.Errorf("message %q", got)
	}
}
