package loop_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/loop"
)

// TestCheatingModel lets a model cheat in every step, in each role, in many ways:
// none of its answers lands, and whatever it does the repository stays as it was. What
// each language refuses has stories of its own; two languages show that the loop heeds it.
func TestCheatingModel(t *testing.T) {
	t.Parallel()
	tools := map[string]string{"go": "go", "python": "pytest", "javascript": "node", "rust": "cargo"}
	stories, err := filepath.Glob("testdata/cheating/*.txtar")
	gittest.Check(t, err)
	for _, name := range stories {
		language := strings.TrimSuffix(filepath.Base(name), ".txtar")
		story, err := txtar.ParseFile(name)
		gittest.Check(t, err)
		for steps, role := range []string{"tester", "implementor", "refactorer"} {
			t.Run(language+"/"+role, func(t *testing.T) {
				t.Parallel()
				if language == "rust" || language == "javascript" {
					gittest.Long(t)
				}
				gittest.Need(t, tools[language])
				cheats(t, story, role, steps)
			})
		}
	}
}

// cheats lets a model answer honestly for some steps, and then cheat.
func cheats(t *testing.T, story *txtar.Archive, role string, honest int) {
	t.Helper()
	project, answers := gittest.Files{}, map[string]string{}
	var names []string
	for _, f := range story.Files {
		if path, ok := strings.CutPrefix(f.Name, "base/"); ok {
			project[path] = string(f.Data)
		}
		if name, ok := strings.CutPrefix(f.Name, role+"/"); ok {
			names = append(names, name)
		}
		answers[f.Name] = string(f.Data)
	}
	l := newLab(t, project, []string{answers["red"], answers["green"]}[:honest]...)
	for _, name := range []string{"CARGO_HOME", "RUSTUP_HOME"} {
		if v := os.Getenv(name); v != "" {
			l.Env = append(l.Env, name+"="+v)
		}
	}
	l.steps(honest)
	before := l.state()
	for _, name := range names {
		l.model.script = []string{answers[role+"/"+name]}
		l.refused = nil
		_, err := l.step()
		if _, stopped := errors.AsType[*loop.StopError](err); !stopped {
			t.Fatalf("%s: the step ends with %v; landed: %v", name, err, l.landed[honest:])
		}
		l.same(before)
		if len(l.refused) == 0 {
			t.Errorf("%s: nothing was refused: %v", name, err)
			continue
		}
		t.Logf("%s: %v", name, l.refused[0].Findings)
	}
}
