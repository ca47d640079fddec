package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestToolchain_isAskedOnceForAllProcesses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.golang(t)
	m := newMeasurer(t, opts)
	tree := l.tree(t, files{"go.mod": "module x\n\ngo 1.21\n"})
	version, err := m.toolchain(t.Context(), tree)
	check(t, err)
	if !strings.Contains(version, "go version go1") {
		t.Fatal(version)
	}
	plant(t, m, files{"go.mod": "module x\n\ngo 1.21\n"}, "planted")
	again := func(m *Measurer, f files) string {
		version, err := m.toolchain(t.Context(), l.tree(t, f))
		check(t, err)
		return version
	}
	other := newMeasurer(t, opts) // as in another process
	if got := again(other, files{"go.mod": "module x\n\ngo 1.21\n"}); got != "planted" {
		t.Errorf("the toolchain was asked again: %q", got)
	}
	if got := again(other, files{"go.mod": "module x\n\ngo 1.22\n"}); got == "planted" {
		t.Error("another go.mod makes no difference")
	}
	if got := again(other, files{}); got == "planted" {
		t.Error("no go.mod makes no difference")
	}
	changed := opts
	changed.Environ = append(slices.Clone(opts.Environ), "GOTOOLCHAIN=local")
	if got := again(newMeasurer(t, changed), files{"go.mod": "module x\n\ngo 1.21\n"}); got == "planted" {
		t.Error("GOTOOLCHAIN makes no difference")
	}
}

// plant puts a version on record that no tool would give.
func plant(tb testing.TB, m *Measurer, f files, version string) {
	tb.Helper()
	content := map[string][]byte{}
	for name, text := range f {
		content[name] = []byte(text)
	}
	mark, sure := m.fingerprint(content)
	if !sure {
		tb.Skip("this toolchain does not show what decides its version")
	}
	name := filepath.Join(m.opts.Dirs.Cache, "toolchain", mark)
	if _, err := os.Stat(name); err != nil {
		tb.Fatal("nothing is on record:", err)
	}
	check(tb, writeAtomic(name, m.store.secret.seal(toolchainLabel, []byte(mark+"\n"+version))))
}

func TestToolchain_recordsAreAuthenticated(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.golang(t))
	tree := l.tree(t, files{})
	version, err := m.toolchain(t.Context(), tree)
	check(t, err)
	plant(t, m, files{}, "planted")
	mark, _ := m.fingerprint(map[string][]byte{})
	name := filepath.Join(l.dirs.Cache, "toolchain", mark)
	for what, data := range map[string][]byte{
		"forged":    make(secret, secretSize).seal(toolchainLabel, []byte(mark+"\nplanted")),
		"an entry":  m.store.secret.seal(entryLabel, []byte(mark+"\nplanted")),
		"of others": m.store.secret.seal(toolchainLabel, []byte("0"+mark[1:]+"\nplanted")),
		"bare":      []byte(mark + "\nplanted"),
		"empty":     {},
	} {
		check(t, os.WriteFile(name, data, 0o600))
		got, err := m.toolchain(t.Context(), tree)
		check(t, err)
		if got != version {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// A tree chooses its toolchain: one measurer must not mix them up.
func TestOf_eachTreeHasItsToolchain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.shell("true")
	opts.Language.Tools = [][]string{{"cat", "version"}}
	opts.Language.VersionFiles = []string{"version"}
	m := newMeasurer(t, opts)
	for _, version := range []string{"1", "2", "1"} {
		tree := l.tree(t, files{"version": version})
		of(t, m, tree)
		e, ok := m.Known(tree)
		if !ok || !strings.Contains(e.Toolchain, "cat version: 0\n"+version+"\n") {
			t.Errorf("version %s: %q", version, e.Toolchain)
		}
	}
	names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "toolchain", "*"))
	check(t, err)
	if len(names) > 0 {
		t.Errorf("kept what an unknown tool said: %v", names)
	}
}

// installation is a made-up toolchain; nothing of it is ever run.
type installation struct {
	root string
	m    *Measurer
}

func newInstallation(t *testing.T, lang string) *installation {
	t.Helper()
	root := t.TempDir()
	in := &installation{root: root, m: &Measurer{opts: Options{
		Dirs: Dirs{Cache: filepath.Join(root, "home/.cache/git-tdd")}, Language: language(t, lang),
		Environ: []string{"PATH=" + root + "/first:relative:" + root + "/bin", "HOME=" + root + "/home"},
	}}}
	in.write(t, "bin/.keep", "")
	return in
}

func (in *installation) write(t *testing.T, name, content string) {
	t.Helper()
	file := filepath.Join(in.root, name)
	check(t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(t, os.WriteFile(file, []byte(content), 0o755))
}

func (in *installation) link(t *testing.T, name, target string) {
	t.Helper()
	_ = os.Remove(filepath.Join(in.root, name))
	check(t, os.Symlink(filepath.Join(in.root, target), filepath.Join(in.root, name)))
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

// Every change that may change the answer changes the fingerprint.
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
				before, sure := in.m.fingerprint(nil)
				again, _ := in.m.fingerprint(nil)
				if !sure || again != before {
					t.Fatalf("sure: %t, stable: %t", sure, again == before)
				}
				change.do(t, in)
				if after, sure := in.m.fingerprint(nil); sure && after == before {
					t.Error("makes no difference")
				}
			})
		}
	}
	in := newRustup(t)
	none, _ := in.m.fingerprint(nil)
	one, _ := in.m.fingerprint(map[string][]byte{"rust-toolchain": []byte("stable")})
	other, _ := in.m.fingerprint(map[string][]byte{"rust-toolchain": []byte("beta")})
	if none == one || one == other {
		t.Error("the tree's own choice makes no difference")
	}
}

