package testrun_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// What a system says when it has run out of something is no fact of the tree, in the
// words of several programs; the same words in a quoted source are.
func TestShortageIsNoFact(t *testing.T) {
	t.Parallel()
	for said, short := range map[string]bool{
		"compile: writing output: write $WORK/b001/_pkg_.a: no space left on device":               true,
		"error: could not write output to /t/x.o: No space left on device (os error 28)":           true,
		"/tmp/cc.s: Fatal error: can't write 12 bytes to section .text: 'No space left on device'": true,
		"OSError: [Errno 28] No space left on device":                                              true,
		"Error: ENOSPC: no space left on device, write":                                            true,
		"error while writing App: /t/App.class (No space left on device)":                          true,
		"fopen(): write of 8192 bytes failed with errno=28 No space left on device":                true,
		"ld: final link failed: Disk quota exceeded":                                               true,
		"go: fork/exec /usr/lib/go/compile: resource temporarily unavailable":                      true,
		"open /home/u/.cache/go-build/00: read-only file system":                                   true,
		"open /home/u/x: too many open files in system":                                            true,
		`5 |     assert_eq!(e.to_string(), "No space left on device");`:                            false,
		"no space left on device is what the user should read":                                     false,
		"expected: 'No space left on device' but was ''":                                           false,
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			req := shell(t, `printf '%s\n' "$SAID"; echo done; exit 1`)
			req.Env = []string{"SAID=" + said}
			got := projecttest.Measure(t, req)
			if got.Facts.Finished() == short || short != (got.Facts.Class() == gates.ClassInfra) {
				t.Errorf("%+v", got.Facts)
			}
			req.Commands.Check, req.Commands.Test = req.Commands.Test, []string{"true"}
			if got := projecttest.Measure(t, req); got.Facts.Finished() == short {
				t.Errorf("as a check: %+v", got.Facts)
			}
		})
	}
}

// A test that passes may say what it likes.
func TestPassedInSpiteOfShortage(t *testing.T) {
	t.Parallel()
	if got := projecttest.Measure(t, shell(t, "echo 'x: no space left on device'")); !got.Facts.Green() {
		t.Errorf("%+v", got.Facts)
	}
}

// tiny runs commands with a file system of a megabyte over a folder.
func tiny(t *testing.T, dir string) testrun.Starter {
	t.Helper()
	gittest.Need(t, "unshare", "mount")
	if err := exec.CommandContext(t.Context(), "unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).Run(); err != nil {
		t.Skip("the kernel lets nobody mount here")
	}
	return func(ctx context.Context, c sandbox.Command) (sandbox.Ending, error) {
		c.Args = append([]string{"unshare", "-rm", "sh", "-c", `mount -t tmpfs -o size=1m none "$0" && exec "$@"`, dir}, c.Args...)
		return testrun.Launch(ctx, c)
	}
}

// Real toolchains on a real full disk.
func TestBuildOnAFullDisk(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]struct{ tool, tree, full string }{
		"go":   {"go", "-- go.mod --\nmodule m\n\ngo 1.22\n-- a_test.go --\npackage m\n\nimport (\n\t\"net/http\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) { _ = http.Get }\n", "scratch/tmp"},
		"rust": {"cargo", "-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/lib.rs --\npub fn a() {}\n\n#[test]\nfn b() { a() }\n-- target/keep --\n", "target"},
		"cpp":  {"cmake", "-- CMakeLists.txt --\ncmake_minimum_required(VERSION 3.16)\nproject(m CXX)\nenable_testing()\nadd_executable(a a.cpp)\nadd_test(NAME a COMMAND a)\n-- a.cpp --\n#include <iostream>\nchar big[3 << 20] = {1};\nint main() { std::cout << 1; }\n-- build/keep --\n", "build"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, p.tool)
			l, err := lang.All().ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			req := projecttest.Project(t, l, p.tree)
			dir := filepath.Join(req.Dir, p.full)
			if rest, ok := strings.CutPrefix(p.full, "scratch/"); ok {
				dir = filepath.Join(req.Scratch, rest)
			}
			req.Start = tiny(t, dir)
			got := projecttest.Measure(t, req)
			if got.Facts.Finished() || got.Facts.Class() != gates.ClassInfra {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A failure is no fact where the disk is full when it ends, whatever a test makes of
// the error, nor where the folder for temporary files is gone.
func TestFailureWithoutRoom(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"temporary files": "rm -r $TMPDIR; exit 1", "the tree": `rm -r "$PWD"; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := projecttest.Measure(t, shell(t, script)); got.Facts.Finished() || got.Facts.Class() != gates.ClassInfra {
				t.Errorf("%+v", got.Facts)
			}
		})
	}
	const inside = "TESTRUN_FULL_DISK"
	if os.Getenv(inside) != "" {
		got := projecttest.Measure(t, shell(t, "cat /dev/zero >big 2>/dev/null; exit 1"))
		if got.Facts.Finished() || !strings.Contains(got.Facts.Diagnostics[0].Message, "the file system of") {
			t.Errorf("%+v", got.Facts)
		}
		return
	}
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		onDisk(t, "3m", "TestFailureWithoutRoom", inside+"=1")
	})
}

// onDisk plays a test again whose temporary files lie on a small disk; a variable
// tells it so.
func onDisk(t *testing.T, size, test, variable string) {
	t.Helper()
	dir := t.TempDir()
	_ = tiny(t, dir)
	cmd := exec.CommandContext(t.Context(), "unshare", "-rm", "sh", "-c", `mount -t tmpfs -o size="$1" none "$0" && shift && exec "$@"`,
		dir, size, os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, variable)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A run that fills the disk, wherever it writes to, is ended while others still have
// room, and what it would have shown is no fact.
func TestDiskIsNotFilled(t *testing.T) {
	t.Parallel()
	const inside, size = "TESTRUN_SMALL_DISK", 64 << 20
	if script := os.Getenv(inside); script != "" {
		req := shell(t, `fill() { while head -c 2000000 /dev/zero >>"$1"; do sleep 0.1; done; }; `+script)
		got := projecttest.Measure(t, req)
		if got.Facts.Finished() || got.Facts.Class() != gates.ClassInfra || !strings.Contains(got.Facts.Diagnostics[0].Message, "before it filled") {
			t.Errorf("%+v", got.Facts)
		}
		if info, err := os.Stat(filepath.Join(req.Scratch, "tmp", "big")); err == nil {
			t.Errorf("%d bytes of temporary files are left", info.Size())
		}
		if info, err := os.Stat(filepath.Join(req.Dir, "big")); err == nil && info.Size() < size/2 {
			t.Errorf("it could write only %d bytes", info.Size())
		}
		return
	}
	for name, script := range map[string]string{
		"temporary files":    `fill "$TMPDIR/big"`,
		"the tree":           "fill big",
		"and it would pass":  `fill "$TMPDIR/big"; exit 0`,
		"by what it started": `fill "$TMPDIR/big" & wait; exit 0`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onDisk(t, "64m", "TestDiskIsNotFilled", inside+"="+script)
		})
	}
}
