package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// ErrNotRepository says that a directory is not in a git repository.
var ErrNotRepository = errors.New("not a git repository")

// ErrBare says that a repository has no working tree.
var ErrBare = errors.New("a bare repository has no working tree to work in")

// Options says which repository to open and how.
type Options struct {
	Dir     string   // any directory of the working tree
	Environ []string // the caller's environment, as from os.Environ
	// Seal proves that a text is this user's; nil where nothing lands.
	Seal func(text []byte) (proof string, err error)
}

// Repo is one repository and, unless it is bare, one working tree of it.
// It may be used by several goroutines; Close ends its helper process.
type Repo struct {
	Top       string // root of the working tree, absolute; empty if there is none
	GitDir    string // git directory of this working tree, absolute
	CommonDir string // git directory shared by all working trees, absolute

	git      string // the git binary
	dir      string // where git runs
	env      []string
	explicit bool // git is told where everything is instead of searching
	seal     func([]byte) (string, error)
	objects  objects
	nodes    nodes
	hookless struct {
		sync.Mutex
		env []string // nil if git has not been asked yet
	}

	staleAfter time.Duration // the age from which a lock counts as abandoned
}

// Open finds the repository that holds opts.Dir.
func Open(ctx context.Context, opts Options) (*Repo, error) {
	r, err := unplaced(opts)
	if err != nil {
		return nil, err
	}
	named := chosen(opts.Environ, "GIT_DIR", "GIT_WORK_TREE")
	if len(named) == 0 && r.plain() {
		return r, nil
	}
	return r, r.explained(ctx, r.locate(ctx, named))
}

// chosen are those of some variables that are set, as NAME=value.
func chosen(environ []string, names ...string) (found []string) {
	for _, name := range names {
		if value := envvar.Get(environ, name); value != "" {
			found = append(found, name+"="+value)
		}
	}
	return found
}

// unplaced is a repository that has not been found yet.
func unplaced(opts Options) (*Repo, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("git is not on the PATH; install it, then try again: %w", err)
	}
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", opts.Dir, err)
	}
	return &Repo{git: git, dir: dir, env: childEnv(opts.Environ), seal: opts.Seal, staleAfter: patience}, nil
}

// plain finds a repository of the everyday shape without git: a real .git directory, whose
// configuration cannot put the working tree elsewhere. Git checks its owner at the first
// command. To ask git would add a third to a status and 5 ms to a commit, too much for the bar
// of bench/hooks.sh.
func (r *Repo) plain() bool {
	top, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		return false
	}
	for ; ; top = filepath.Dir(top) {
		if fi, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return fi.IsDir() && r.everyday(top)
		}
		if ordinaryBare(top) || top == filepath.Dir(top) {
			return false
		}
	}
}

// ordinaryBare reports whether a directory looks like a git directory itself.
func ordinaryBare(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "HEAD"))
	_, err2 := os.Stat(filepath.Join(dir, "objects"))
	return err == nil && err2 == nil
}

func (r *Repo) everyday(top string) bool {
	gitDir := filepath.Join(top, ".git")
	config, err := wholefile.Read(filepath.Join(gitDir, "config"))
	if err != nil || !ordinaryBare(gitDir) {
		return false
	}
	config = bytes.ReplaceAll(bytes.ToLower(config), []byte("\tbare = false\n"), nil)
	for _, word := range []string{"worktree", "[include", "bare"} {
		if bytes.Contains(config, []byte(word)) {
			return false
		}
	}
	if _, err := os.Lstat(filepath.Join(gitDir, "commondir")); err == nil {
		return false
	}
	r.Top, r.GitDir, r.CommonDir, r.dir = top, gitDir, gitDir, top
	return true
}

// locate asks git where everything is, in the caller's environment. From then on git is told:
// it would not find its way back from a working tree elsewhere.
func (r *Repo) locate(ctx context.Context, env []string) error {
	bare, err := r.gitDirs(ctx, env)
	if err != nil {
		return err
	}
	if bare {
		return fmt.Errorf("%s: %w", r.GitDir, ErrBare)
	}
	top, err := r.run(ctx, call{args: []string{"rev-parse", "--show-toplevel"}, env: env})
	if err != nil {
		return err
	}
	r.Top = strings.TrimSuffix(string(top), "\n")
	r.dir, r.explicit = r.Top, true
	return nil
}

