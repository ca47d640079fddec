package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestGits lives one life with the git of this machine and with each other git in the
// folders that TDD_GITS lists, as PATH does: the verdicts are the same. The oldest that
// is supported and the newest that there is are meant. What has to do with git is played
// whole under the others; TDD_LONG=1 plays every story.
func TestGits(t *testing.T) {
	gittest.Need(t, "git", "sh")
	lab := newKillLab(t)
	want := lab.life(t)
	for _, dir := range filepath.SplitList(os.Getenv("TDD_GITS")) {
		version, err := exec.CommandContext(t.Context(), filepath.Join(dir, "git"), "version").Output()
		t.Run(cmp.Or(strings.TrimSpace(string(version)), dir), func(t *testing.T) {
			if err != nil {
				t.Skip(err)
			}
			t.Setenv("TDD_GITS", "")
			t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			if got := lab.life(t); got != want {
				t.Errorf("its history:\n%sthat of this machine's git:\n%s", got, want)
			}
			playSuites(t)
		})
	}
}

// life is a run, a commit by hand that the hooks refuse and two that they accept, a
// verification, a step and its undoing. It returns what the history says.
func (lab *killLab) life(t *testing.T) string {
	t.Helper()
	dir := lab.template(t, 3)
	lab.must(t, dir, lab.binary, "hooks", "install")
	commit := func(message, name, text string) error {
		gittest.Write(t, filepath.Join(dir, name), text)
		lab.must(t, dir, "git", "add", name)
		return lab.command(t, dir, "git", "commit", "-qm", message, "--", name).Run()
	}
	if commit("feat: by hand", "src/by_hand.sh", "# by hand\n") == nil {
		t.Error("a green without a red was committed")
	}
	gittest.Check(t, commit("test: by hand", addedByHand, "test -f src/by_hand.sh\n"))
	gittest.Check(t, commit("feat: by hand", "src/by_hand.sh", "# by hand\n"))
	lab.must(t, dir, lab.binary, "verify", "--fresh")
	lab.must(t, dir, lab.binary, "step")
	said := lab.must(t, dir, "git", "log", "--format=%s%n%(trailers)")
	lab.must(t, dir, lab.binary, "undo")
	lab.intact(t, dir)
	return said
}

// playSuites plays the tests of what has to do with git.
func playSuites(t *testing.T) {
	t.Helper()
	stories := "^TestScript$/^(hook_|undo|land|worktree|two_runs|underway|missing_objects|status|verify|run|step|log|old_git)"
	if os.Getenv("TDD_LONG") != "" {
		stories = "^TestScript$"
	}
	for _, what := range [][]string{
		{"-skip", "^TestKilled", "./gitx"}, {"./hooks"}, {"-run", stories, "./cmd/git-tdd"},
	} {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-timeout=30m"}, what...)...)
		cmd.Dir = filepath.Join("..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go test %s: %v\n%s", strings.Join(what, " "), err, out)
		}
	}
}
