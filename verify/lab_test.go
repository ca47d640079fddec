package verify_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/verify"
)

// lab is a repository whose commits are made by plumbing: nobody judges them.
type lab struct {
	t    *testing.T
	repo *gitx.Repo
	dirs facts.Dirs
	env  []string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("go is not installed")
		}
		t.Skip("go is not installed")
	}
	dir := t.TempDir()
	l := &lab{
		t: t, dirs: facts.Dirs{Cache: filepath.Join(dir, "cache"), State: filepath.Join(dir, "state")},
		env: append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GOFLAGS=-vet=off"),
	}
	cmd := exec.CommandContext(t.Context(), "git", "init", "--quiet", "--initial-branch=main", filepath.Join(dir, "work"))
	cmd.Env = l.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	var err error
	l.repo, err = gitx.Open(t.Context(), gitx.Options{Dir: filepath.Join(dir, "work"), Environ: l.env})
	l.check(err)
	t.Cleanup(func() { _ = l.repo.Close() })
	return l
}

func (l *lab) check(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// files maps paths to contents; a content that begins with "->" is a link.
type files map[string]string

// with is a project with some files changed; "-" takes a file away.
func (f files) with(changes files) files {
	out := maps.Clone(f)
	for name, content := range changes {
		if out[name] = content; content == "-" {
			delete(out, name)
		}
	}
	return out
}

func (l *lab) commit(message string, f files, parents ...gitx.ID) gitx.ID {
	l.t.Helper()
	var edits []gitx.TreeEdit
	for _, name := range slices.Sorted(maps.Keys(f)) {
		e := gitx.TreeEdit{Path: name, Content: []byte(f[name])}
		if to, link := strings.CutPrefix(f[name], "->"); link {
			e.Mode, e.Content = gitx.ModeSymlink, []byte(to)
		}
		edits = append(edits, e)
	}
	tree, err := l.repo.WriteTree(l.t.Context(), "", edits)
	l.check(err)
	id, err := l.repo.CommitTree(l.t.Context(), gitx.NewCommit{
		Tree: tree, Parents: parents, Message: message, Author: gitx.Ident{Name: "U", Mail: "u@example.com"},
	})
	l.check(err)
	return id
}

// run judges commits as another process would.
func (l *lab) run(jobs int, fresh check.Fresh, ids []gitx.ID) verify.Report {
	l.t.Helper()
	shared := &check.Shared{}
	var told []gitx.ID
	report, err := verify.Run(l.t.Context(), verify.Options{
		Repo: l.repo, Jobs: jobs,
		Open: func() (*check.Checker, error) {
			return check.New(check.Options{Repo: l.repo, Dirs: l.dirs, Environ: l.env, Fresh: fresh, Shared: shared}), nil
		},
		OnProof: func(p verify.Proof) { told = append(told, p.Commit) },
	}, ids)
	l.check(err)
	if !slices.Equal(told, ids) {
		l.t.Errorf("told of %d commits, not in the order of the range", len(told))
	}
	return report
}
