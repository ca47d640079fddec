package facts

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
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
	dir  string
	env  []string
	dirs Dirs
	repo *gitx.Repo
}

func newLab(tb testing.TB) *lab {
	tb.Helper()
	return labAt(tb, tb.TempDir())
}

// labAt makes a lab below a directory, or opens the one that is there.
func labAt(tb testing.TB, base string) *lab {
	tb.Helper()
	l := &lab{
		dir:  filepath.Join(base, "work"),
		env:  append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"),
		dirs: Dirs{Cache: filepath.Join(base, "cache"), State: filepath.Join(base, "state")},
	}
	if _, err := os.Stat(l.dir); err != nil {
		check(tb, os.MkdirAll(l.dir, 0o755))
		l.git(tb, "init", "--quiet", "--initial-branch=main")
	}
	var err error
	l.repo, err = gitx.Open(context.Background(), gitx.Options{Dir: l.dir, Environ: l.env})
	check(tb, err)
	tb.Cleanup(func() { _ = l.repo.Close() })
	return l
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (l *lab) git(tb testing.TB, args ...string) string {
	tb.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=U", "-c", "user.email=u@example.com"}, args...)...)
	cmd.Dir, cmd.Env = l.dir, l.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// files are the files of a tree: a name that ends in * is executable, one that
// ends in @ a symbolic link.
type files map[string]string

func (l *lab) tree(tb testing.TB, f files) gitx.ID {
	tb.Helper()
	var edits []gitx.TreeEdit
	for name, content := range f {
		e := gitx.TreeEdit{Path: strings.TrimRight(name, "*@"), Mode: gitx.ModeFile, Content: []byte(content)}
		switch {
		case strings.HasSuffix(name, "*"):
			e.Mode = gitx.ModeExecutable
		case strings.HasSuffix(name, "@"):
			e.Mode = gitx.ModeSymlink
		}
		edits = append(edits, e)
	}
	id, err := l.repo.WriteTree(context.Background(), "", edits)
	check(tb, err)
	return id
}

// shell are options that judge a tree by a shell command.
func (l *lab) shell(script string) Options {
	return Options{
		Repo: l.repo, Dirs: l.dirs, Environ: l.env, Language: testrun.Generic(),
		Commands: testrun.Commands{Test: []string{"sh", "-c", script}, Timeout: time.Minute},
	}
}

func (l *lab) golang(tb testing.TB) Options {
	tb.Helper()
	need(tb, "go")
	opts := l.shell("")
	opts.Language = language(tb, "go")
	opts.Commands = testrun.Commands{Test: []string{"go", "test", "./..."}, Timeout: 2 * time.Minute}
	return opts
}

func language(tb testing.TB, name string) testrun.Language {
	tb.Helper()
	lang, err := lang.All().ByName(name)
	check(tb, err)
	return lang
}

func need(tb testing.TB, tool string) {
	tb.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		tb.Fatalf("%s is not installed", tool)
	}
	tb.Skipf("%s is not installed", tool)
}

func newMeasurer(tb testing.TB, opts Options) *Measurer {
	tb.Helper()
	m, err := New(opts)
	check(tb, err)
	tb.Cleanup(func() { check(tb, m.Close()) })
	return m
}

func of(tb testing.TB, m *Measurer, tree gitx.ID) testrun.Result {
	tb.Helper()
	result, err := m.Of(context.Background(), tree)
	check(tb, err)
	return result
}

// snapshot describes every file below a directory, the named folders left out:
// what it is, how it may be used, what it holds.
func snapshot(tb testing.TB, dir string, but ...string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	check(tb, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
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
