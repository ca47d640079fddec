package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestOpenFindsWhatGitFinds compares Open with git rev-parse.
func TestOpenFindsWhatGitFinds(t *testing.T) {
	t.Parallel()
	below := func(l *lab, name string) *lab {
		dir := l.Path(name)
		gittest.Check(l, os.MkdirAll(dir, 0o755))
		return l.at(dir)
	}
	with := func(l *lab, dir string, env ...string) *lab {
		l = l.at(dir)
		l.Env = append(env, l.Env...)
		return l
	}
	rooted := func(r *gittest.Repo) *lab {
		r.Commit("root")
		return &lab{r}
	}
	cases := map[string]func(l *lab) *lab{
		"top":          func(l *lab) *lab { return l },
		"subdirectory": func(l *lab) *lab { return below(l, "a/b") },
		"spaces and unicode": func(l *lab) *lab {
			return rooted(gittest.In(l, filepath.Join(l.TempDir(), "Übung 1 – ключ")))
		},
		"symlinked folder": func(l *lab) *lab {
			link := filepath.Join(l.TempDir(), "link")
			gittest.Check(l, os.Symlink(l.Dir, link))
			return l.at(link)
		},
		"linked worktree":                   func(l *lab) *lab { return l.worktree() },
		"subdirectory of a linked worktree": func(l *lab) *lab { return below(l.worktree(), "deep/er") },
		"submodule": func(l *lab) *lab {
			l.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", committed(l).Dir, "sub")
			return l.at(l.Path("sub"))
		},
		"separate git dir": func(l *lab) *lab {
			return rooted(gittest.New(l, "--separate-git-dir="+filepath.Join(l.TempDir(), "elsewhere")))
		},
		"core.worktree":  func(l *lab) *lab { l.Git("config", "core.worktree", l.TempDir()); return l },
		"worktreeConfig": func(l *lab) *lab { l.Git("sparse-checkout", "set", "--cone", "a"); return l },
		"GIT_DIR and GIT_WORK_TREE": func(l *lab) *lab {
			return with(l, l.TempDir(), "GIT_DIR="+l.Path(".git"), "GIT_WORK_TREE="+l.Dir)
		},
		"GIT_DIR alone":       func(l *lab) *lab { return with(l, l.TempDir(), "GIT_DIR="+l.Path(".git")) },
		"GIT_WORK_TREE alone": func(l *lab) *lab { return with(l, l.Dir, "GIT_WORK_TREE="+l.Path("..")) },
		"relative GIT_DIR":    func(l *lab) *lab { return with(l, l.Dir, "GIT_DIR=.git") },
		"a .git folder that is no repository": func(l *lab) *lab {
			l.Write("vendored/.git/config", "[core]\n\tbare = false\n")
			return l.at(l.Path("vendored"))
		},
		"SHA-256":                      func(l *lab) *lab { return rooted(gittest.New(l, "--object-format=sha256")) },
		"include in the configuration": func(l *lab) *lab { l.Git("config", "include.path", "more"); return l },
	}
	for name, setUp := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			user := setUp(committed(t))
			want := strings.Split(user.Git("rev-parse", "--path-format=absolute",
				"--show-toplevel", "--absolute-git-dir", "--git-common-dir", "HEAD", "HEAD^{tree}"), "\n")
			r := user.open()
			head, err := r.Head(context.Background())
			gittest.Check(t, err)
			got := []string{r.Top, r.GitDir, real(t, r.CommonDir), string(head.Commit), string(head.Tree)}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%d: %s, want %s", i, got[i], want[i])
				}
			}
			if want := user.Git("symbolic-ref", "HEAD"); head.Branch != want {
				t.Errorf("branch %s, want %s", head.Branch, want)
			}
			// What git says is about the repository that was found.
			if _, err := r.WriteTree(context.Background(), head.Tree, []TreeEdit{put("x", "y")}); err != nil {
				t.Error(err)
			}
			if id, err := r.Ref(context.Background(), head.Branch); err != nil || id != head.Commit {
				t.Errorf("ref %s, %v", id, err)
			}
		})
	}
}

