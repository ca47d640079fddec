package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestWindow: between a landing that was cut off after the branch had moved and
// the next command of git-tdd, the index is still that of before the step. A
// person's commit would take the step back; the hooks refuse it, and what finishes
// the landing is what they say.
func TestWindow(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not installed")
	}
	lab := newKillLab(t)
	template := lab.template(t, 1)
	calls := lab.count(t, killing{template: template})
	windows, told := 0, 0
	for at := 1; at <= calls; at++ {
		dir := lab.copyOf(t, template)
		lab.must(t, dir, lab.binary, "hooks", "install")
		old := lab.must(t, dir, "git", "rev-parse", "HEAD")
		lab.shimmed(t, dir, killing{template: template, steps: 1, at: at, when: "after"})
		now := lab.must(t, dir, "git", "rev-parse", "HEAD")
		if now == old || lab.must(t, dir, "git", "for-each-ref", "refs/tdd/next") == "" {
			continue
		}
		windows++
		for _, argv := range []string{"-m 'docs: mine'", "-am 'chore: mine'", "-m 'chore: mine' README"} {
			out, err := lab.command(t, dir, "sh", "-c", "git commit "+argv).CombinedOutput()
			if strings.Contains(string(out), "git tdd doctor --repair") {
				told++
			}
			if err == nil {
				t.Fatalf("git commit %s in the window: %v\n%s", argv, err, out)
			}
		}
		out, _ := lab.command(t, dir, lab.binary, "doctor", "--repair").CombinedOutput() // there is no model to be well
		if !strings.Contains(string(out), "an interrupted step was finished") {
			t.Errorf("the repair says\n%s", out)
		}
		if got := lab.must(t, dir, "git", "rev-parse", "HEAD"); got != now {
			t.Errorf("HEAD is at %s", got)
		}
		lab.intact(t, dir)
		gittest.Check(t, exec.Command("test", "-e", filepath.Join(dir, "src", "a1.sh")).Run())
		lab.must(t, dir, "git", "commit", "-m", "docs: mine", "README")
	}
	if windows == 0 || told == 0 {
		t.Errorf("%d kills met the window, %d commits were told how to go on", windows, told)
	}
}
