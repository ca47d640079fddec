package testrun

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPathsOfThisMachineStayHere(t *testing.T) {
	t.Parallel()
	dir, scratch := filepath.Join(t.TempDir(), "tree"), t.TempDir()
	write(t, dir, "-- t.sh --\necho \"$PWD/src/lib.rs is wrong in $PWD\"; echo \"$TMPDIR\"; exit 1\n")
	result, err := Measure(t.Context(), Request{
		Dir: dir, Scratch: scratch, Language: Generic(), Environ: []string{"PATH=/usr/bin:/bin"},
		Commands: Commands{Test: []string{"sh", "t.sh"}},
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
