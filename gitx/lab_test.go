package gitx

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// lab is a repository as its user has it.
type lab struct{ *gittest.Repo }

func newLab(tb testing.TB, args ...string) *lab {
	tb.Helper()
	return &lab{gittest.New(tb, args...)}
}

// committed is a repository with one file.
func committed(tb testing.TB) *lab {
	tb.Helper()
	l := newLab(tb)
	l.Write("a/one.txt", "one\n")
	l.commit("root")
	return l
}

// at is the same user in another folder.
func (l *lab) at(dir string) *lab { return &lab{l.At(dir)} }

// worktree adds a working tree, on the branch other.
func (l *lab) worktree() *lab {
	l.Helper()
	dir := filepath.Join(l.TempDir(), "other")
	l.Git("worktree", "add", "--quiet", dir)
	return l.at(dir)
}

func (l *lab) open() *Repo {
	l.Helper()
	r, err := Open(context.Background(), Options{Dir: l.Dir, Environ: l.Env, Seal: sealer("ours")})
	gittest.Check(l, err)
	l.Cleanup(func() {
		if err := r.Close(); err != nil {
			l.Error(err)
		}
	})
	return r
}

// sealer seals with a key.
func sealer(key string) func([]byte) (string, error) {
	return func(text []byte) (string, error) {
		return fmt.Sprintf("%x", sha256.Sum256(append([]byte(key), text...))), nil
	}
}

func (l *lab) exists(name string) bool {
	_, err := os.Lstat(l.Path(name))
	return err == nil
}

func (l *lab) remove(name string) {
	l.Helper()
	gittest.Check(l, os.Remove(l.Path(name)))
}

func (l *lab) chmod(name string, mode os.FileMode) {
	l.Helper()
	gittest.Check(l, os.Chmod(l.Path(name), mode))
}

func (l *lab) symlink(target, name string) {
	l.Helper()
	gittest.Check(l, os.Symlink(target, l.Path(name)))
}

func (l *lab) commit(message string) ID {
	l.Helper()
	return ID(l.Commit(message))
}

func (l *lab) rev(name string) ID {
	l.Helper()
	return ID(l.Git("rev-parse", name))
}

func (l *lab) status() string {
	l.Helper()
	return l.Git("status", "--porcelain")
}

// step makes a commit of edits on top of HEAD, as a step does, and returns the
// landing that is still to be done.
func (l *lab) step(r *Repo, edits ...TreeEdit) Landing {
	l.Helper()
	head, err := r.Head(l.Context())
	gittest.Check(l, err)
	tree, err := r.WriteTree(l.Context(), head.Tree, edits)
	gittest.Check(l, err)
	c := NewCommit{Tree: tree, Author: Ident{Name: "Tess Tester", Mail: "tess@example.com"}, Message: "test: a step\n"}
	if !head.Unborn() {
		c.Parents = []ID{head.Commit}
	}
	id, err := r.CommitTree(l.Context(), c)
	gittest.Check(l, err)
	return Landing{Branch: head.Branch, Old: head.Commit, New: id, Log: "tdd: test: a step"}
}

func put(name, content string) TreeEdit { return TreeEdit{Path: name, Content: []byte(content)} }

// landed asserts that a landing is complete and left nothing behind.
func (l *lab) landed(want Landing, status string) {
	l.Helper()
	if got := l.rev(want.Branch); got != want.New {
		l.Errorf("%s is at %s, want %s", want.Branch, got, want.New)
	}
	if got := l.status(); got != status {
		l.Errorf("status:\n%s\nwant:\n%s", got, status)
	}
	l.tidy()
}

// tidy asserts that the repository is sound and holds nothing of git-tdd's.
func (l *lab) tidy() {
	l.Helper()
	l.sound()
	l.clear()
}

// clear asserts that nothing of git-tdd's is left in the repository.
func (l *lab) clear() {
	l.Helper()
	if out := l.Git("for-each-ref", "refs/tdd"); out != "" {
		l.Errorf("left behind: %s", out)
	}
	gittest.Check(l, filepath.WalkDir(l.Dir, func(name string, _ os.DirEntry, err error) error {
		base := filepath.Base(name)
		if strings.HasSuffix(base, ".lock") || (strings.HasPrefix(base, ".tdd-") && strings.HasSuffix(base, ".tmp")) ||
			strings.HasPrefix(base, "tmp-") || strings.HasPrefix(base, "landing") {
			l.Errorf("left behind: %s", name)
		}
		return err
	}))
}

// sound asserts that git finds nothing wrong with the repository.
func (l *lab) sound() {
	l.Helper()
	if out, err := l.Try("-c", "advice.sparseIndexExpanded=false", "fsck", "--strict", "--no-dangling"); err != nil || out != "" {
		l.Errorf("fsck: %v %s", err, out)
	}
}
