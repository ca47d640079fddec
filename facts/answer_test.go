package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// What an altered tree showed is on record for exactly the question that was asked,
// and for as long as the tree's facts are.
func TestAnswer_onRecord(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.shell("grep -q right value"))
	tree := l.tree(files{"value": "right\n"})
	wrong := Altered{Files: map[string]string{"value": "wrong\n"}}
	asked := 0
	ask := func(what string, a Altered, runs bool, want gates.Outcome) {
		t.Helper()
		got, err := m.Answer(t.Context(), tree, a)
		gittest.Check(t, err)
		if got.Outcome != want {
			t.Errorf("%s: %s, want %s", what, got.Outcome, want)
		}
		if ran := m.AlteredCount() - asked; (ran == 1) != runs {
			t.Errorf("%s: %d runs", what, ran)
		}
		asked = m.AlteredCount()
	}
	ask("without facts", wrong, true, gates.Failed)
	ask("without facts, again", wrong, true, gates.Failed)
	_, err := m.Entry(t.Context(), tree)
	gittest.Check(t, err)
	ask("first", wrong, true, gates.Failed)
	ask("second", wrong, false, gates.Failed)
	m.opts.Anew = true
	ask("anew", wrong, true, gates.Failed)
	m.opts.Anew = false
	ask("other content", Altered{Files: map[string]string{"value": "also right\n"}}, true, gates.Passed)
	ask("another file", Altered{Files: map[string]string{"other": "wrong\n"}}, true, gates.Passed)
	ask("for something", Altered{Files: wrong.Files, For: "a green"}, true, gates.Failed)
	ask("for it again", Altered{Files: wrong.Files, For: "a green"}, false, gates.Failed)

	m = newMeasurer(t, l.shell("grep -q right value"))
	asked = 0
	ask("after a restart", wrong, false, gates.Failed)
	kept, err := filepath.Glob(filepath.Join(m.store.folder(tree), "*.answer"))
	gittest.Check(t, err)
	for _, name := range kept {
		text, err := os.ReadFile(name)
		gittest.Check(t, err)
		gittest.Check(t, os.WriteFile(name, append(text, ' '), 0o600))
	}
	ask("after somebody wrote into it", wrong, true, gates.Failed)
	_, err = m.Again(t.Context(), tree)
	gittest.Check(t, err)
	ask("after the facts were measured anew", wrong, true, gates.Failed)
}

// What is run for evidence looks like a checkout, with a repository that git takes for
// one; what is measured plainly does not, also after it.
func TestAnswer_inARepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.shell(`test ! -e .git || { test "$(git rev-parse --show-toplevel)" = "$(pwd -P)" && exit 1; }`))
	m.opts.Anew = true
	tree := l.tree(files{"value": "right\n"})
	for range 2 {
		plain, err := m.Entry(t.Context(), tree)
		gittest.Check(t, err)
		altered, err := m.Answer(t.Context(), tree, Altered{Files: map[string]string{"value": "wrong\n"}})
		gittest.Check(t, err)
		if plain.Result.Facts.Outcome != gates.Passed || altered.Outcome != gates.Failed {
			t.Errorf("plainly %s, want passed; altered %s, want failed", plain.Result.Facts.Outcome, altered.Outcome)
		}
	}
}