// Where something decisive cannot be seen, the tool itself is asked.
func TestFingerprint_isUnsureOfWhatItCannotSee(t *testing.T) {
	t.Parallel()
	rust, golang := newRustup, newGo
	for name, c := range map[string]struct {
		install func(*testing.T) *installation
		files   map[string][]byte
		do      func(t *testing.T, in *installation)
	}{
		"a shim": {golang, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/go", "#!/bin/sh\nexec asdf") }},
		"another manager": {golang, nil, func(t *testing.T, in *installation) {
			t.Helper()
			in.write(t, "bin/mise", "\x7fELF")
			in.link(t, "bin/go", "bin/mise")
		}},
		"a bare go":           {golang, nil, func(t *testing.T, in *installation) { t.Helper(); in.write(t, "first/go", "\x7fELF") }},
		"nothing":             {golang, nil, func(_ *testing.T, in *installation) { in.env("PATH=/nowhere") }},
		"a tool of its own":   {golang, nil, func(_ *testing.T, in *installation) { in.m.opts.Language.Tools = [][]string{{"git", "version"}} }},
		"no tool":             {golang, nil, func(_ *testing.T, in *installation) { in.m.opts.Language.Tools = nil }},
		"no toolchains":       {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_HOME=" + in.root + "/none") }},
		"a relative home":     {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_HOME=x") }},
		"a path by variable":  {rust, nil, func(_ *testing.T, in *installation) { in.env("RUSTUP_TOOLCHAIN=/opt/rust") }},
		"a path by the tree":  {rust, map[string][]byte{"rust-toolchain": []byte("../my-rust\n")}, nil},
		"a path in the table": {rust, map[string][]byte{"rust-toolchain.toml": []byte("[toolchain]\npath = \"here\"\n")}, nil},
	} {
		in := c.install(t)
		if c.do != nil {
			c.do(t, in)
		}
		if _, sure := in.m.fingerprint(c.files); sure {
			t.Errorf("%s: sure", name)
		}
	}
}

func TestFingerprint_plainCargo(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "rust")
	in.write(t, "bin/cargo", "\x7fELF cargo")
	in.write(t, "bin/rustc", "\x7fELF rustc")
	before, sure := in.m.fingerprint(nil)
	if !sure {
		t.Error("a plain cargo decides by itself, but we are not sure")
	}
	in.write(t, "bin/rustc", "\x7fELF newer")
	if after, _ := in.m.fingerprint(nil); after == before {
		t.Error("another rustc makes no difference")
	}
}

// What a tool says when it fails is no version to keep.
func TestAnswered(t *testing.T) {
	t.Parallel()
	tools := [][]string{{"a", "-v"}, {"b"}}
	for version, want := range map[string]bool{
		"a -v: 0\n1\nb: 0\n2\n":     true,
		"a -v: 0\n1\nb: 127\nno\n":  false,
		"a -v: 1\n1\nb: 0\n2\n":     false,
		"":                          false,
		"xa -v: 0\n1\nb: 0\n2\n":    false,
		"a -v: 0\n\nb: 137\nkill\n": false,
	} {
		if got := answered(version, tools); got != want {
			t.Errorf("%q: %t", version, got)
		}
	}
}

// The text that answered reads is the one that testrun writes.
func TestToolchain_failuresAreNotKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	need(t, "go")
	opts := l.golang(t)
	opts.Language.Tools = [][]string{{"go", "no-such-command"}}
	m := newMeasurer(t, opts)
	_, err := m.toolchain(t.Context(), l.tree(t, files{}))
	check(t, err)
	if names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "toolchain", "*")); err != nil || len(names) > 0 {
		t.Errorf("kept %v, %v", names, err)
	}
}

func TestDisagreements(t *testing.T) {
	t.Parallel()
	run := func(outcome, check gates.Outcome, tests ...string) gates.Facts {
		f := gates.Facts{Outcome: outcome, Check: check}
		for _, text := range tests {
			id, status, _ := strings.Cut(text, " ")
			f.Tests = append(f.Tests, gates.Test{ID: id, Status: gates.Status(status)})
		}
		return f
	}
	for _, c := range []struct {
		a, b gates.Facts
		want string
	}{
		{run("failed", "", "a failed", "b passed"), run("failed", "", "a failed", "b passed"), ""},
		{run("failed", "", "a failed"), run("passed", "", "a passed"), "a"},
		{run("failed", "", "a failed"), run("failed", "", "b failed"), "a b"},
		{run("failed", "", "a failed"), run("failed", "", "a failed", "b passed"), "b"},
		{run("failed", ""), run("passed", ""), "the test command"},
		{run("failed", "passed", "a failed"), run("failed", "failed", "a failed"), "the check command"},
	} {
		if got := strings.Join(disagreements(c.a, c.b), " "); got != c.want {
			t.Errorf("%+v %+v: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
