package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refused asserts that a landing collides and changes nothing.
func refused(t *testing.T, r *Repo, landing Landing, want map[string]State) {
	t.Helper()
	ctx := context.Background()
	l := &lab{dir: r.Top, env: r.env}
	before, index := l.status(t), l.git(t, "ls-files", "--stage", "--debug")
	err := r.Land(ctx, landing)
	var c *CollisionError
	if !errors.As(err, &c) || len(c.Paths) != len(want) {
		t.Fatalf("%v, want %v", err, want)
	}
	for name, state := range want {
		if c.State[name] != state || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %q, want %q (%v)", name, c.State[name], state, err)
		}
	}
	if l.status(t) != before || l.git(t, "ls-files", "--stage", "--debug") != index {
		t.Error("a refused landing has changed something")
	}
	if got := l.rev(t, landing.Branch); got != landing.Old {
		t.Errorf("the branch is at %s", got)
	}
	l.tidy(t)
}

func TestLandRefusesCollisions(t *testing.T) {
	t.Parallel()
	const f = "d/f"
	change, del := put(f, "new\n"), TreeEdit{Path: f, Delete: true}
	cases := map[string]struct {
		edits []TreeEdit
		setUp func(t *testing.T, l *lab)
		want  map[string]State
	}{
		"modified":       {[]TreeEdit{change}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, f, "mine\n") }, map[string]State{f: Modified}},
		"modified, gone": {[]TreeEdit{del}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, f, "mine\n") }, map[string]State{f: Modified}},
		"executable":     {[]TreeEdit{change}, func(t *testing.T, l *lab) { t.Helper(); chmod(t, l.path(f), 0o755) }, map[string]State{f: Modified}},
		"staged":         {[]TreeEdit{change}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, f, "mine\n"); l.git(t, "add", f) }, map[string]State{f: Staged}},
		"unstaged again": {[]TreeEdit{change}, func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, f, "m")
			l.git(t, "add", f)
			l.write(t, f, "text\n")
		}, map[string]State{f: Staged}},
		"deleted":        {[]TreeEdit{change}, func(t *testing.T, l *lab) { t.Helper(); remove1(t, l.path(f)) }, map[string]State{f: Deleted}},
		"untracked":      {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, "new", "mine") }, map[string]State{"new": Untracked}},
		"untracked link": {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) { t.Helper(); symlink(t, "n", l.path("new")) }, map[string]State{"new": Untracked}},
		"ignored": {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, ".git/info/exclude", "new\n")
			l.write(t, "new", "mine")
		}, map[string]State{"new": Untracked}},
		"folder":     {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, "new/mine", "mine") }, map[string]State{"new": Untracked}},
		"file above": {[]TreeEdit{put("new/x", "n")}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, "new", "mine") }, map[string]State{"new/x": Untracked}},
		"staged, no file": {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, "new", "mine")
			l.git(t, "add", "new")
			remove1(t, l.path("new"))
		}, map[string]State{"new": Staged}},
		"staged above": {[]TreeEdit{put("new/x", "n")}, func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, "new", "mine")
			l.git(t, "add", "new")
			remove1(t, l.path("new"))
		}, map[string]State{"new/x": Staged}},
		"staged below": {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, "new/x", "mine")
			l.git(t, "add", "new")
			remove1(t, l.path("new/x"))
			remove1(t, l.path("new"))
		}, map[string]State{"new": Staged}},
		"intent to add": {[]TreeEdit{put("new", "n")}, func(t *testing.T, l *lab) { t.Helper(); l.write(t, "new", "mine"); l.git(t, "add", "-N", "new") }, map[string]State{"new": Staged}},
		"symlink above": {[]TreeEdit{change, put("d/new", "n")}, func(t *testing.T, l *lab) {
			t.Helper()
			outside := t.TempDir()
			if err := os.Rename(l.path("d"), filepath.Join(outside, "d")); err != nil {
				t.Fatal(err)
			}
			symlink(t, filepath.Join(outside, "d"), l.path("d"))
		}, map[string]State{f: Behind, "d/new": Behind}},
		"symlink above, inside": {[]TreeEdit{put("new/x", "n")}, func(t *testing.T, l *lab) { t.Helper(); symlink(t, "d", l.path("new")) }, map[string]State{"new/x": Behind}},
		"skip-worktree":         {[]TreeEdit{change}, func(t *testing.T, l *lab) { t.Helper(); l.git(t, "update-index", "--skip-worktree", f) }, map[string]State{f: Sparse}},
		"a folder with a file of the user's": {
			[]TreeEdit{del, put("d", "file")},
			func(t *testing.T, l *lab) { t.Helper(); l.write(t, "d/mine", "mine") },
			map[string]State{"d": Untracked},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.write(t, f, "text\n")
			l.write(t, "clean", "c\n")
			l.commit(t, "root")
			r := l.open(t)
			landing := l.step(t, r, append(c.edits, put("clean", "new\n"))...)
			c.setUp(t, l)
			refused(t, r, landing, c.want)
		})
	}
}
