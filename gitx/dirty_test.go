package gitx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestDirty(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		setUp func(l *lab)
		want  State
	}{
		"untouched":       {func(*lab) {}, Clean},
		"touched only":    {func(l *lab) { l.Write("d/f", "text\n") }, Clean},
		"modified":        {func(l *lab) { l.Write("d/f", "other\n") }, Modified},
		"same length":     {func(l *lab) { l.Write("d/f", "tExt\n") }, Modified},
		"staged":          {func(l *lab) { l.Write("d/f", "other\n"); l.Git("add", ".") }, Staged},
		"deleted":         {func(l *lab) { l.remove("d/f") }, Deleted},
		"folder deleted":  {func(l *lab) { l.remove("d/f"); l.remove("d") }, Deleted},
		"deletion staged": {func(l *lab) { l.Git("rm", "--quiet", "d/f") }, Staged},
		"executable":      {func(l *lab) { l.chmod("d/f", 0o755) }, Modified},
		"executable, where git does not look": {func(l *lab) {
			l.Git("config", "core.fileMode", "false")
			l.chmod("d/f", 0o755)
		}, Clean},
		"executable staged": {func(l *lab) { l.Git("update-index", "--chmod=+x", "d/f") }, Staged},
		"a symlink of the same text": {func(l *lab) {
			l.remove("d/f")
			l.symlink("text\n", "d/f")
		}, Modified},
		"a folder now": {func(l *lab) { l.remove("d/f"); l.Write("d/f/x", "x") }, Modified},
		"behind a symlink": {func(l *lab) {
			gittest.Check(l, os.Rename(l.Path("d"), l.Path("real")))
			l.symlink("real", "d")
		}, Behind},
		"the folder is a file": {func(l *lab) {
			l.remove("d/f")
			l.remove("d")
			l.Write("d", "file")
		}, Deleted},
		"assumed unchanged": {func(l *lab) {
			l.Git("update-index", "--assume-unchanged", "d/f")
			l.Write("d/f", "other\n")
		}, Modified},
		"skip-worktree": {func(l *lab) { l.Git("update-index", "--skip-worktree", "d/f") }, Sparse},
		"unmerged": {func(l *lab) {
			l.Git("switch", "--quiet", "-c", "side")
			l.Write("d/f", "side\n")
			l.commit("side")
			l.Git("switch", "--quiet", "main")
			l.Write("d/f", "main\n")
			l.commit("main")
			if _, err := l.Try("merge", "side"); err == nil {
				l.Fatal("the merge has no conflict")
			}
		}, Unmerged},
		"autocrlf": {func(l *lab) {
			l.Git("config", "core.autocrlf", "true")
			l.remove("d/f")
			l.Git("checkout", "--", "d/f")
			if l.Read("d/f") != "text\r\n" {
				l.Fatal("git wrote no CRLF")
			}
		}, Clean},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := newLab(t)
			l.Write("d/f", "text\n")
			l.commit("root")
			r := l.open()
			entries, err := r.Entries(ctx, l.rev("HEAD^{tree}"))
			gittest.Check(t, err)
			c.setUp(l)
			dirty, err := r.Dirty(ctx, entries)
			if err != nil || dirty["d/f"] != c.want || len(dirty) > 1 {
				t.Errorf("%v %v, want %q", dirty, err, c.want)
			}
		})
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
				l.Write(fmt.Sprintf("d%d/f%d", i%3, i), fmt.Sprintf("text %d\n", i%4))
			}
			l.symlink("d0/f0", "link")
			l.commit("root")
			r := l.open()
			for range 4 {
				for range 3 {
					l.disturb(rnd)
				}
				entries, err := r.Entries(ctx, l.rev("HEAD^{tree}"))
				gittest.Check(t, err)
				dirty, err := r.Dirty(ctx, entries)
				gittest.Check(t, err)
				named := l.dirtyByStatus()
				for _, e := range entries {
					if (dirty[e.Path] != Clean) != named[e.Path] {
						t.Errorf("%s: %q, git status: %v\n%s", e.Path, dirty[e.Path], named[e.Path], l.status())
					}
				}
			}
		})
	}
}

// dirtyByStatus lists the paths of HEAD that git status reports.
func (l *lab) dirtyByStatus() map[string]bool {
	l.Helper()
	named := map[string]bool{}
	out := l.Git("status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no")
	for rec := range strings.SplitSeq(out, "\x00") {
		if fields := strings.SplitN(rec, " ", 9); fields[0] == "1" {
			named[fields[8]] = true
		}
	}
	return named
}

// disturb does one thing that a user may do.
func (l *lab) disturb(rnd *rand.Rand) {
	l.Helper()
	i := rnd.IntN(12)
	name := fmt.Sprintf("d%d/f%d", i%3, i)
	switch fi, err := os.Lstat(l.Path(name)); rnd.IntN(9) {
	case 0:
		l.Write(name, fmt.Sprintf("text %d\n", rnd.IntN(4)))
	case 1:
		_, _ = l.Try("add", "--", name)
	case 2:
		_ = os.Remove(l.Path(name))
	case 3:
		if err == nil {
			l.chmod(name, fi.Mode().Perm()^0o111)
		}
	case 4:
		_, _ = l.Try("rm", "--quiet", "--force", "--", name)
	case 5:
		if err == nil {
			l.remove(name)
			l.symlink("text 1\n", name)
		}
	case 6:
		_, _ = l.Try("checkout", "HEAD", "--", name)
	case 7:
		l.remove("link")
		l.symlink(fmt.Sprintf("d0/f%d", rnd.IntN(2)), "link")
	case 8:
		_, _ = l.Try("rm", "--quiet", "--cached", "--", name)
	}
}
