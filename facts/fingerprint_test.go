package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// installation is a made-up toolchain that is never run.
type installation struct {
	root string
	m    *Measurer
}

func newInstallation(t *testing.T, name string) *installation {
	t.Helper()
	root := t.TempDir()
	in := &installation{root: root, m: &Measurer{opts: Options{
		Dirs: Dirs{Cache: filepath.Join(root, "home/.cache/git-tdd")}, Language: language(t, name), Languages: lang.All(),
		Environ: []string{"PATH=" + root + "/first:relative:" + root + "/bin", "HOME=" + root + "/home"},
	}}}
	in.write(t, "bin/.keep", "")
	return in
}

func (in *installation) write(t *testing.T, name, content string) {
	t.Helper()
	gittest.Files{name + "*": content}.Write(t, in.root)
}

func (in *installation) link(t *testing.T, name, target string) {
	t.Helper()
	_ = os.Remove(filepath.Join(in.root, name))
	gittest.Check(t, os.Symlink(filepath.Join(in.root, target), filepath.Join(in.root, name)))
}

func (in *installation) env(kv string) { in.m.opts.Environ = append(in.m.opts.Environ, kv) }

func newRustup(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "rust")
	in.write(t, "bin/rustup", "\x7fELF rustup")
	in.link(t, "bin/cargo", "bin/rustup")
	in.link(t, "bin/rustc", "bin/rustup")
	in.write(t, "home/.rustup/settings.toml", "default_toolchain = \"stable\"\n")
	in.write(t, "home/.rustup/toolchains/stable/bin/cargo", "\x7fELF cargo")
	in.write(t, "home/.rustup/toolchains/stable/bin/rustc", "\x7fELF rustc")
	return in
}

func newGo(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "go")
	in.write(t, "goroot/bin/go", "\x7fELF go")
	in.write(t, "goroot/VERSION", "go1.26")
	in.link(t, "bin/go", "goroot/bin/go")
	return in
}

// newPyenv is a version manager whose shims are scripts.
func newPyenv(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "python")
	in.write(t, "pyenv/shims/python3", "#!/usr/bin/env bash\nexec pyenv exec python3\n")
	in.write(t, "pyenv/version", "3.11.7\n")
	in.write(t, "pyenv/versions/3.11.7/bin/python3", "\x7fELF python")
	in.env("PATH=" + in.root + "/pyenv/shims")
	return in
}

// newNode is a plain installation of node, with npm as a package.
func newNode(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "javascript")
	in.write(t, "bin/node", "\x7fELF node")
	in.write(t, "lib/node_modules/npm/package.json", `{"version": "10"}`)
	in.write(t, "lib/node_modules/npm/bin/npm-cli.js", "#!/usr/bin/env node\n")
	in.link(t, "bin/npm", "lib/node_modules/npm/bin/npm-cli.js")
	return in
}

// newVenv is a virtual environment in front of a plain python.
func newVenv(t *testing.T) *installation {
	t.Helper()
	in := newInstallation(t, "python")
	in.write(t, "opt/bin/python3.11", "\x7fELF python")
	in.write(t, "opt/lib/python3.11/os.py", "")
	in.write(t, "venv/pyvenv.cfg", "version = 3.11\n")
	in.write(t, "venv/bin/.keep", "")
	in.link(t, "venv/bin/python3", "opt/bin/python3.11")
	in.env("PATH=" + in.root + "/first:" + in.root + "/venv/bin")
	return in
}