// gitDirs asks git for the git directories, and whether the repository is bare.
func (r *Repo) gitDirs(ctx context.Context, env []string) (bare bool, err error) {
	out, err := r.run(ctx, call{args: []string{"rev-parse", "--is-bare-repository", "--absolute-git-dir", "--git-common-dir"}, env: env})
	if ge, failed := errors.AsType[*Error](err); failed && strings.Contains(ge.Stderr, "not a git repository") {
		return false, fmt.Errorf("%s: %w (or any of the parent directories); `git tdd init` makes one", r.dir, ErrNotRepository)
	}
	if err != nil {
		return false, err
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) != 3 {
		return false, fmt.Errorf("git rev-parse in %s: unexpected answer %q", r.dir, out)
	}
	r.GitDir, r.CommonDir = lines[1], lines[2]
	if !filepath.IsAbs(r.CommonDir) {
		r.CommonDir = filepath.Join(r.dir, r.CommonDir)
	}
	return lines[0] == "true", nil
}

// Close ends the helper process, if one was started.
func (r *Repo) Close() error { return r.objects.close() }

// StateDir is git-tdd's own folder in the git directory that all working trees
// share. It holds locks and caches, but no state that decides anything.
func (r *Repo) StateDir() string { return filepath.Join(r.CommonDir, "tdd") }

// own is a name for something of this working tree among all of them; the main one adds nothing.
func (r *Repo) own(name string) string {
	if _, err := os.Lstat(filepath.Join(r.GitDir, "commondir")); err != nil {
		return name
	}
	return name + "-" + filepath.Base(r.GitDir)
}

func (r *Repo) makeStateDir() error {
	if err := os.MkdirAll(r.StateDir(), 0o750); err != nil {
		return fmt.Errorf("make git-tdd's folder in the git directory: %w", err)
	}
	return nil
}

// Init makes a repository in opts.Dir, which need not exist yet, and opens it.
// Its branch is main unless the user's own configuration names one.
func Init(ctx context.Context, opts Options) (*Repo, error) {
	r, err := unplaced(opts)
	if err != nil {
		return nil, err
	}
	args := []string{"init", "--quiet", "--", r.dir}
	r.dir = "." // the folder need not exist
	if out, err := r.ask(ctx, "config", "--get", "init.defaultBranch"); err != nil || len(bytes.TrimSpace(out)) == 0 {
		args = append([]string{"-c", "init.defaultBranch=main"}, args...)
	}
	if _, err := r.run(ctx, call{args: args}); err != nil {
		return nil, err
	}
	return Open(ctx, opts)
}

// Contains reports whether a path, which need not exist, lies in the working
// tree or in the git directory: by its name, or by where its links lead.
func (r *Repo) Contains(path string) bool {
	for _, dir := range []string{r.Top, r.CommonDir} {
		if dir != "" && (Within(path, dir) || Within(Resolved(path), Resolved(dir))) {
			return true
		}
	}
	return false
}

// Within reports whether a path is a folder or lies in it, by their names only.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Resolved is a path without symbolic links, as far as it exists.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(Resolved(parent), filepath.Base(path))
}

// Oldest is the oldest git with everything that is used here.
const Oldest = "2.36"

// ErrOld says that git is too old to work with.
var ErrOld = errors.New("is too old: git-tdd needs git " + Oldest + " or newer; install one, and have it first on the PATH")

// Version is git's own version, as in "2.39.5".
func (r *Repo) Version(ctx context.Context) (string, error) {
	out, err := r.ask(ctx, "version")
	text, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), " ")
	return text, err
}

// explained is a failure of git, or that it is too old: only then is git asked for its version.
func (r *Repo) explained(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, ErrNotRepository) {
		return err
	}
	if version, err2 := r.Version(ctx); err2 == nil && Older(version, Oldest) {
		return fmt.Errorf("git %s %w", version, ErrOld)
	}
	return err
}

// Older compares dotted version numbers, up to what is no number.
func Older(have, want string) bool { return slices.Compare(numbers(have), numbers(want)) < 0 }

func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		all = append(all, n)
	}
	return all
}
