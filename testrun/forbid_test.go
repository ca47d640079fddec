package testrun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// forbidding skips a test where no walls can be made of Landlock.
func forbidding(t *testing.T) {
	t.Helper()
	if !sandbox.Stands(t.Context(), sandbox.Landlock) {
		t.Skip("the kernel has no Landlock, or one that is too old")
	}
}

// Within walls that forbid a project finds a home of its own, which leads to its
// toolchain and to what was declared, and may read nothing else of the user's.
func TestForbiddingWallsShowToolchains(t *testing.T) {
	t.Parallel()
	forbidding(t)
	req := shell(t, "")
	home, path := userHome(t)
	req.Commands.Test = []string{"sh", "-c", `home=` + home + `
tool; cat ~/declared/file $home/declared/file
for f in .ssh/id .cargo/credentials.toml .local/share/keyrings/key; do cat ~/$f $home/$f && echo read $f; done 2>/dev/null
for f in .cargo/bin/x declared/x manager/x; do { echo x >$home/$f; } 2>/dev/null && echo changed $f; done
echo x >~/new && cat ~/new && echo new >~/written/file && ls ~/.local/bin; exit 1`}
	req.Environ = []string{"HOME=" + home, "PATH=" + path}
	req.Walls = &testrun.Walls{
		By: sandbox.Landlock, Read: []string{filepath.Join(home, "declared")}, Write: []string{filepath.Join(home, "written")}, Builds: filepath.Join(req.Scratch, "builds"),
	}
	projecttest.Want(t, "seen", projecttest.Measure(t, req).Runs[0].Output, "tool\ndeclared\ndeclared\nx\nown\npython")
	if _, err := os.Lstat(filepath.Join(home, "new")); err == nil {
		t.Error("a file was made in the home")
	}
	if got, err := os.ReadFile(filepath.Join(home, "written/file")); err != nil || string(got) != "new\n" {
		t.Errorf("what may be written was not: %q %v", got, err)
	}
}

// What builds leave in a cache is there for the next one, and not in the user's, also
// where a variable names it; other caches cannot be changed.
func TestForbiddingWallsKeepCaches(t *testing.T) {
	t.Parallel()
	forbidding(t)
	home := t.TempDir()
	projecttest.Write(t, home, "\n-- built/old --\nold\n-- named/old --\nold\n-- fetched/old --\nold\n")
	req := shell(t, `cat ~/built/* $NAMED/*; cat ~/fetched/*; echo new >~/built/new; echo named >$NAMED/new; { echo spoiled >~/fetched/old; } 2>/dev/null; { echo spoiled >~/../../fetched/old; } 2>/dev/null; exit 1`)
	l := testrun.Generic()
	l.Installation = testrun.Installation{Builds: testrun.FoldersOf("~/built", "$NAMED"), Caches: testrun.FoldersOf("~/fetched")}
	req.Languages, req.Environ, req.Env = testrun.Languages{l}, append(os.Environ(), "HOME="+home), []string{"NAMED=" + filepath.Join(home, "named")}
	req.Walls = &testrun.Walls{By: sandbox.Landlock, Builds: filepath.Join(t.TempDir(), "builds")}
	for _, want := range []string{"old\n", "new\nnamed\nold\n"} {
		var said []string
		for line := range strings.Lines(projecttest.Measure(t, req).Runs[0].Output) {
			if !strings.HasPrefix(line, "cat: ") { // nothing was built yet
				said = append(said, line)
			}
		}
		if got := strings.Join(said, ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, name := range []string{"built/old", "named/old", "fetched/old"} {
		if got, err := os.ReadFile(filepath.Join(home, name)); err != nil || string(got) != "old\n" {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(home, "*", "new")); err != nil || len(left) > 0 {
		t.Errorf("%q %v", left, err)
	}
}

// What fails because walls forbid it is no fact, and says what to do. What fails for
// another reason is one.
func TestForbiddenIsNoFact(t *testing.T) {
	t.Parallel()
	forbidding(t)
	home := t.TempDir()
	projecttest.Write(t, home, "\n-- data/x --\nx\n-- shown/y --\ny\n-- .gitconfig --\n[user]\nname = n\nemail = n@example.org\n")
	shown := filepath.Join(home, "shown")
	for name, c := range map[string]struct{ script, remedy string }{
		"a hidden file":      {"cat " + home + "/data/x", "workbench.read"},
		"a temporary file":   {"echo x >/tmp/git-tdd-forbidden-$$", "TMPDIR"},
		"shared memory":      {"echo x >/dev/shm/git-tdd-forbidden-$$", "workbench.write"},
		"its own":            {"echo \"cat: $PWD/a: Permission denied\"; exit 1", ""},
		"what is shown":      {"echo x >" + shown + "/x; exit 1", ""},
		"what is not there":  {"cat ~/data/z", ""},
		"a server elsewhere": {`python3 -c 'import socket; socket.create_connection(("192.0.2.1", 9), 1)'`, "workbench.network: host"},
		"a server of its own": {
			`python3 -c 'import socket; socket.create_server(("127.0.0.1", 0))'`, "workbench.network: host",
		},
		"a socket of its own": {
			`python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("s"); s.listen(); socket.socket(socket.AF_UNIX).connect("s")' && exit 1`, "",
		},
		"nobody who commits": {"git init -q r && git -C r -c user.useConfigOnly=true commit -qm one --allow-empty", "workbench.read: [~/.gitconfig]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := shell(t, c.script)
			req.Environ = append(os.Environ(), "HOME="+home)
			req.Walls = &testrun.Walls{By: sandbox.Landlock, Network: sandbox.Loopback, Read: []string{shown}, Builds: filepath.Join(req.Scratch, "builds")}
			got := projecttest.Measure(t, req)
			if name == "a socket of its own" && got.Facts.Outcome != gates.Failed {
				c.remedy = "workbench.network: host" // the kernel's Landlock cannot tell it from others'
			}
			finished := c.remedy == ""
			if got.Facts.Finished() != finished || !finished && !strings.Contains(got.Facts.Diagnostics[0].Message, c.remedy) {
				t.Errorf("%+v\n%s", got.Facts, got.Runs[0].Output)
			}
		})
	}
}