// Everything that may change the answer changes the fingerprint.
func TestFingerprint_seesWhatDecides(t *testing.T) {
	t.Parallel()
	type change struct {
		name string
		do   func(t *testing.T, in *installation)
	}
	writes := func(name, content string) change {
		return change{name, func(t *testing.T, in *installation) { t.Helper(); in.write(t, name, content) }}
	}
	sets := func(kv string) change { return change{kv, func(_ *testing.T, in *installation) { in.env(kv) }} }
	shared := []change{
		sets("PATH=/usr/bin:/bin"),
		{"declared variable", func(_ *testing.T, in *installation) { in.m.opts.Env = []string{"A=1"} }},
	}
	cases := map[string]struct {
		install func(*testing.T) *installation
		changes []change
	}{
		"rustup": {newRustup, append([]change{
			writes("home/.rustup/settings.toml", "default_toolchain = \"nightly\"\n"),
			writes("home/.rustup/toolchains/nightly/bin/cargo", ""),
			writes("home/.rustup/toolchains/stable/bin/cargo", "\x7fELF newer"),
			writes("home/.rustup/toolchains/stable/bin/rustc", "\x7fELF newer"),
			writes("home/.rustup/toolchains/stable/lib/librustc.so", ""),
			writes("bin/rustup", "\x7fELF newer"),
			writes("first/cargo", "\x7fELF before the other"),
			writes("home/rust-toolchain.toml", "[toolchain]\nchannel = \"1.60\"\n"),
			writes("home/.cache/rust-toolchain", "beta"),
			sets("RUSTUP_TOOLCHAIN=nightly"), sets("RUSTUP_HOME=/elsewhere"),
		}, shared...)},
		"pyenv": {newPyenv, append([]change{
			writes("pyenv/version", "3.12.0\n"), writes("pyenv/versions/3.12.0/bin/python3", "\x7fELF python"),
			writes("pyenv/versions/3.11.7/bin/python3", "\x7fELF newer"), writes("pyenv/shims/python3", "#!/bin/sh\n"),
			writes("home/.python-version", "3.10.0\n"), sets("PYENV_VERSION=3.10.0"), sets("VIRTUAL_ENV=/elsewhere"),
		}, shared...)},
		"node": {newNode, append([]change{
			writes("bin/node", "\x7fELF newer"), writes("lib/node_modules/npm/package.json", `{"version": "11.0"}`),
			writes("first/node", "\x7fELF before the other"), writes("home/.nvmrc", "18"), sets("NODE_PATH=/elsewhere"),
		}, shared...)},
		"venv": {newVenv, append([]change{
			writes("venv/pyvenv.cfg", "version = 3.12\n"), writes("opt/bin/python3.11", "\x7fELF newer"), writes("first/python3", "\x7fELF"),
			{"another python", func(t *testing.T, in *installation) {
				t.Helper()
				in.write(t, "opt/bin/python3.12", "\x7fELF python")
				in.link(t, "venv/bin/python3", "opt/bin/python3.12")
			}},
		}, shared...)},
		"go": {newGo, append([]change{
			writes("goroot/bin/go", "\x7fELF newer"), writes("goroot/VERSION", "go1.27"), writes("goroot/go.env", "GOTOOLCHAIN=local"),
			writes("home/.config/go/env", "GOTOOLCHAIN=go1.22.1"), writes("home/go.work", "go 1.27"), writes("first/go", "\x7fELF"),
			sets("GOTOOLCHAIN=go1.22.1"), sets("GOROOT=/elsewhere"), sets("GOFLAGS=-modfile=x"),
		}, shared...)},
	}
	for name, c := range cases {
		for _, change := range c.changes {
			t.Run(name+" "+change.name, func(t *testing.T) {
				t.Parallel()
				in := c.install(t)
				before, complete := in.m.fingerprint(nil)
				again, _ := in.m.fingerprint(nil)
				if !complete || again != before {
					t.Fatalf("complete: %t, stable: %t", complete, again == before)
				}
				change.do(t, in)
				if after, complete := in.m.fingerprint(nil); complete && after == before {
					t.Error("makes no difference")
				}
			})
		}
	}
	in := newRustup(t)
	none, _ := in.m.fingerprint(nil)
	one, _ := in.m.fingerprint(map[string]string{"rust-toolchain": "stable"})
	other, _ := in.m.fingerprint(map[string]string{"rust-toolchain": "beta"})
	if none == one || one == other {
		t.Error("the tree's own choice makes no difference")
	}
}