func real(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.EvalSymlinks(name)
	gittest.Check(t, err)
	return name
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	empty := t.TempDir()
	if _, err := Open(ctx, Options{Dir: empty, Environ: l.Env}); !errors.Is(err, ErrNotRepository) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := Open(ctx, Options{Dir: filepath.Join(empty, "missing"), Environ: l.Env}); err == nil {
		t.Error("a missing folder was opened")
	}
	bare := newLab(t, "--bare")
	if _, err := Open(ctx, Options{Dir: bare.Dir, Environ: l.Env}); !errors.Is(err, ErrBare) {
		t.Errorf("bare: %v", err)
	}
	for _, text := range []string{"bare = true", "bare", "bare=1", "BARE = yes"} {
		l := committed(t)
		config := strings.Replace(l.Read(".git/config"), "bare = false", text, 1)
		l.Write(".git/config", config)
		if _, err := Open(ctx, Options{Dir: l.Dir, Environ: l.Env}); !errors.Is(err, ErrBare) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Open(ctx, Options{Dir: l.Path(".git/refs"), Environ: l.Env}); err == nil {
		t.Error("the inside of .git was opened")
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "new", "-odd name")
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	r, err := Init(ctx, Options{Dir: dir, Environ: env})
	gittest.Check(t, err)
	defer func() { _ = r.Close() }()
	head, err := r.Head(ctx)
	if err != nil || !head.Unborn() || head.Detached() || head.Name() != "main" {
		t.Errorf("%+v, %v", head, err)
	}
	l := newLab(t)
	l.Git("config", "--global", "init.defaultBranch", "trunk")
	own, err := Init(ctx, Options{Dir: filepath.Join(l.Dir, "own"), Environ: l.Env})
	gittest.Check(t, err)
	defer func() { _ = own.Close() }()
	if head, err := own.Head(ctx); err != nil || head.Name() != "trunk" {
		t.Errorf("%+v, %v", head, err)
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open()
	head, err := r.Head(ctx)
	if err != nil || !head.Unborn() || head.Branch != "refs/heads/main" || head.Tree != "" {
		t.Errorf("unborn: %+v, %v", head, err)
	}
	first := l.commit("root")
	if head, err = r.Head(ctx); err != nil || head.Commit != first || head.Unborn() {
		t.Errorf("born: %+v, %v", head, err)
	}
	l.Git("pack-refs", "--all")
	l.Git("checkout", "--quiet", "--detach")
	if head, err = r.Head(ctx); err != nil || !head.Detached() || head.Commit != first {
		t.Errorf("detached: %+v, %v", head, err)
	}
}

func TestVersionAndConfig(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open()
	version, err := r.Version(ctx)
	if err != nil || !strings.Contains(l.Git("version"), version) || strings.Count(version, ".") < 2 {
		t.Errorf("%q, %v", version, err)
	}
	if set, err := r.Config(ctx, nil, "^pretty"); len(set) > 0 || err != nil {
		t.Errorf("unset: %v %v", set, err)
	}
	gittest.Check(t, r.SetConfig(ctx, "pretty.tdd", "format:%h %s"))
	set, err := r.Config(ctx, []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=pretty.given", "GIT_CONFIG_VALUE_0=x\ny"}, "^pretty")
	if len(set) != 2 || set["pretty.tdd"] != "format:%h %s" || set["pretty.given"] != "x\ny" || err != nil {
		t.Errorf("%q %v", set, err)
	}
	if _, err := r.Config(ctx, nil, "["); err == nil {
		t.Error("half a regular expression was read")
	}
	if got := l.Git("config", "--local", "pretty.tdd"); got != "format:%h %s" {
		t.Errorf("git reads %q", got)
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(l.Dir, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		l.Dir: true, filepath.Join(l.Dir, "not", "there"): true, filepath.Join(r.CommonDir, "hooks"): true,
		filepath.Join(link, "a"): true, filepath.Dir(l.Dir): false, l.Dir + "-not": false,
	} {
		if got := r.Contains(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
