package gittest

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Repo is a user's repository, and the test that it belongs to.
type Repo struct {
	testing.TB
	Home string   // a folder of the user's, outside of every repository
	Dir  string   // the working tree
	Env  []string // the environment in which git runs
}

// New makes an empty repository by "git init", with more arguments if need be. The
// working tree is the folder work in the user's home.
func New(tb testing.TB, args ...string) *Repo {
	tb.Helper()
	return newUser(tb).init(args...)
}

// In is New with the working tree in some other folder.
func In(tb testing.TB, dir string, args ...string) *Repo {
	tb.Helper()
	return newUser(tb).At(dir).init(args...)
}

// newUser is a user who has no repository yet.
func newUser(tb testing.TB) *Repo {
	tb.Helper()
	home := tb.TempDir()
	global := filepath.Join(home, "gitconfig")
	Write(tb, global, "[user]\n\tname = Ursula User\n\temail = ursula@example.com\n[init]\n\tdefaultBranch = main\n"+
		"[maintenance]\n\tauto = false\n"+ // newer gits tidy up behind a test's back while its folder is removed
		"[core]\n\texcludesFile = /dev/null\n\tattributesFile = /dev/null\n")
	return &Repo{TB: tb, Home: home, Dir: filepath.Join(home, "work"), Env: Environ("GIT_CONFIG_GLOBAL=" + global)}
}

func (r *Repo) init(args ...string) *Repo {
	r.Helper()
	args = append([]string{"init", "--quiet"}, append(args, r.Dir)...)
	Run(r, r.At(r.Home).Command(args...))
	return r
}

// At is the same user in another folder.
func (r *Repo) At(dir string) *Repo {
	other := *r
	other.Dir = dir
	return &other
}

// For is the same repository in another test, such as a subtest.
func (r *Repo) For(tb testing.TB) *Repo {
	tb.Helper()
	other := *r
	other.TB = tb
	return &other
}

// Clone clones the repository for another user by "git clone", with more arguments
// if need be.
func (r *Repo) Clone(args ...string) *Repo {
	r.Helper()
	other := newUser(r.TB)
	r.Git(append([]string{"clone", "--quiet"}, append(args, "file://"+r.Dir, other.Dir)...)...)
	return other
}

// Command is a git command that is still to be run.
func (r *Repo) Command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.Dir, slices.Clone(r.Env)
	return cmd
}

// Git runs a git command that must succeed, and returns what it wrote to standard
// output, without the line breaks at the end.
func (r *Repo) Git(args ...string) string {
	r.Helper()
	return r.Feed("", args...)
}

// Feed is Git for a command that reads from standard input.
func (r *Repo) Feed(stdin string, args ...string) string {
	r.Helper()
	cmd := r.Command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	return strings.TrimRight(Run(r, cmd), "\n")
}

// Try runs a git command that may fail, and returns all that it wrote.
func (r *Repo) Try(args ...string) (string, error) {
	out, err := r.Command(args...).CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

// Path is the path of a file in the working tree.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write writes a file in the working tree.
func (r *Repo) Write(name, content string) {
	r.Helper()
	Write(r, r.Path(name), content)
}

// Read returns the content of a file in the working tree.
func (r *Repo) Read(name string) string {
	r.Helper()
	return Read(r, r.Path(name))
}

// Commit commits all that lies in the working tree, and returns the commit's id.
func (r *Repo) Commit(message string) string {
	r.Helper()
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--allow-empty", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

// Tree stores a tree of files as "git add" stores them, and returns its id. The
// index and the working tree stay as they are.
func (r *Repo) Tree(f Files) string {
	r.Helper()
	aside := r.At(r.TempDir())
	aside.Env = append(slices.Clip(aside.Env),
		"GIT_DIR="+r.Path(".git"), "GIT_WORK_TREE="+aside.Dir, "GIT_INDEX_FILE="+filepath.Join(r.TempDir(), "index"))
	f.Write(r, aside.Dir)
	aside.Git("add", "--all", "--force")
	return aside.Git("write-tree")
}

// CommitTree stores a commit of a tree and returns its id, of whatever type the
// caller's ids are. No branch moves.
func CommitTree[ID ~string](r *Repo, message string, tree ID, parents ...ID) ID {
	r.Helper()
	args := []string{"commit-tree", "-F", "-", string(tree)}
	for _, p := range parents {
		args = append(args, "-p", string(p))
	}
	return ID(r.Feed(message, args...))
}
