package trust

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestNothingIsApprovedUntilItIs(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	wantRefused(t, s, sub)
	approve(t, s, sub)
	approve(t, s, sub) // approving twice is not an error
	wantApproved(t, s, sub)
}

func TestApprovalFallsWithAnyChange(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	for name, change := range map[string]func(*Subject){
		"word of a command": func(c *Subject) { c.Commands[1][2] = "run" },
		"name of a command": func(c *Subject) { c.Commands[1][0] = "check" },
		"word split":        func(c *Subject) { c.Commands[0] = []string{"fmt", "cargo", "f", "mt"} },
		"words joined":      func(c *Subject) { c.Commands[0] = []string{"fmt", "cargo fmt"} },
		"empty word":        func(c *Subject) { c.Commands[0] = append(c.Commands[0], "") },
		"commands joined":   func(c *Subject) { c.Commands = [][]string{{"fmt", "cargo", "fmt", "test", "cargo", "test", "--all"}} },
		"command added":     func(c *Subject) { c.Commands = append(c.Commands, []string{"setup", "npm", "ci"}) },
		"command gone":      func(c *Subject) { c.Commands = c.Commands[:1] },
		"order of commands": func(c *Subject) { c.Commands[0], c.Commands[1] = c.Commands[1], c.Commands[0] },
		"endpoint":          func(c *Subject) { c.Endpoints[0] = "http://localhost:11434/v2" },
		"keys swapped":      func(c *Subject) { c.KeyEnv = []string{"OTHER_KEY", "LLM_API_KEY"} },
		"key as endpoint": func(c *Subject) {
			c.Endpoints, c.KeyEnv = append(c.Endpoints, "LLM_API_KEY"), c.KeyEnv[1:]
		},
		"repository": func(c *Subject) { c.Repository = filepath.Dir(c.Repository) },
	} {
		changed := sub
		changed.Commands = [][]string{append([]string(nil), sub.Commands[0]...), append([]string(nil), sub.Commands[1]...)}
		changed.Endpoints = append([]string(nil), sub.Endpoints...)
		change(&changed)
		if ok, err := s.Approved(changed); err != nil && !errors.Is(err, ErrInside) || ok {
			t.Errorf("%s changed: Approved = %v, %v", name, ok, err)
		}
	}
	wantApproved(t, s, sub)
}

func TestDigestIsStable(t *testing.T) {
	t.Parallel()
	// Changing what is hashed revokes every approval in the world: that must be a
	// decision, with a new header, and never an accident.
	got := sum(encode(Subject{
		Repository: "/repo", Commands: [][]string{{"test", "go", "test"}},
		Endpoints: []string{"http://localhost/v1"}, KeyEnv: []string{"KEY"},
	}))
	const want = "82d728f8f1ce96fd4e4e07d45dbabd02d43bda86fbe7d0eaa40c406bf74d21ce"
	if got != want {
		t.Errorf("digest = %s, want %s", got, want)
	}
}

func TestLinkedRepositoryIsTheSame(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(sub.Repository, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	approve(t, s, sub)
	sub.Repository = link
	wantApproved(t, s, sub)
}

func TestCopiedRepositoryIsAnother(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	gittest.Write(t, filepath.Join(sub.Repository, ".tdd.yaml"), "language: rust\n")
	approve(t, s, sub)
	fresh := filepath.Join(t.TempDir(), "copy")
	gittest.Check(t, os.CopyFS(fresh, os.DirFS(sub.Repository)))
	sub.Repository = fresh
	wantRefused(t, s, sub)
}

func TestLinkPutInPlaceOfTheRepositoryIsAnother(t *testing.T) {
	t.Parallel()
	s, sub, stranger := store(t), subject(t), t.TempDir()
	sub.Repository = filepath.Join(sub.Repository, "kata")
	gittest.Check(t, os.Mkdir(sub.Repository, 0o700))
	approve(t, s, sub)
	gittest.Check(t, errors.Join(os.Remove(sub.Repository), os.Symlink(stranger, sub.Repository)))
	wantRefused(t, s, sub)
}

func TestRepositoryMustBeADirectory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	gittest.Write(t, file, "")
	for _, path := range []string{"", file, file + "/sub", file + "-gone"} {
		sub := Subject{Repository: path}
		if _, err := store(t).Approved(sub); err == nil {
			t.Errorf("%q was judged", path)
		}
		if err := store(t).Approve(sub); err == nil {
			t.Errorf("%q was approved", path)
		}
	}
}
