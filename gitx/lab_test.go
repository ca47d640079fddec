package gitx

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lab is a repository as its user has it, with a configuration of its own.
type lab struct {
	dir string
	env []string
}

// newLab makes an empty repository on branch main.
func newLab(tb testing.TB, args ...string) *lab {
	tb.Helper()
	return newLabIn(tb, filepath.Join(tb.TempDir(), "work"), args...)
}

func newLabIn(tb testing.TB, dir string, args ...string) *lab {
	tb.Helper()
	l := &lab{dir: dir, env: labEnv(tb)}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	l.git(tb, append([]string{"init", "--quiet"}, args...)...)
	return l
}

// labEnv is an environment in which nothing of this machine's git applies.
func labEnv(tb testing.TB) []string {
	tb.Helper()
	home := tb.TempDir()
	global := filepath.Join(home, "gitconfig")
	text := "[user]\n\tname = Ursula User\n\temail = ursula@example.com\n[init]\n\tdefaultBranch = main\n"
	if err := os.WriteFile(global, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=" + global, "GIT_CONFIG_NOSYSTEM=1",
	}
}

// global adds to the user's own configuration.
func (l *lab) global(tb testing.TB, key, value string) {
	tb.Helper()
	l.git(tb, "config", "--file", lookup(l.env, "GIT_CONFIG_GLOBAL"), key, value)
}

// try runs git as the user would.
func (l *lab) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = l.dir, l.env
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

func (l *lab) git(tb testing.TB, args ...string) string {
	tb.Helper()
	out, err := l.try(args...)
	if err != nil {
		tb.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (l *lab) open(tb testing.TB) *Repo {
	tb.Helper()
	return openAt(tb, l.dir, l.env)
}

func openAt(tb testing.TB, dir string, env []string) *Repo {
	tb.Helper()
	r, err := Open(context.Background(), Options{Dir: dir, Environ: env})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *lab) write(tb testing.TB, name, content string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(l.path(name)), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(l.path(name), []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func (l *lab) read(tb testing.TB, name string) string {
	tb.Helper()
	data, err := os.ReadFile(l.path(name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func (l *lab) exists(name string) bool {
	_, err := os.Lstat(l.path(name))
	return err == nil
}

// commit commits everything that lies in the working tree.
func (l *lab) commit(tb testing.TB, message string) ID {
	tb.Helper()
	l.git(tb, "add", "--all")
	l.git(tb, "commit", "--quiet", "--allow-empty", "-m", message)
	return l.rev(tb, "HEAD")
}

func (l *lab) rev(tb testing.TB, name string) ID {
	tb.Helper()
	return ID(l.git(tb, "rev-parse", name))
}

func (l *lab) status(tb testing.TB) string {
	tb.Helper()
	return l.git(tb, "status", "--porcelain")
}

// step makes a commit of edits on top of HEAD, as a step does, and returns the
// landing that is still to be done.
func (*lab) step(tb testing.TB, r *Repo, edits ...TreeEdit) Landing {
	tb.Helper()
	ctx := context.Background()
	head, err := r.Head(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := r.WriteTree(ctx, head.Tree, edits)
	if err != nil {
		tb.Fatal(err)
	}
	c := NewCommit{Tree: tree, Author: Ident{Name: "Tess Tester", Mail: "tess@example.com"}, Message: "test: a step\n"}
	if !head.Unborn() {
		c.Parents = []ID{head.Commit}
	}
	id, err := r.CommitTree(ctx, c)
	if err != nil {
		tb.Fatal(err)
	}
	return Landing{Branch: head.Branch, Old: head.Commit, New: id, Log: "tdd: test: a step"}
}

func put(name, content string) TreeEdit { return TreeEdit{Path: name, Content: []byte(content)} }

// landed asserts that a landing is complete and left nothing behind.
func (l *lab) landed(tb testing.TB, want Landing, status string) {
	tb.Helper()
	if got := l.rev(tb, want.Branch); got != want.New {
		tb.Errorf("%s is at %s, want %s", want.Branch, got, want.New)
	}
	if got := l.status(tb); got != status {
		tb.Errorf("status:\n%s\nwant:\n%s", got, status)
	}
	l.tidy(tb)
}

// tidy asserts that the repository is sound and holds nothing of git-tdd's.
func (l *lab) tidy(tb testing.TB) {
	tb.Helper()
	l.sound(tb)
	l.clear(tb)
}

// clear asserts that nothing of git-tdd's is left in the repository.
func (l *lab) clear(tb testing.TB) {
	tb.Helper()
	if out := l.git(tb, "for-each-ref", "refs/tdd"); out != "" {
		tb.Errorf("left behind: %s", out)
	}
	err := filepath.WalkDir(l.dir, func(name string, _ os.DirEntry, err error) error {
		base := filepath.Base(name)
		if strings.HasSuffix(base, ".lock") || (strings.HasPrefix(base, ".tdd-") && strings.HasSuffix(base, ".tmp")) ||
			strings.HasPrefix(base, "tmp-") || strings.HasPrefix(base, "landing") {
			tb.Errorf("left behind: %s", name)
		}
		return err
	})
	if err != nil {
		tb.Error(err)
	}
}

// sound asserts that git finds nothing wrong with the repository.
func (l *lab) sound(tb testing.TB) {
	tb.Helper()
	if out := l.git(tb, "-c", "advice.sparseIndexExpanded=false", "fsck", "--strict", "--no-dangling"); out != "" {
		tb.Errorf("fsck: %s", out)
	}
}
