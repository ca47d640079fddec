package gitx

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// landLab is a repository with a little of everything, and with the user's own
// work next to what steps change.
func landLab(t *testing.T, args ...string) *lab {
	t.Helper()
	l := newLab(t, args...)
	for _, name := range []string{"changed", "deleted", "deep/er/deleted", "mode", "file-to-folder", "folder-to-file/a", "folder-to-file/b/c", "file-to-link", "mine", "mine-staged"} {
		l.Write(name, name+"\n")
	}
	gittest.Files{"link-to-file@": "changed", "run*": "#!/bin/sh\n"}.Write(t, l.Dir)
	l.commit("root")
	l.Write("mine", "my own change\n")
	l.Write("mine-staged", "my staged change\n")
	l.Git("add", "mine-staged")
	l.Write("mine-staged", "and more\n")
	l.Write("planned", "intent\n")
	l.Git("add", "--intent-to-add", "planned")
	l.Write("notes.txt", "untracked\n")
	return l
}

const mineStatus = " M mine\nMM mine-staged\n A planned\n?? notes.txt"

// everything is a step that does all that a step can do to files.
func everything(l *lab) []TreeEdit {
	l.Helper()
	return []TreeEdit{
		put("changed", "new\n"),
		{Path: "deleted", Delete: true},
		{Path: "deep/er/deleted", Delete: true},
		{Path: "mode", Blob: l.rev("HEAD:mode"), Mode: ModeExecutable},
		{Path: "run", Blob: l.rev("HEAD:run"), Mode: ModeFile},
		{Path: "file-to-folder", Delete: true},
		put("file-to-folder/x/y", "y\n"),
		{Path: "folder-to-file/a", Delete: true},
		{Path: "folder-to-file/b/c", Delete: true},
		put("folder-to-file", "f\n"),
		{Path: "file-to-link", Mode: ModeSymlink, Content: []byte("changed")},
		{Path: "link-to-file", Mode: ModeFile, Content: []byte("changed")},
		put("new/folder ü/file", "n\n"),
		{Path: "new/exe", Mode: ModeExecutable, Content: []byte("x")},
		put("-dash", "d"), put("empty", ""),
		put("new\nline", "n"), put(strings.Repeat("n", 255), "long"),
	}
}

func (l *lab) mineUntouched() {
	l.Helper()
	for name, want := range map[string]string{"mine": "my own change\n", "mine-staged": "and more\n", "planned": "intent\n", "notes.txt": "untracked\n"} {
		if got := l.Read(name); got != want {
			l.Errorf("%s is %q, was %q", name, got, want)
		}
	}
	if got := l.Git("cat-file", "-p", ":mine-staged"); got != "my staged change" {
		l.Errorf("the staged change is %q", got)
	}
}

func TestLand(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := landLab(t, "--object-format="+format)
			r := l.open()
			there := l.step(r, everything(l)...)
			gittest.Check(t, r.Land(ctx, there))
			l.landed(there, mineStatus)
			l.mineUntouched()
			if fi, err := os.Stat(l.Path("mode")); err != nil || fi.Mode()&0o111 == 0 {
				t.Errorf("mode: %v %v", fi.Mode(), err)
			}
			if fi, err := os.Stat(l.Path("run")); err != nil || fi.Mode()&0o111 != 0 {
				t.Errorf("run: %v %v", fi.Mode(), err)
			}
			if l.exists("deep") {
				t.Error("an empty folder was left")
			}
			// And all the way back.
			back := Landing{Branch: there.Branch, Old: there.New, New: there.Old, Log: "undo"}
			gittest.Check(t, r.Land(ctx, back))
			l.landed(back, mineStatus)
			l.mineUntouched()
		})
	}
}

func TestLandFirstCommit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open()
	l.Write("same", "same\n")
	l.Write("other", "mine\n")
	landing := l.step(r, put("a/b", "b\n"), put("same", "same\n"))
	gittest.Check(t, r.Land(ctx, landing))
	l.landed(landing, "?? other")
}

func TestLandEmptyCommit(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open()
	landing := l.step(r)
	gittest.Check(t, r.Land(context.Background(), landing))
	l.landed(landing, mineStatus)
}