// If something that matters cannot be seen, the tool itself is asked.
func TestFingerprint_isUnsureOfWhatItCannotSee(t *testing.T) {
	t.Parallel()
	rust, golang, pyenv, node := newRustup, newGo, newPyenv, newNode
	for name, c := range map[string]struct {
		install func(*testing.T) *installation
		files   map[string]string
		do      func(t *testing.T, in *installation)
	}{
		"a shim": {golang, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/go", "#!/bin/sh\nexec asdf") }},
		"another manager": {golang, nil, func(t *testing.T, in *installation) {
			t.Helper()
			in.write(t, "bin/mise", "\x7fELF")
			in.link(t, "bin/go", "bin/mise")
		}},
		"a bare go":          {golang, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/go", "\x7fELF") }},
		"nothing":            {golang, nil, func(_ *testing.T, in *installation) { in.env("PATH=/nowhere") }},
		"a tool of its own":  {golang, nil, func(_ *testing.T, in *installation) { in.m.opts.Language.Tools = [][]string{{"git", "version"}} }},
		"no tool":            {golang, nil, func(_ *testing.T, in *installation) { in.m.opts.Language.Tools = nil }},
		"no toolchains":      {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_HOME=" + in.root + "/none") }},
		"a relative home":    {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_HOME=x") }},
		"a path by variable": {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_TOOLCHAIN=/opt/rust") }},
		"a path by the tree": {rust, map[string]string{"rust-toolchain": "../my-rust\n"}, nil},
		"a shim of node":     {node, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/node", "#!/bin/sh\nexec asdf") }},
		"a shim in a file of its own": {node, nil, func(t *testing.T, in *installation) {
			t.Helper()
			in.write(t, ".proto/shims/node", "\x7fELF")
			in.write(t, ".proto/lib/x", "")
			in.env("PATH=" + in.root + "/.proto/shims")
		}},
		"a node that stands alone": {node, nil, func(t *testing.T, in *installation) {
			t.Helper()
			in.write(t, "alone/bin/node", "\x7fELF")
			in.env("PATH=" + in.root + "/alone/bin")
		}},
		"a script without a package": {node, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/npm", "#!/bin/sh") }},
		"a manager without versions": {pyenv, nil, func(t *testing.T, in *installation) {
			t.Helper()
			in.write(t, "other/shims/python3", "#!/bin/sh")
			in.env("PATH=" + in.root + "/other/shims")
		}},
		"a path in the table": {rust, map[string]string{"rust-toolchain.toml": "[toolchain]\npath = \"here\"\n"}, nil},
	} {
		in := c.install(t)
		if c.do != nil {
			c.do(t, in)
		}
		if _, complete := in.m.fingerprint(c.files); complete {
			t.Errorf("%s: the fingerprint is complete", name)
		}
	}
}

func TestFingerprint_plainCargo(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "rust")
	in.write(t, "bin/cargo", "\x7fELF cargo")
	in.write(t, "bin/rustc", "\x7fELF rustc")
	before, complete := in.m.fingerprint(nil)
	if !complete {
		t.Error("a plain cargo decides by itself, but its fingerprint is incomplete")
	}
	in.write(t, "bin/rustc", "\x7fELF newer")
	if after, _ := in.m.fingerprint(nil); after == before {
		t.Error("another rustc makes no difference")
	}
}

func TestGoesBy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, name string
		want       bool
	}{
		{"cmake", "cmake", true},
		{"python3.11", "python3", true},
		{"x86_64-linux-gnu-g++-12", "c++", true},
		{"clang-14", "c++", true},
		{"ccache", "c++", false},
		{"busybox", "bash", false},
	} {
		if got := goesBy(tt.base, append([]string{tt.name}, "g++", "clang")); got != tt.want {
			t.Errorf("%s called %s: %v", tt.base, tt.name, got)
		}
	}
}
