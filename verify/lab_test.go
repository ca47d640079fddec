package verify_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/verify"
)

// lab is a repository whose commits are made by plumbing: nobody judges them.
type lab struct {
	*gittest.Repo
	repo *gitx.Repo
	dirs facts.Dirs
}

func newLab(t *testing.T) *lab {
	t.Helper()
	gittest.Need(t, "go")
	l := &lab{Repo: gittest.New(t)}
	l.Env = append(l.Env, "GOFLAGS=-vet=off")
	l.dirs = facts.Dirs{Cache: filepath.Join(l.Home, "cache"), State: filepath.Join(l.Home, "state")}
	var err error
	l.repo, err = gitx.Open(t.Context(), gitx.Options{Dir: l.Dir, Environ: l.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = l.repo.Close() })
	return l
}

type files = gittest.Files

func (l *lab) commit(message string, f files, parents ...gitx.ID) gitx.ID {
	l.Helper()
	return gittest.CommitTree(l.Repo, message, gitx.ID(l.Tree(f)), parents...)
}

// run judges commits as another process would.
func (l *lab) run(jobs int, fresh check.Fresh, ids []gitx.ID) verify.Report {
	l.Helper()
	shared := &check.Shared{}
	var told []gitx.ID
	report, err := verify.Run(l.Context(), verify.Options{
		Repo: l.repo, Jobs: jobs,
		Open: func() *check.Checker {
			return check.New(check.Options{Repo: l.repo, Dirs: l.dirs, Environ: l.Env, Languages: lang.All(), Fresh: fresh, Shared: shared})
		},
		OnProof: func(p verify.Proof) { told = append(told, p.Commit) },
	}, ids)
	gittest.Check(l, err)
	if !slices.Equal(told, ids) {
		l.Errorf("told of %d commits, not in the order of the range", len(told))
	}
	return report
}
