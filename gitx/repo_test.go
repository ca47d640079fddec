package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenFindsWhatGitFinds compares Open with git rev-parse.
func TestOpenFindsWhatGitFinds(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T) (dir string, env []string){
		"top": func(t *testing.T) (string, []string) { t.Helper(); l := committed(t); return l.dir, l.env },
		"subdirectory": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			l.write(t, "a/b/c.txt", "c")
			return l.path("a/b"), l.env
		},
		"spaces and unicode": func(t *testing.T) (string, []string) {
			t.Helper()
			l := newLabIn(t, filepath.Join(t.TempDir(), "Übung 1 – ключ"))
			l.commit(t, "root")
			return l.dir, l.env
		},
		"symlinked folder": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			link := filepath.Join(t.TempDir(), "link")
			symlink(t, l.dir, link)
			return link, l.env
		},
		"linked worktree": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			dir := filepath.Join(t.TempDir(), "other")
			l.git(t, "worktree", "add", "--quiet", "-b", "other", dir)
			return dir, l.env
		},
		"subdirectory of a linked worktree": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			dir := filepath.Join(t.TempDir(), "other")
			l.git(t, "worktree", "add", "--quiet", "-b", "other", dir)
			return mkdir(t, filepath.Join(dir, "deep", "er")), l.env
		},
		"submodule": func(t *testing.T) (string, []string) {
			t.Helper()
			l, sub := committed(t), committed(t)
			l.git(t, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "sub")
			return l.path("sub"), l.env
		},
		"separate git dir": func(t *testing.T) (string, []string) {
			t.Helper()
			l := newLab(t, "--separate-git-dir="+filepath.Join(t.TempDir(), "elsewhere"))
			l.commit(t, "root")
			return l.dir, l.env
		},
		"core.worktree": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			tree := t.TempDir()
			l.git(t, "config", "core.worktree", tree)
			return l.dir, l.env
		},
		"worktreeConfig": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			l.git(t, "sparse-checkout", "set", "--cone", "a")
			return l.dir, l.env
		},
		"GIT_DIR and GIT_WORK_TREE": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			env := append([]string{"GIT_DIR=" + l.path(".git"), "GIT_WORK_TREE=" + l.dir}, l.env...)
			return t.TempDir(), env
		},
		"GIT_DIR alone": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			return t.TempDir(), append([]string{"GIT_DIR=" + l.path(".git")}, l.env...)
		},
		"GIT_WORK_TREE alone": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			return l.dir, append([]string{"GIT_WORK_TREE=" + l.path("..")}, l.env...)
		},
		"relative GIT_DIR": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			return l.dir, append([]string{"GIT_DIR=.git"}, l.env...)
		},
		"a .git folder that is no repository": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			mkdir(t, l.path("vendored/.git"))
			l.write(t, "vendored/.git/config", "[core]\n\tbare = false\n")
			return l.path("vendored"), l.env
		},
		"SHA-256": func(t *testing.T) (string, []string) {
			t.Helper()
			l := newLab(t, "--object-format=sha256")
			l.commit(t, "root")
			return l.dir, l.env
		},
		"include in the configuration": func(t *testing.T) (string, []string) {
			t.Helper()
			l := committed(t)
			l.git(t, "config", "include.path", "more")
			return l.dir, l.env
		},
	}
	for name, setUp := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := setUp(t)
			user := &lab{dir: dir, env: env}
			want := strings.Split(user.git(t, "rev-parse", "--path-format=absolute",
				"--show-toplevel", "--absolute-git-dir", "--git-common-dir", "HEAD", "HEAD^{tree}"), "\n")
			r := openAt(t, dir, env)
			head, err := r.Head(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got := []string{r.Top, r.GitDir, real(t, r.CommonDir), string(head.Commit), string(head.Tree)}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%d: %s, want %s", i, got[i], want[i])
				}
			}
			if want := user.git(t, "symbolic-ref", "HEAD"); head.Branch != want {
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

func committed(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.write(t, "a/one.txt", "one\n")
	l.commit(t, "root")
	return l
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func real(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	env := labEnv(t)
	empty := t.TempDir()
	if _, err := Open(ctx, Options{Dir: empty, Environ: env}); !errors.Is(err, ErrNotRepository) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := Open(ctx, Options{Dir: filepath.Join(empty, "missing"), Environ: env}); err == nil {
		t.Error("a missing folder was opened")
	}
	bare := newLab(t, "--bare")
	if _, err := Open(ctx, Options{Dir: bare.dir, Environ: env}); !errors.Is(err, ErrBare) {
		t.Errorf("bare: %v", err)
	}
	for _, text := range []string{"bare = true", "bare", "bare=1", "BARE = yes"} {
		l := committed(t)
		config := strings.Replace(l.read(t, ".git/config"), "bare = false", text, 1)
		l.write(t, ".git/config", config)
		if _, err := Open(ctx, Options{Dir: l.dir, Environ: env}); !errors.Is(err, ErrBare) {
			t.Errorf("%q: %v", text, err)
		}
	}
	inside := committed(t)
	if _, err := Open(ctx, Options{Dir: inside.path(".git/refs"), Environ: env}); err == nil {
		t.Error("the inside of .git was opened")
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "new", "-odd name")
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	r, err := Init(ctx, Options{Dir: dir, Environ: env})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	head, err := r.Head(ctx)
	if err != nil || !head.Unborn() || head.Detached() || head.Name() != "main" {
		t.Errorf("%+v, %v", head, err)
	}
	l := newLab(t)
	l.global(t, "init.defaultBranch", "trunk")
	own, err := Init(ctx, Options{Dir: filepath.Join(l.dir, "own"), Environ: l.env})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = own.Close() }()
	if head, err := own.Head(ctx); err != nil || head.Name() != "trunk" {
		t.Errorf("%+v, %v", head, err)
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open(t)
	head, err := r.Head(ctx)
	if err != nil || !head.Unborn() || head.Branch != "refs/heads/main" || head.Tree != "" {
		t.Errorf("unborn: %+v, %v", head, err)
	}
	first := l.commit(t, "root")
	if head, err = r.Head(ctx); err != nil || head.Commit != first || head.Unborn() {
		t.Errorf("born: %+v, %v", head, err)
	}
	l.git(t, "pack-refs", "--all")
	l.git(t, "checkout", "--quiet", "--detach")
	if head, err = r.Head(ctx); err != nil || !head.Detached() || head.Commit != first {
		t.Errorf("detached: %+v, %v", head, err)
	}
}

func TestVersionAndConfig(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	r := l.open(t)
	version, err := r.Version(ctx)
	if err != nil || !strings.Contains(l.git(t, "version"), version) || strings.Count(version, ".") < 2 {
		t.Errorf("%q, %v", version, err)
	}
	if _, ok, err := r.Config(ctx, "pretty.tdd"); ok || err != nil {
		t.Errorf("unset: %v %v", ok, err)
	}
	if err := r.SetConfig(ctx, "pretty.tdd", "format:%h %s"); err != nil {
		t.Fatal(err)
	}
	value, ok, err := r.Config(ctx, "pretty.tdd")
	if value != "format:%h %s" || !ok || err != nil {
		t.Errorf("%q %v %v", value, ok, err)
	}
	if _, _, err := r.Config(ctx, "no-dot"); err == nil {
		t.Error("a key without a section was read")
	}
	if got := l.git(t, "config", "--local", "pretty.tdd"); got != "format:%h %s" {
		t.Errorf("git reads %q", got)
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(l.dir, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		l.dir: true, filepath.Join(l.dir, "not", "there"): true, filepath.Join(r.CommonDir, "hooks"): true,
		filepath.Join(link, "a"): true, filepath.Dir(l.dir): false, l.dir + "-not": false,
	} {
		if got := r.Contains(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