func TestLandInLinkedWorktree(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	side := l.worktree()
	r := side.open()
	landing := side.step(r, everything(side)...)
	gittest.Check(t, r.Land(ctx, landing))
	side.landed(landing, "")
	if got := l.status(); got != mineStatus {
		t.Errorf("the main working tree: %s", got)
	}
}

func TestLandInSparseCheckout(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"--no-sparse-index", "--sparse-index"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := newLab(t)
			l.Write("in/a", "a")
			l.Write("out/b", "b")
			l.commit("root")
			l.Git("sparse-checkout", "set", "--cone", kind, "in")
			r := l.open()
			landing := l.step(r, put("in/a", "new"), put("in/new", "n"))
			gittest.Check(t, r.Land(ctx, landing))
			l.landed(landing, "")
			if l.exists("out") {
				t.Error("a path that is not checked out has appeared")
			}
			outside := l.step(r, put("out/b", "new"))
			l.refused(r, outside, map[string]State{"out/b": Sparse})
		})
	}
}

// TestLandOverEmptyFolders: git itself ignores empty folders.
func TestLandOverEmptyFolders(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open()
	gittest.Check(t, os.MkdirAll(l.Path("new/empty/er"), 0o755))
	landing := l.step(r, put("new", "n"))
	gittest.Check(t, r.Land(context.Background(), landing))
	l.landed(landing, "")
}

func TestLandWhenTheBranchHasMoved(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	l.Git("commit", "--quiet", "--allow-empty", "-m", "somebody else's", "--only")
	theirs, status := l.rev("HEAD"), l.status()
	if err := r.Land(ctx, landing); !errors.Is(err, ErrMoved) {
		t.Errorf("%v", err)
	}
	if l.rev("HEAD") != theirs || l.status() != status {
		t.Error("a landing that came too late has changed something")
	}
	l.mineUntouched()
	l.tidy()
	if is, err := r.Interrupted(ctx); is || err != nil {
		t.Errorf("interrupted: %v %v", is, err)
	}
}

// TestLandWhileAnotherBranchIsCheckedOut moves the branch and no file.
func TestLandWhileAnotherBranchIsCheckedOut(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	l.Git("switch", "--quiet", "-c", "other")
	l.Write("changed", "mine, on another branch\n")
	gittest.Check(t, r.Land(context.Background(), landing))
	l.landed(landing, " M changed\n"+mineStatus)
	l.mineUntouched()
}

// TestLandWaitsForALockedIndex: while another git writes the index, nothing is
// changed, and its lock is left alone.
func TestLandWaitsForALockedIndex(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	l.Write(".git/index.lock", "theirs")
	status := l.status()
	if err := r.Land(ctx, landing); err == nil || !strings.Contains(err.Error(), "index.lock") {
		t.Errorf("%v", err)
	}
	if got := l.Read(".git/index.lock"); got != "theirs" {
		t.Errorf("the lock holds %q", got)
	}
	if l.rev("HEAD") != landing.Old || l.status() != status {
		t.Error("something has changed")
	}
	if _, err := r.Recover(ctx); err != nil {
		t.Error(err)
	}
	if !l.exists(".git/index.lock") {
		t.Error("recovery took a foreign lock away")
	}
	l.remove(".git/index.lock")
	gittest.Check(t, r.Land(ctx, landing))
	l.landed(landing, mineStatus)
}

// TestLandUndoneByALockedBranch: a landing whose branch cannot be moved has
// changed nothing.
func TestLandUndoneByALockedBranch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	l.Write(".git/refs/heads/main.lock", "")
	if err := r.Land(ctx, landing); err == nil {
		t.Error("landed under a lock")
	}
	l.remove(".git/refs/heads/main.lock")
	if is, err := r.Interrupted(ctx); is || err != nil {
		t.Errorf("interrupted: %v %v", is, err)
	}
	if l.rev("HEAD") != landing.Old || l.status() != mineStatus {
		t.Errorf("something has changed: %s", l.status())
	}
	l.tidy()
}

func TestLandCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	l := landLab(t)
	r := l.open()
	landing := l.step(r, put("changed", "new\n"))
	cancel()
	if err := r.Land(ctx, landing); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if l.rev("HEAD") != landing.Old || l.status() != mineStatus {
		t.Error("something has changed")
	}
}
