package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// landLab is a repository with a little of everything, and with the user's own
// work next to what steps change.
func landLab(t *testing.T, args ...string) *lab {
	t.Helper()
	l := newLab(t, args...)
	for _, name := range []string{"changed", "deleted", "deep/er/deleted", "mode", "file-to-folder", "folder-to-file/a", "folder-to-file/b/c", "file-to-link", "mine", "mine-staged"} {
		l.write(t, name, name+"\n")
	}
	symlink(t, "changed", l.path("link-to-file"))
	l.write(t, "run", "#!/bin/sh\n")
	chmod(t, l.path("run"), 0o755)
	l.commit(t, "root")
	l.write(t, "mine", "my own change\n")
	l.write(t, "mine-staged", "my staged change\n")
	l.git(t, "add", "mine-staged")
	l.write(t, "mine-staged", "and more\n")
	l.write(t, "planned", "intent\n")
	l.git(t, "add", "--intent-to-add", "planned")
	l.write(t, "notes.txt", "untracked\n")
	return l
}

const mineStatus = " M mine\nMM mine-staged\n A planned\n?? notes.txt"

// everything is a step that does everything that a step can do to files.
func everything(t *testing.T, l *lab) []TreeEdit {
	t.Helper()
	return []TreeEdit{
		put("changed", "new\n"),
		{Path: "deleted", Delete: true},
		{Path: "deep/er/deleted", Delete: true},
		{Path: "mode", Blob: l.rev(t, "HEAD:mode"), Mode: ModeExecutable},
		{Path: "run", Blob: l.rev(t, "HEAD:run"), Mode: ModeFile},
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

func (l *lab) mineUntouched(t *testing.T) {
	t.Helper()
	for name, want := range map[string]string{"mine": "my own change\n", "mine-staged": "and more\n", "planned": "intent\n", "notes.txt": "untracked\n"} {
		if got := l.read(t, name); got != want {
			t.Errorf("%s is %q, was %q", name, got, want)
		}
	}
	if got := l.git(t, "cat-file", "-p", ":mine-staged"); got != "my staged change" {
		t.Errorf("the staged change is %q", got)
	}
}

func TestLand(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := landLab(t, "--object-format="+format)
			r := l.open(t)
			there := l.step(t, r, everything(t, l)...)
			if err := r.Land(ctx, there); err != nil {
				t.Fatal(err)
			}
			l.landed(t, there, mineStatus)
			l.mineUntouched(t)
			if fi, err := os.Stat(l.path("mode")); err != nil || fi.Mode()&0o111 == 0 {
				t.Errorf("mode: %v %v", fi.Mode(), err)
			}
			if fi, err := os.Stat(l.path("run")); err != nil || fi.Mode()&0o111 != 0 {
				t.Errorf("run: %v %v", fi.Mode(), err)
			}
			if l.exists("deep") {
				t.Error("an empty folder was left")
			}
			// And all the way back.
			back := Landing{Branch: there.Branch, Old: there.New, New: there.Old, Log: "undo"}
			if err := r.Land(ctx, back); err != nil {
				t.Fatal(err)
			}
			l.landed(t, back, mineStatus)
			l.mineUntouched(t)
		})
	}
}

func TestLandFirstCommit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open(t)
	l.write(t, "same", "same\n")
	l.write(t, "other", "mine\n")
	landing := l.step(t, r, put("a/b", "b\n"), put("same", "same\n"))
	if err := r.Land(ctx, landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, "?? other")
}

func TestLandEmptyCommit(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r)
	if err := r.Land(context.Background(), landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, mineStatus)
}

