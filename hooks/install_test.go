package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// lab is a repository to install into, with some of its configuration.
func lab(t *testing.T, config ...string) (Installer, string) {
	t.Helper()
	r := gittest.New(t)
	if len(config) > 0 {
		r.Git(append([]string{"config"}, config...)...)
	}
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	return Installer{Repo: repo, Binary: "/opt/it's here/git-tdd", Shims: true}, filepath.Join(repo.GitDir, "hooks")
}

func put(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	gittest.Write(t, name, text)
	gittest.Check(t, os.Chmod(name, mode))
}

func states(t *testing.T, do func(context.Context) ([]Hook, error)) map[string]Hook {
	t.Helper()
	found, err := do(t.Context())
	gittest.Check(t, err)
	out := map[string]Hook{}
	for _, h := range found {
		out[h.Name] = h
	}
	return out
}

// TestInstall: installing again changes nothing, and uninstalling restores what
// was there byte for byte, with its mode.
func TestInstall(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	const theirs = "#!/bin/sh\nexit 0 # theirs\n"
	put(t, filepath.Join(dir, "commit-msg"), theirs, 0o711)
	put(t, filepath.Join(dir, "post-commit"), theirs, 0o644)
	for n := range 2 {
		got := states(t, i.Install)
		for _, name := range (Installer{}).names() {
			want := Installed
			if name == "commit-msg" || name == "post-commit" {
				want = Chained
			}
			if got[name].State != want || got[name].Changed != (n == 0) || !got[name].Guards() {
				t.Errorf("time %d: %+v", n, got[name])
			}
		}
	}
	for _, h := range states(t, i.Uninstall) {
		if !h.Changed {
			t.Errorf("%+v", h)
		}
	}
	for name, mode := range map[string]os.FileMode{"commit-msg": 0o711, "post-commit": 0o644} {
		fi, err := os.Stat(filepath.Join(dir, name))
		gittest.Check(t, err)
		if got := gittest.Read(t, filepath.Join(dir, name)); got != theirs || fi.Mode().Perm() != mode {
			t.Errorf("%s: %q %v", name, got, fi.Mode())
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	for _, h := range states(t, i.Uninstall) {
		if h.Changed {
			t.Errorf("%+v", h)
		}
	}
}

// TestShimsOfOtherVersions: an unchanged one is replaced; one that somebody
// changed never is.
func TestShimsOfOtherVersions(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	old := "#!/bin/sh\n" + marker + "@\nexec git-tdd hook old\n"
	old = strings.Replace(old, "@", digest(old), 1)
	changed := i.shim("pre-push", dir) + "echo changed\n"
	put(t, filepath.Join(dir, "commit-msg"), old, 0o755)
	put(t, filepath.Join(dir, "pre-push"), changed, 0o755)
	got := states(t, i.Install)
	if h := got["commit-msg"]; h.State != Installed || !h.Changed {
		t.Errorf("%+v", h)
	}
	if h := got["pre-push"]; h.Changed || !strings.Contains(h.Remedy, "changed by hand") {
		t.Errorf("%+v", h)
	}
	states(t, i.Uninstall)
	if got := gittest.Read(t, filepath.Join(dir, "pre-push")); got != changed {
		t.Errorf("%q", got)
	}
}

// TestNeverOverwritten: a hook that cannot be chained stays as it is, and the
// remedy says what to do.
func TestNeverOverwritten(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		kept   string // another former hook
		remedy string
	}{
		"goes by its name": {text: "#!/bin/sh\nrun $(basename \"$0\")\n", remedy: "git tdd hook commit-msg"},
		"two of them":      {text: "#!/bin/sh\n# b\n", kept: "#!/bin/sh\n# a\n", remedy: "delete the one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, dir := lab(t)
			path := filepath.Join(dir, "commit-msg")
			put(t, path, tc.text, 0o755)
			if tc.kept != "" {
				put(t, path+suffix, tc.kept, 0o755)
			}
			h := states(t, i.Install)["commit-msg"]
			if h.Changed || h.Guards() || !strings.Contains(h.Remedy, tc.remedy) {
				t.Errorf("%+v", h)
			}
			states(t, i.Uninstall)
			if got := gittest.Read(t, path); got != tc.text {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestHooksPath: a folder in the repository is used, one outside is not, and
// husky's is not written to.
func TestHooksPath(t *testing.T) {
	t.Parallel()
	i, _ := lab(t, "core.hooksPath", "my hooks")
	if h := states(t, i.Install)["commit-msg"]; h.State != Installed || !strings.Contains(h.Path, "my hooks") {
		t.Errorf("%+v", h)
	}
	outside := t.TempDir()
	i, _ = lab(t, "core.hooksPath", outside)
	if h := states(t, i.Install)["commit-msg"]; h.State != Absent || !strings.Contains(h.Remedy, "add the line") {
		t.Errorf("%+v", h)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	i, _ = lab(t, "core.hooksPath", ".husky/_")
	dir := filepath.Join(i.Repo.Top, ".husky")
	for _, name := range []string{"h", "commit-msg"} {
		put(t, filepath.Join(dir, "_", name), "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n", 0o755)
	}
	h := states(t, i.Install)["commit-msg"]
	if h.Guards() || h.Changed || !strings.Contains(h.Remedy, filepath.Join(dir, "commit-msg")) {
		t.Errorf("%+v", h)
	}
	put(t, filepath.Join(dir, "commit-msg"), "git tdd hook commit-msg \"$@\"\n", 0o644)
	if h := states(t, i.Status)["commit-msg"]; h.State != Behind {
		t.Errorf("%+v", h)
	}
}

// TestAnotherManagerOnTop: pre-commit keeps the shim as its legacy hook and
// runs it; installing again changes nothing, uninstalling removes it.
func TestAnotherManagerOnTop(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	states(t, i.Install)
	path := filepath.Join(dir, "commit-msg")
	gittest.Check(t, os.Rename(path, path+".legacy"))
	put(t, path, "#!/bin/sh\n# theirs\n", 0o755)
	if h := states(t, i.Install)["commit-msg"]; h.State != Behind || h.Changed {
		t.Errorf("%+v", h)
	}
	states(t, i.Uninstall)
	if _, err := os.Lstat(path + ".legacy"); err == nil {
		t.Error("the legacy shim is still there")
	}
}

// TestAnotherManagerCallsUs: the settings of lefthook and pre-commit may name us.
func TestAnotherManagerCallsUs(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct{ hook, settings string }{
		"lefthook.yml":            {"#!/bin/sh\nlefthook run commit-msg \"$@\"\n", "commit-msg:\n  jobs:\n    - run: git tdd hook commit-msg {1}\n"},
		".pre-commit-config.yaml": {"#!/bin/sh\n# File generated by pre-commit\n", "repos:\n- hooks:\n  - id: git-tdd\n"},
	} {
		i, dir := lab(t)
		put(t, filepath.Join(dir, "commit-msg"), c.hook, 0o755)
		if h := states(t, i.Status)["commit-msg"]; h.State != Foreign {
			t.Errorf("%s: without the line: %+v", file, h)
		}
		put(t, filepath.Join(i.Repo.Top, file), c.settings, 0o644)
		if h := states(t, i.Install)["commit-msg"]; h.State != Behind || h.Changed {
			t.Errorf("%s: %+v", file, h)
		}
	}
}

func TestNotExecutable(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	states(t, i.Install)
	gittest.Check(t, os.Chmod(filepath.Join(dir, "commit-msg"), 0o644))
	if h := states(t, i.Status)["commit-msg"]; h.State != Idle || h.Guards() || h.Remedy == "" {
		t.Errorf("%+v", h)
	}
}
