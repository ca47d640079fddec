package gitx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestDirty(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		setUp func(t *testing.T, l *lab)
		want  State
	}{
		"untouched":       {func(*testing.T, *lab) {}, Clean},
		"touched only":    {func(t *testing.T, l *lab) { t.Helper(); l.write(t, "d/f", "text\n") }, Clean},
		"modified":        {func(t *testing.T, l *lab) { t.Helper(); l.write(t, "d/f", "other\n") }, Modified},
		"same length":     {func(t *testing.T, l *lab) { t.Helper(); l.write(t, "d/f", "tExt\n") }, Modified},
		"staged":          {func(t *testing.T, l *lab) { t.Helper(); l.write(t, "d/f", "other\n"); l.git(t, "add", ".") }, Staged},
		"deleted":         {func(t *testing.T, l *lab) { t.Helper(); remove1(t, l.path("d/f")) }, Deleted},
		"folder deleted":  {func(t *testing.T, l *lab) { t.Helper(); remove1(t, l.path("d/f")); remove1(t, l.path("d")) }, Deleted},
		"deletion staged": {func(t *testing.T, l *lab) { t.Helper(); l.git(t, "rm", "--quiet", "d/f") }, Staged},
		"executable":      {func(t *testing.T, l *lab) { t.Helper(); chmod(t, l.path("d/f"), 0o755) }, Modified},
		"executable, where git does not look": {func(t *testing.T, l *lab) {
			t.Helper()
			l.git(t, "config", "core.fileMode", "false")
			chmod(t, l.path("d/f"), 0o755)
		}, Clean},
		"executable staged": {func(t *testing.T, l *lab) { t.Helper(); l.git(t, "update-index", "--chmod=+x", "d/f") }, Staged},
		"a symlink of the same text": {func(t *testing.T, l *lab) {
			t.Helper()
			remove1(t, l.path("d/f"))
			symlink(t, "text\n", l.path("d/f"))
		}, Modified},
		"a folder now": {func(t *testing.T, l *lab) { t.Helper(); remove1(t, l.path("d/f")); l.write(t, "d/f/x", "x") }, Modified},
		"behind a symlink": {func(t *testing.T, l *lab) {
			t.Helper()
			if err := os.Rename(l.path("d"), l.path("real")); err != nil {
				t.Fatal(err)
			}
			symlink(t, "real", l.path("d"))
		}, Behind},
		"the folder is a file": {func(t *testing.T, l *lab) {
			t.Helper()
			remove1(t, l.path("d/f"))
			remove1(t, l.path("d"))
			l.write(t, "d", "file")
		}, Deleted},
		"assumed unchanged": {func(t *testing.T, l *lab) {
			t.Helper()
			l.git(t, "update-index", "--assume-unchanged", "d/f")
			l.write(t, "d/f", "other\n")
		}, Modified},
		"skip-worktree": {func(t *testing.T, l *lab) { t.Helper(); l.git(t, "update-index", "--skip-worktree", "d/f") }, Sparse},
		"unmerged": {func(t *testing.T, l *lab) {
			t.Helper()
			l.git(t, "switch", "--quiet", "-c", "side")
			l.write(t, "d/f", "side\n")
			l.commit(t, "side")
			l.git(t, "switch", "--quiet", "main")
			l.write(t, "d/f", "main\n")
			l.commit(t, "main")
			if _, err := l.try("merge", "side"); err == nil {
				t.Fatal("the merge has no conflict")
			}
		}, Unmerged},
		"autocrlf": {func(t *testing.T, l *lab) {
			t.Helper()
			l.git(t, "config", "core.autocrlf", "true")
			remove1(t, l.path("d/f"))
			l.git(t, "checkout", "--", "d/f")
			if l.read(t, "d/f") != "text\r\n" {
				t.Fatal("git wrote no CRLF")
			}
		}, Clean},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := newLab(t)
			l.write(t, "d/f", "text\n")
			l.commit(t, "root")
			r := l.open(t)
			entries, err := r.Entries(ctx, l.rev(t, "HEAD^{tree}"))
			if err != nil {
				t.Fatal(err)
			}
			c.setUp(t, l)
			dirty, err := r.Dirty(ctx, entries)
			if err != nil || dirty["d/f"] != c.want || len(dirty) > 1 {
				t.Errorf("%v %v, want %q", dirty, err, c.want)
			}
		})
	}
}

func remove1(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// TestDirtyAgreesWithStatus: on random repositories Dirty names exactly the
// tracked paths that git status names.
func TestDirtyAgreesWithStatus(t *testing.T) {
	t.Parallel()
	rounds := 6
	if os.Getenv("TDD_LONG") == "1" {
		rounds = 200
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			l := newLab(t)
			for i := range 12 {
				l.write(t, fmt.Sprintf("d%d/f%d", i%3, i), fmt.Sprintf("text %d\n", i%4))
			}
			symlink(t, "d0/f0", l.path("link"))
			l.commit(t, "root")
			r := l.open(t)
			for range 4 {
				for range 3 {
					disturb(t, l, rnd)
				}
				entries, err := r.Entries(ctx, l.rev(t, "HEAD^{tree}"))
				if err != nil {
					t.Fatal(err)
				}
				dirty, err := r.Dirty(ctx, entries)
				if err != nil {
					t.Fatal(err)
				}
				named := l.dirtyByStatus(t)
				for _, e := range entries {
					if (dirty[e.Path] != Clean) != named[e.Path] {
						t.Errorf("%s: %q, git status: %v\n%s", e.Path, dirty[e.Path], named[e.Path], l.status(t))
					}
				}
			}
		})
	}
}

// dirtyByStatus lists the paths of HEAD that git status reports.
func (l *lab) dirtyByStatus(t *testing.T) map[string]bool {
	t.Helper()
	named := map[string]bool{}
	out := l.git(t, "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no")
	for rec := range strings.SplitSeq(out, "\x00") {
		if fields := strings.SplitN(rec, " ", 9); fields[0] == "1" {
			named[fields[8]] = true
		}
	}
	return named
}

// disturb does one thing that a user may do.
func disturb(t *testing.T, l *lab, rnd *rand.Rand) {
	t.Helper()
	i := rnd.IntN(12)
	name := fmt.Sprintf("d%d/f%d", i%3, i)
	switch fi, err := os.Lstat(l.path(name)); rnd.IntN(9) {
	case 0:
		l.write(t, name, fmt.Sprintf("text %d\n", rnd.IntN(4)))
	case 1:
		_, _ = l.try("add", "--", name)
	case 2:
		_ = os.Remove(l.path(name))
	case 3:
		if err == nil {
			chmod(t, l.path(name), fi.Mode().Perm()^0o111)
		}
	case 4:
		_, _ = l.try("rm", "--quiet", "--force", "--", name)
	case 5:
		if err == nil {
			remove1(t, l.path(name))
			symlink(t, "text 1\n", l.path(name))
		}
	case 6:
		_, _ = l.try("checkout", "HEAD", "--", name)
	case 7:
		remove1(t, l.path("link"))
		symlink(t, fmt.Sprintf("d0/f%d", rnd.IntN(2)), l.path("link"))
	case 8:
		_, _ = l.try("rm", "--quiet", "--cached", "--", name)
	}
}