func TestLandInLinkedWorktree(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	dir := filepath.Join(t.TempDir(), "other")
	l.git(t, "worktree", "add", "--quiet", "-b", "other", dir)
	side := &lab{dir: dir, env: l.env}
	r := side.open(t)
	landing := side.step(t, r, everything(t, side)...)
	if err := r.Land(ctx, landing); err != nil {
		t.Fatal(err)
	}
	side.landed(t, landing, "")
	if got := l.status(t); got != mineStatus {
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
			l.write(t, "in/a", "a")
			l.write(t, "out/b", "b")
			l.commit(t, "root")
			l.git(t, "sparse-checkout", "set", "--cone", kind, "in")
			r := l.open(t)
			landing := l.step(t, r, put("in/a", "new"), put("in/new", "n"))
			if err := r.Land(ctx, landing); err != nil {
				t.Fatal(err)
			}
			l.landed(t, landing, "")
			if l.exists("out") {
				t.Error("a path that is not checked out has appeared")
			}
			outside := l.step(t, r, put("out/b", "new"))
			refused(t, r, outside, map[string]State{"out/b": Sparse})
		})
	}
}

// TestLandOverEmptyFolders: git itself ignores empty folders.
func TestLandOverEmptyFolders(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open(t)
	mkdir(t, l.path("new/empty/er"))
	landing := l.step(t, r, put("new", "n"))
	if err := r.Land(context.Background(), landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, "")
}

func TestLandWhenTheBranchHasMoved(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	l.git(t, "commit", "--quiet", "--allow-empty", "-m", "somebody else's", "--only")
	theirs, status := l.rev(t, "HEAD"), l.status(t)
	if err := r.Land(ctx, landing); !errors.Is(err, ErrMoved) {
		t.Errorf("%v", err)
	}
	if l.rev(t, "HEAD") != theirs || l.status(t) != status {
		t.Error("a landing that came too late has changed something")
	}
	l.mineUntouched(t)
	l.tidy(t)
	if is, err := r.Interrupted(ctx); is || err != nil {
		t.Errorf("interrupted: %v %v", is, err)
	}
}

// TestLandWhileAnotherBranchIsCheckedOut moves the branch and no file.
func TestLandWhileAnotherBranchIsCheckedOut(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	l.git(t, "switch", "--quiet", "-c", "other")
	l.write(t, "changed", "mine, on another branch\n")
	if err := r.Land(context.Background(), landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, " M changed\n"+mineStatus)
	l.mineUntouched(t)
}

// TestLandWaitsForALockedIndex: while another git writes the index, nothing is
// changed, and its lock is left alone.
func TestLandWaitsForALockedIndex(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	l.write(t, ".git/index.lock", "theirs")
	status := l.status(t)
	if err := r.Land(ctx, landing); err == nil || !strings.Contains(err.Error(), "index.lock") {
		t.Errorf("%v", err)
	}
	if got := l.read(t, ".git/index.lock"); got != "theirs" {
		t.Errorf("the lock holds %q", got)
	}
	if l.rev(t, "HEAD") != landing.Old || l.status(t) != status {
		t.Error("something has changed")
	}
	if _, err := r.Recover(ctx); err != nil {
		t.Error(err)
	}
	if !l.exists(".git/index.lock") {
		t.Error("recovery took a foreign lock away")
	}
	remove1(t, l.path(".git/index.lock"))
	if err := r.Land(ctx, landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, mineStatus)
}

// TestLandUndoneByALockedBranch: a landing whose branch cannot be moved has
// changed nothing.
func TestLandUndoneByALockedBranch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	l.write(t, ".git/refs/heads/main.lock", "")
	if err := r.Land(ctx, landing); err == nil {
		t.Error("landed under a lock")
	}
	remove1(t, l.path(".git/refs/heads/main.lock"))
	if is, err := r.Interrupted(ctx); is || err != nil {
		t.Errorf("interrupted: %v %v", is, err)
	}
	if l.rev(t, "HEAD") != landing.Old || l.status(t) != mineStatus {
		t.Errorf("something has changed: %s", l.status(t))
	}
	l.tidy(t)
}

func TestLandCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, put("changed", "new\n"))
	cancel()
	if err := r.Land(ctx, landing); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if l.rev(t, "HEAD") != landing.Old || l.status(t) != mineStatus {
		t.Error("something has changed")
	}
}
