package gitx

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestLandInSpecialIndexes keeps what is special about the user's index.
func TestLandInSpecialIndexes(t *testing.T) {
	t.Parallel()
	cases := map[string][][]string{
		"split":           {{"config", "core.splitIndex", "true"}, {"update-index", "--split-index"}},
		"version 4":       {{"update-index", "--index-version=4"}},
		"untracked cache": {{"update-index", "--force-untracked-cache"}},
		"assumed":         {{"update-index", "--assume-unchanged", "mine"}},
		"skipped":         {{"update-index", "--skip-worktree", "mine"}},
		"many files":      {{"config", "feature.manyFiles", "true"}},
		"case":            {{"config", "core.ignoreCase", "true"}},
	}
	for name, setUp := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := landLab(t)
			for _, args := range setUp {
				l.Git(args...)
			}
			r := l.open()
			status, flags := l.status(), l.Git("ls-files", "-v", "mine", "mine-staged", "planned")
			landing := l.step(r, everything(l)...)
			gittest.Check(t, r.Land(context.Background(), landing))
			l.landed(landing, status)
			l.mineUntouched()
			if got := l.Git("ls-files", "-v", "mine", "mine-staged", "planned"); got != flags {
				t.Errorf("flags\n%s\nwere\n%s", got, flags)
			}
		})
	}
}

// TestLandHidesNoChange: git knows from the age of its index which files it
// must read again to see a change. A landing does not disturb that.
func TestLandHidesNoChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.Git("config", "core.trustctime", "false")
	l.Git("config", "core.checkStat", "minimal")
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	l.Write("mine", "aaaa\n")
	l.Write("other", "o\n")
	gittest.Check(t, os.Chtimes(l.Path("mine"), past, past))
	l.commit("root")
	l.Write("mine", "bbbb\n") // same size, same time, right after the index was written
	gittest.Check(t, os.Chtimes(l.Path("mine"), past, past))
	gittest.Check(t, os.Chtimes(l.Path(".git/index"), past, past))
	r := l.open()
	landing := l.step(r, put("other", "new\n"))
	gittest.Check(t, r.Land(context.Background(), landing))
	l.landed(landing, " M mine")
}

// TestLandRefusesTreesThatReachIntoGit: such a tree can be in a history.
func TestLandRefusesTreesThatReachIntoGit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	r := l.open()
	blob := l.rev("HEAD:a/one.txt")
	for _, name := range []string{".git", ".GIT", "..", "git~1", ".g\u200cit", "a/.git", "a/b/../.."} {
		parts := strings.Split(name, "/")
		tree := l.Feed("100755 blob "+string(blob)+"\tevil\n", "mktree")
		for _, part := range slices.Backward(parts) {
			tree = l.Feed("040000 tree "+tree+"\t"+part+"\n", "mktree")
		}
		id, err := r.CommitTree(ctx, NewCommit{Tree: ID(tree), Parents: []ID{l.rev("HEAD")}, Author: Ident{Name: "a", Mail: "b"}, Message: "m"})
		gittest.Check(t, err)
		landing := Landing{Branch: "refs/heads/main", Old: l.rev("HEAD"), New: id, Log: "x"}
		if err := r.Land(ctx, landing); err == nil || !strings.Contains(err.Error(), "check this tree out") {
			t.Errorf("%q: %v", name, err)
		}
		interrupt(t, r, landing)
		if _, err := r.Recover(ctx); err == nil {
			t.Errorf("%q was recovered", name)
		}
		if l.exists(".git/evil") || l.exists("../evil") || l.exists("evil") {
			t.Fatalf("%q: a file was written", name)
		}
		l.Git("update-ref", "-d", "refs/tdd/next")
		l.Git("update-ref", "refs/heads/main", string(landing.Old))
	}
}

func TestHooksDir(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	sub := l.at(l.Path("a")).open()
	if dir, err := sub.HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.Dir), ".git", "hooks") {
		t.Errorf("%s %v", dir, err)
	}
	l.Git("config", "core.hooksPath", "my hooks")
	if dir, err := sub.HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.Dir), "my hooks") {
		t.Errorf("%s %v", dir, err)
	}
	l.Git("config", "--unset", "core.hooksPath")
	if dir, err := l.worktree().open().HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.Dir), ".git", "hooks") {
		t.Errorf("%s %v", dir, err)
	}
}

// TestCancelledGitLeavesNoLock: git is asked to end, not killed.
func TestCancelledGitLeavesNoLock(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := r.command(ctx, call{args: []string{"update-ref", "--stdin"}})
	cmd.Stdin = nil
	in, err := cmd.StdinPipe()
	gittest.Check(t, err)
	out, err := cmd.StdoutPipe()
	gittest.Check(t, err)
	gittest.Check(t, cmd.Start())
	for _, line := range []string{"start\n", "update refs/heads/x HEAD\nprepare\n"} {
		if _, err := in.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 64)); err != nil {
			t.Fatal(err)
		}
	}
	if !l.exists(".git/refs/heads/x.lock") {
		t.Fatal("git holds no lock")
	}
	cancel()
	if cmd.Wait() == nil {
		t.Error("git ended by itself")
	}
	l.tidy()
}
