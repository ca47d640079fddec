package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// refused asserts that a landing collides and changes nothing.
func (l *lab) refused(r *Repo, landing Landing, want map[string]State) {
	l.Helper()
	ctx := context.Background()
	before, index := l.status(), l.Git("ls-files", "--stage", "--debug")
	err := r.Land(ctx, landing)
	var c *CollisionError
	if !errors.As(err, &c) || len(c.State) != len(want) {
		l.Fatalf("%v, want %v", err, want)
	}
	for name, state := range want {
		if c.State[name] != state || !strings.Contains(err.Error(), name) {
			l.Errorf("%s: %q, want %q (%v)", name, c.State[name], state, err)
		}
	}
	if l.status() != before || l.Git("ls-files", "--stage", "--debug") != index {
		l.Error("a refused landing has changed something")
	}
	if got := l.rev(landing.Branch); got != landing.Old {
		l.Errorf("the branch is at %s", got)
	}
	l.tidy()
}

func TestLandRefusesCollisions(t *testing.T) {
	t.Parallel()
	const f = "d/f"
	change, del := put(f, "new\n"), TreeEdit{Path: f, Delete: true}
	cases := map[string]struct {
		edits []TreeEdit
		setUp func(l *lab)
		want  map[string]State
	}{
		"modified":       {[]TreeEdit{change}, func(l *lab) { l.Write(f, "mine\n") }, map[string]State{f: Modified}},
		"modified, gone": {[]TreeEdit{del}, func(l *lab) { l.Write(f, "mine\n") }, map[string]State{f: Modified}},
		"executable":     {[]TreeEdit{change}, func(l *lab) { l.chmod(f, 0o755) }, map[string]State{f: Modified}},
		"staged":         {[]TreeEdit{change}, func(l *lab) { l.Write(f, "mine\n"); l.Git("add", f) }, map[string]State{f: Staged}},
		"unstaged again": {[]TreeEdit{change}, func(l *lab) {
			l.Write(f, "m")
			l.Git("add", f)
			l.Write(f, "text\n")
		}, map[string]State{f: Staged}},
		"deleted":        {[]TreeEdit{change}, func(l *lab) { l.remove(f) }, map[string]State{f: Deleted}},
		"untracked":      {[]TreeEdit{put("new", "n")}, func(l *lab) { l.Write("new", "mine") }, map[string]State{"new": Untracked}},
		"untracked link": {[]TreeEdit{put("new", "n")}, func(l *lab) { l.symlink("n", "new") }, map[string]State{"new": Untracked}},
		"ignored": {[]TreeEdit{put("new", "n")}, func(l *lab) {
			l.Write(".git/info/exclude", "new\n")
			l.Write("new", "mine")
		}, map[string]State{"new": Untracked}},
		"folder":     {[]TreeEdit{put("new", "n")}, func(l *lab) { l.Write("new/mine", "mine") }, map[string]State{"new": Untracked}},
		"file above": {[]TreeEdit{put("new/x", "n")}, func(l *lab) { l.Write("new", "mine") }, map[string]State{"new/x": Untracked}},
		"staged, no file": {[]TreeEdit{put("new", "n")}, func(l *lab) {
			l.Write("new", "mine")
			l.Git("add", "new")
			l.remove("new")
		}, map[string]State{"new": Staged}},
		"staged above": {[]TreeEdit{put("new/x", "n")}, func(l *lab) {
			l.Write("new", "mine")
			l.Git("add", "new")
			l.remove("new")
		}, map[string]State{"new/x": Staged}},
		"staged below": {[]TreeEdit{put("new", "n")}, func(l *lab) {
			l.Write("new/x", "mine")
			l.Git("add", "new")
			l.remove("new/x")
			l.remove("new")
		}, map[string]State{"new": Staged}},
		"intent to add": {[]TreeEdit{put("new", "n")}, func(l *lab) { l.Write("new", "mine"); l.Git("add", "-N", "new") }, map[string]State{"new": Staged}},
		"symlink above": {[]TreeEdit{change, put("d/new", "n")}, func(l *lab) {
			outside := l.TempDir()
			gittest.Check(l, os.Rename(l.Path("d"), filepath.Join(outside, "d")))
			l.symlink(filepath.Join(outside, "d"), "d")
		}, map[string]State{f: Behind, "d/new": Behind}},
		"symlink above, inside": {[]TreeEdit{put("new/x", "n")}, func(l *lab) { l.symlink("d", "new") }, map[string]State{"new/x": Behind}},
		"skip-worktree":         {[]TreeEdit{change}, func(l *lab) { l.Git("update-index", "--skip-worktree", f) }, map[string]State{f: Sparse}},
		"a folder with a file of the user's": {
			[]TreeEdit{del, put("d", "file")},
			func(l *lab) { l.Write("d/mine", "mine") },
			map[string]State{"d": Untracked},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.Write(f, "text\n")
			l.Write("clean", "c\n")
			l.commit("root")
			r := l.open()
			landing := l.step(r, append(c.edits, put("clean", "new\n"))...)
			c.setUp(l)
			l.refused(r, landing, c.want)
		})
	}
}
