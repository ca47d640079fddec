package facts

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

// A file passes through a small part of the memory, when it is written and when it is
// looked at again.
func TestExport_largeFile(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	const size = 256 << 20
	source := filepath.Join(l.Home, "large")
	gittest.Check(t, os.WriteFile(source, nil, 0o600))
	gittest.Check(t, os.Truncate(source, size))
	blob := gitx.ID(l.Git("hash-object", "-w", "--no-filters", source))
	tree, err := l.repo.WriteTree(t.Context(), "", []gitx.TreeEdit{{Path: "large", Blob: blob}, {Path: "small", Content: []byte("1")}})
	gittest.Check(t, err)
	for range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		export(t, b, l, tree)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%d MB were allocated", used>>20)
		}
		if fi, err := os.Stat(filepath.Join(b.Root, "large")); err != nil || fi.Size() != size {
			t.Error(fi, err)
		}
	}
}
