package gittest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestRepo(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("sub/calc.go", "package calc\n")
	first := r.Commit("chore: start")
	if got := r.Git("log", "--format=%H %an %s", "main"); got != first+" Ursula User chore: start" {
		t.Error(got)
	}
	want := gittest.Files{"run.sh*": "#!/bin/sh\n", "link@": "run.sh", "deep/er": "1\n"}
	second := gittest.CommitTree(r, "feat: a script\n\n# no comment\n", r.Tree(want), first)
	if got := r.Git("status", "--porcelain"); got != "" || r.Git("rev-parse", "HEAD") != first {
		t.Errorf("a tree aside has changed something: %s", got)
	}
	r.Git("reset", "--quiet", "--hard", second)
	if got := gittest.Snapshot(t, r.Dir, ".git"); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	clone := r.Clone("--depth=1").For(t)
	if got := clone.Git("log", "--format=%B"); clone.Read("deep/er") != "1\n" || got != "feat: a script\n\n# no comment" {
		t.Errorf("%q", got)
	}
	if out, err := r.At(r.Home).Try("status"); err == nil || !strings.Contains(out, "not a git repository") {
		t.Errorf("%v %s", err, out)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	f := gittest.Txtar("said first\n-- a --\n1\n-- b/c --\n2\n")
	if got := f.With(gittest.Files{"a": "-", "d": "3"}); !maps.Equal(got, gittest.Files{"b/c": "2\n", "d": "3"}) || len(f) != 2 {
		t.Errorf("%q of %q", got, f)
	}
	dir := filepath.Join(t.TempDir(), "not", "there")
	if got := gittest.Snapshot(t, dir); len(got) > 0 {
		t.Errorf("%q", got)
	}
	f.Write(t, dir)
	if got := gittest.Snapshot(t, dir, "b"); !maps.Equal(got, gittest.Files{"a": "1\n"}) {
		t.Errorf("%q", got)
	}
}

// What somebody has set for git does not reach a test.
func TestEnviron(t *testing.T) {
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_AUTHOR_NAME", "somebody")
	r := gittest.New(t)
	r.Commit("chore: start")
	if got := r.Git("log", "--format=%an"); got != "Ursula User" {
		t.Error(got)
	}
	if env := gittest.Environ("A=1"); slices.Contains(env, "GIT_DIR=/nowhere") || env[len(env)-1] != "A=1" {
		t.Errorf("%q", env)
	}
}

// told is a test that goes on, and keeps what it was told.
type told struct {
	testing.TB
	said []string
}

func (t *told) Skipf(format string, args ...any) {
	t.said = append(t.said, "skip: "+fmt.Sprintf(format, args...))
}

func (t *told) Fatalf(format string, args ...any) {
	t.said = append(t.said, "fail: "+fmt.Sprintf(format, args...))
}

func TestNeed(t *testing.T) {
	tb := &told{TB: t}
	list := filepath.Join(t.TempDir(), "skipped")
	t.Setenv("TDD_SKIPPED", list)
	t.Setenv("CI", "")
	gittest.Need(tb, "git", "no-such-tool")
	t.Setenv("CI", "true")
	gittest.Need(tb, "git", "no-such-tool")
	if !slices.Equal(tb.said, []string{"skip: no-such-tool is missing", "fail: no-such-tool is missing"}) {
		t.Errorf("%q", tb.said)
	}
	if dir, _ := os.Getwd(); gittest.Read(t, list) != dir+" TestNeed\n" {
		t.Errorf("noted: %q", gittest.Read(t, list))
	}
}

func TestPart(t *testing.T) {
	t.Setenv("TDD_PART", "")
	for part, want := range map[string][]int{
		"":    {0, 3, 6},
		"1/4": {1, 5},
		"0/1": {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		t.Setenv("TDD_PART", part)
		tried, got := gittest.Part(t, 3), []int(nil)
		for n := range 8 {
			if tried(n) {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %d, want %d", part, got, want)
		}
	}
	for _, bad := range []string{"3", "4/4", "1/0", "x"} {
		tb := &told{TB: t}
		t.Setenv("TDD_PART", bad)
		if gittest.Part(tb, 3); len(tb.said) != 1 {
			t.Errorf("%q: %q", bad, tb.said)
		}
	}
}
