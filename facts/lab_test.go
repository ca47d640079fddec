package facts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == exportForever {
		exportUntilKilled(os.Args[2])
	}
	os.Exit(m.Run())
}

// lab is a user with a repository and directories of their own.
type lab struct {
	*gittest.Repo
	dirs Dirs
	repo *gitx.Repo
}

func newLab(tb testing.TB) *lab {
	tb.Helper()
	r := gittest.New(tb)
	return labOf(r, r.Home)
}

// labOf is a lab whose directories lie below a base.
func labOf(r *gittest.Repo, base string) *lab {
	r.Helper()
	repo, err := gitx.Open(r.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(r, err)
	r.Cleanup(func() { _ = repo.Close() })
	return &lab{Repo: r, dirs: Dirs{Cache: filepath.Join(base, "cache"), State: filepath.Join(base, "state")}, repo: repo}
}

type files = gittest.Files

func (l *lab) tree(f files) gitx.ID {
	l.Helper()
	return gitx.ID(l.Tree(f))
}

// shell are options that judge a tree by a shell command.
func (l *lab) shell(script string) Options {
	return Options{
		Languages: lang.All(),
		Repo:      l.repo, Dirs: l.dirs, Environ: l.Env, Language: testrun.Generic(),
		Commands: testrun.Commands{Test: []string{"sh", "-c", script}, Timeout: time.Minute},
	}
}

func (l *lab) golang() Options {
	l.Helper()
	gittest.Need(l, "go")
	opts := l.shell("")
	opts.Language = language(l, "go")
	opts.Commands = testrun.Commands{Test: []string{"go", "test", "./..."}, Timeout: 2 * time.Minute}
	return opts
}

func language(tb testing.TB, name string) testrun.Language {
	tb.Helper()
	lang, err := lang.All().ByName(name)
	gittest.Check(tb, err)
	return lang
}

func newMeasurer(tb testing.TB, opts Options) *Measurer {
	tb.Helper()
	m, err := New(opts)
	gittest.Check(tb, err)
	tb.Cleanup(func() { gittest.Check(tb, m.Close()) })
	return m
}

// Again measures a tree anew.
func (m *Measurer) Again(ctx context.Context, tree gitx.ID) (Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.again(ctx, tree)
}

func of(tb testing.TB, m *Measurer, tree gitx.ID) testrun.Result {
	tb.Helper()
	e, err := m.Entry(context.Background(), tree)
	gittest.Check(tb, err)
	return e.Result
}

// snapshot describes every file below a directory, the named folders left out:
// what it is, how it may be used, what it holds.
func snapshot(tb testing.TB, dir string, but ...string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	gittest.Check(tb, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, b := range but {
			if name == filepath.Join(dir, b) {
				return filepath.SkipDir
			}
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		what := fi.Mode().String()
		switch {
		case fi.Mode().IsRegular():
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			what += " " + fi.ModTime().String() + " " + string(content)
		case fi.Mode()&os.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			what += " " + target
		}
		out[strings.TrimPrefix(name, dir)] = what
		return nil
	}))
	return out
}

func differences(a, b map[string]string) []string {
	var out []string
	for name, was := range a {
		if now, ok := b[name]; !ok || now != was {
			out = append(out, name+": "+was+" → "+now)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name+": new")
		}
	}
	return out
}
