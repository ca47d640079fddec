package testrun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// userHome makes a home with toolchains, keys and what a project may declare, and
// returns it with a PATH that leads there.
func userHome(t *testing.T) (home, path string) {
	t.Helper()
	home = t.TempDir()
	projecttest.Write(t, home, `
-- .ssh/id --
key
-- .cargo/credentials.toml --
key
-- .cargo/bin/cargo --
#!/bin/sh
-- .cargo/registry/crate --
crate
-- manager/shims/tool --
#!/bin/sh
echo tool
-- manager/versions/1 --
one
-- .local/bin/own --
#!/bin/sh
-- .local/share/keyrings/key --
key
-- .local/share/uv/python/lib/lib.so --
lib
-- .local/share/uv/python/bin/python --
#!/bin/sh
-- other/.git/config --
other
-- declared/file --
declared
-- written/file --
old
`)
	for link, to := range map[string]string{".local/bin/python": "../share/uv/python/bin/python", "current": "manager"} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	return home, strings.Join([]string{filepath.Join(home, ".cargo/bin"), filepath.Join(home, "current/shims"), filepath.Join(home, ".local/bin"), "/usr/bin", "/bin"}, ":")
}

// Within walls a project sees its toolchain and nothing else of a home.
func TestWallsShowToolchains(t *testing.T) {
	t.Parallel()
	walled(t)
	req := shell(t, "")
	home, path := userHome(t)
	req.Commands.Test = []string{"sh", "-c", `cd; find . -type f | LC_ALL=C sort; python && tool || echo no tool
for f in .cargo/bin/x declared/x; do { echo x >$f; } 2>/dev/null && echo changed $f; done
echo x >new; exit 1`}
	req.Environ = []string{"HOME=" + home, "PATH=" + path}
	req.Walls = &testrun.Walls{Network: sandbox.Loopback, Read: []string{filepath.Join(home, "declared")}, Builds: filepath.Join(req.Scratch, "builds")}
	got := projecttest.Measure(t, req)
	projecttest.Want(t, "seen", got.Runs[0].Output, `./.cargo/bin/cargo
./.local/bin/own
./.local/share/uv/python/bin/python
./.local/share/uv/python/lib/lib.so
./declared/file
./manager/shims/tool
./manager/versions/1
tool`)
	if _, err := os.Lstat(filepath.Join(home, "new")); err == nil {
		t.Error("a file was made in the home")
	}
}

// What builds leave in a cache is there for the next one, and not in the user's; what
// else is changed in a cache is lost.
func TestWallsLayerCaches(t *testing.T) {
	t.Parallel()
	walled(t)
	home := t.TempDir()
	projecttest.Write(t, home, "\n-- built/old --\nold\n-- fetched/old --\nold\n")
	req := shell(t, `cat ~/built/* ~/fetched/*; echo new >~/built/new; echo new >~/fetched/new; echo spoiled >~/built/old; exit 1`)
	l := testrun.Generic()
	l.Installation = testrun.Installation{Builds: testrun.FoldersOf("~/built"), Caches: testrun.FoldersOf("~/fetched")}
	req.Languages, req.Environ = testrun.Languages{l}, append(os.Environ(), "HOME="+home)
	req.Walls = &testrun.Walls{Builds: filepath.Join(t.TempDir(), "builds")}
	for _, want := range []string{"old\nold\n", "new\nspoiled\nold\n"} {
		if got := projecttest.Measure(t, req).Runs[0].Output; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(home, "*", "*")); err != nil || len(left) != 2 {
		t.Errorf("%q %v", left, err)
	}
}

// What fails for want of the network is no fact, and says what to do.
func TestOfflineIsNoFact(t *testing.T) {
	t.Parallel()
	walled(t)
	for name, script := range map[string]string{
		"curl":   "echo \"curl: (6) Could not resolve host: example.org\"; exit 6",
		"python": `python3 -c 'import urllib.request as u; u.urlopen("http://192.0.2.1")'`,
		"go":     "echo 'm.go:1:2: dial tcp: lookup proxy.golang.org: i/o timeout'; exit 1",
	} {
		req := shell(t, script)
		for network, finished := range map[sandbox.Network]bool{sandbox.Loopback: false, sandbox.None: false, sandbox.Host: true} {
			if req.Walls = (&testrun.Walls{Network: network}); network == sandbox.Host && name == "python" {
				continue // what it reaches is not ours to say
			}
			got := projecttest.Measure(t, req).Facts
			if got.Finished() != finished || !finished && !strings.Contains(got.Diagnostics[0].Message, "workbench.network: host") {
				t.Errorf("%s %s: %+v", name, network, got)
			}
		}
	}
}

// What walls hide from a test that looks for it is no fact, and says what to do. What
// nobody would have found is one.
func TestHiddenIsNoFact(t *testing.T) {
	t.Parallel()
	walled(t)
	home := t.TempDir()
	projecttest.Write(t, home, "\n-- data/x --\nx\n-- shown/y --\ny\n-- .gitconfig --\n[user]\nname = n\nemail = n@example.org\n")
	shown := filepath.Join(home, "shown")
	for script, remedy := range map[string]string{
		"cat ~/data/x":                      "workbench.read",
		"cat ~/data/z":                      "",
		"cat ~/shown/z":                     "",
		"echo not found: ~/shown/y; exit 1": "",
		"git init -q r && git -C r -c user.useConfigOnly=true commit -qm one --allow-empty": "workbench.read: [~/.gitconfig]",
	} {
		for _, free := range []bool{false, true} {
			req := shell(t, script)
			req.Environ = append(os.Environ(), "HOME="+home)
			if !free {
				req.Walls = &testrun.Walls{Network: sandbox.Loopback, Read: []string{shown}}
			}
			got := projecttest.Measure(t, req)
			finished := free || remedy == ""
			if got.Facts.Finished() != finished || !finished && !strings.Contains(got.Facts.Diagnostics[0].Message, remedy) {
				t.Errorf("free %t: %s: %+v\n%s", free, script, got.Facts, got.Runs[0].Output)
			}
		}
	}
}

// walled skips a test where the system lets no walls be built.
func walled(t *testing.T) {
	t.Helper()
	if !sandbox.Stands(t.Context(), sandbox.Namespaces) {
		t.Skip("the system lets no walls be built here")
	}
}
