package gitx

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
				l.git(t, args...)
			}
			r := l.open(t)
			status, flags := l.status(t), l.git(t, "ls-files", "-v", "mine", "mine-staged", "planned")
			landing := l.step(t, r, everything(t, l)...)
			if err := r.Land(context.Background(), landing); err != nil {
				t.Fatal(err)
			}
			l.landed(t, landing, status)
			l.mineUntouched(t)
			if got := l.git(t, "ls-files", "-v", "mine", "mine-staged", "planned"); got != flags {
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
	l.git(t, "config", "core.trustctime", "false")
	l.git(t, "config", "core.checkStat", "minimal")
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	l.write(t, "mine", "aaaa\n")
	l.write(t, "other", "o\n")
	chtimes(t, l.path("mine"), past)
	l.commit(t, "root")
	l.write(t, "mine", "bbbb\n") // same size, same time, right after the index was written
	chtimes(t, l.path("mine"), past)
	chtimes(t, l.path(".git/index"), past)
	r := l.open(t)
	landing := l.step(t, r, put("other", "new\n"))
	if err := r.Land(context.Background(), landing); err != nil {
		t.Fatal(err)
	}
	l.landed(t, landing, " M mine")
}

func chtimes(t *testing.T, name string, when time.Time) {
	t.Helper()
	if err := os.Chtimes(name, when, when); err != nil {
		t.Fatal(err)
	}
}

// TestLandRefusesTreesThatReachIntoGit: such a tree can be in a history.
func TestLandRefusesTreesThatReachIntoGit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	r := l.open(t)
	blob := l.rev(t, "HEAD:a/one.txt")
	for _, name := range []string{".git", ".GIT", "..", "git~1", ".g\u200cit", "a/.git", "a/b/../.."} {
		parts := strings.Split(name, "/")
		tree := l.mktree(t, "100755 blob "+string(blob)+"\tevil")
		for _, part := range slices.Backward(parts) {
			tree = l.mktree(t, "040000 tree "+tree+"\t"+part)
		}
		id, err := r.CommitTree(ctx, NewCommit{Tree: ID(tree), Parents: []ID{l.rev(t, "HEAD")}, Author: Ident{Name: "a", Mail: "b"}, Message: "m"})
		if err != nil {
			t.Fatal(err)
		}
		landing := Landing{Branch: "refs/heads/main", Old: l.rev(t, "HEAD"), New: id, Log: "x"}
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
		l.git(t, "update-ref", "-d", nextRef)
		l.git(t, "update-ref", "refs/heads/main", string(landing.Old))
	}
}

func (l *lab) mktree(t *testing.T, line string) string {
	t.Helper()
	cmd := exec.Command("git", "mktree")
	cmd.Dir, cmd.Env, cmd.Stdin = l.dir, l.env, strings.NewReader(line+"\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestHooksDir(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	sub := openAt(t, l.path("a"), l.env)
	if dir, err := sub.HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.dir), ".git", "hooks") {
		t.Errorf("%s %v", dir, err)
	}
	l.git(t, "config", "core.hooksPath", "my hooks")
	if dir, err := sub.HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.dir), "my hooks") {
		t.Errorf("%s %v", dir, err)
	}
	other := filepath.Join(t.TempDir(), "other")
	l.git(t, "config", "--unset", "core.hooksPath")
	l.git(t, "worktree", "add", "--quiet", "-b", "other", other)
	if dir, err := openAt(t, other, l.env).HooksDir(ctx); err != nil || dir != filepath.Join(real(t, l.dir), ".git", "hooks") {
		t.Errorf("%s %v", dir, err)
	}
}

// TestCancelledGitLeavesNoLock: git is asked to end, not killed.
func TestCancelledGitLeavesNoLock(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := r.command(ctx, call{args: []string{"update-ref", "--stdin"}})
	cmd.Stdin = nil
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	l.tidy(t)
}
