package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// dishonest lists the stories that end, on purpose, in a history that does not
// verify: somebody bypassed the hooks, or git did not call them.
func dishonest() []string {
	return []string{
		"hook_am", "hook_cherry_pick_clean", "hook_rebase_edit", "hook_rebase_pick", // git calls no hook, or calls it too late
		"hook_push",                              // --no-verify
		"hook_cost_of_silence", "hook_no_config", // nothing says how it is tested
	}
}

// verifyClone checks that the history at the end of a story about hooks
// verifies in a fresh clone, where nothing is on record.
func verifyClone(env *testscript.Env) func() {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	return func() {
		dir := filepath.Join(env.WorkDir, "work")
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil || !strings.HasPrefix(name, "hook_") {
			return
		}
		out, code := cloneAndVerify(dir, filepath.Join(env.WorkDir, "fresh"))
		if held := code == exitOK || strings.Contains(out, "there is nothing to verify"); held == slices.Contains(dishonest(), name) {
			env.T().Fatal(fmt.Sprintf("%s: verify in a fresh clone exits with %d:\n%s", name, code, out))
		}
	}
}

// cloneAndVerify clones a repository and verifies it there, with a new home, so
// that nothing is on record, and returns the exit code.
func cloneAndVerify(from, to string) (out string, code int) {
	env := gittest.Environ(gittest.XDG(filepath.Join(filepath.Dir(to), ".fresh"))...)
	for _, argv := range [][]string{{"clone", "-q", from, to}, {"-C", to, "tdd", "trust"}, {"-C", to, "tdd", "verify"}} {
		cmd := exec.CommandContext(context.Background(), "git", argv...)
		cmd.Env = env
		text, err := cmd.CombinedOutput()
		out, code = string(text), 0
		if exit, failed := errors.AsType[*exec.ExitError](err); failed {
			code = exit.ExitCode()
		}
		if err != nil {
			break
		}
	}
	return out, code
}

// TestDemoVerifiesInAFreshClone: what the loop commits verifies anywhere. Stories of katas show
// as much of less.
func TestDemoVerifiesInAFreshClone(t *testing.T) {
	t.Parallel()
	gittest.Long(t)
	for language, tool := range map[string]string{"go": "go", "rust": "cargo"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, tool)
			home := t.TempDir()
			dir := filepath.Join(home, "demo")
			cmd := exec.CommandContext(t.Context(), "git", "tdd", "demo", "--language", language, "--dir", dir)
			cmd.Env = gittest.Environ(gittest.XDG(home)...)
			gittest.Run(t, cmd)
			if out, code := cloneAndVerify(filepath.Join(dir, "string-calculator"), filepath.Join(home, "fresh")); code != exitOK || !strings.Contains(out, "13 held, 0 refused") {
				t.Errorf("exit code %d:\n%s", code, out)
			}
		})
	}
}
