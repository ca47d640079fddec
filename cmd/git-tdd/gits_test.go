package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGits runs what has to do with git under other versions of it: TDD_GITS lists the
// folders of their programs, as PATH does. The oldest that is supported and the newest
// that there is are meant. TDD_LONG=1 runs every story.
//
//nolint:paralleltest // each takes the whole machine
func TestGits(t *testing.T) {
	gits := filepath.SplitList(os.Getenv("TDD_GITS"))
	if len(gits) == 0 {
		t.Skip("TDD_GITS names no other git")
	}
	stories := "^TestScript$/^(hook_|undo|land|worktree|two_runs|underway|missing_objects|status|verify|run|step|log|old_git)"
	if os.Getenv("TDD_LONG") != "" {
		stories = "^TestScript$"
	}
	for _, dir := range gits {
		version, err := exec.CommandContext(t.Context(), filepath.Join(dir, "git"), "version").Output()
		if err != nil {
			t.Fatalf("%s holds no git: %v", dir, err)
		}
		t.Run(strings.TrimSpace(strings.TrimPrefix(string(version), "git version ")), func(t *testing.T) {
			for _, what := range [][]string{
				{"-skip", "^TestKilled", "./gitx"}, {"./hooks"}, {"-run", stories, "./cmd/git-tdd"},
			} {
				cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1"}, what...)...)
				cmd.Dir = filepath.Join("..", "..")
				cmd.Env = append(os.Environ(), "TDD_GITS=", "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("go test %s: %v\n%s", strings.Join(what, " "), err, out)
				}
			}
		})
	}
}
