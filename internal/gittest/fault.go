package gittest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Fault is an error that the kernel answers system calls with.
type Fault struct {
	Calls string // names of system calls, with commas
	Error string // for instance ENOSPC
	Files bool   // only where the call is about a file of the repository: a pipe has no such error
}

// Faults are those of disks that are full or broken, of quotas and of tables that are
// full.
func Faults() []Fault {
	const moves = "rename,renameat,renameat2"
	return []Fault{
		{Calls: "write,pwrite64", Error: "ENOSPC"},
		{Calls: "mkdir,mkdirat,link,linkat,symlink,symlinkat," + moves, Error: "EDQUOT"},
		{Calls: "fsync,fdatasync", Error: "EIO"},
		{Calls: "unlink,unlinkat," + moves, Error: "EIO"},
		{Calls: "read,pread64", Error: "EIO", Files: true},
		{Calls: "openat", Error: "EMFILE"},
	}
}

// NeedStrace finds the program that gives such answers, or skips the test.
func NeedStrace(tb testing.TB) (path string) {
	tb.Helper()
	Need(tb, "strace")
	path, err := exec.LookPath("strace")
	Check(tb, err)
	if out, err := exec.CommandContext(tb.Context(), path, "-f", "-qq", "-o", os.DevNull, "-e", "inject=fsync:error=EIO:when=1", "true").CombinedOutput(); err != nil {
		tb.Skipf("strace cannot inject faults here: %v %s", err, out)
	}
	return path
}

// Suffer makes a command meet a fault at one call of each of its threads and children:
// when is its number, and "+" after it lets every later call fail too. The function
// that is returned says afterwards whether a call failed.
func Suffer(tb testing.TB, cmd *exec.Cmd, f Fault, when string) (struck func() bool) {
	tb.Helper()
	strace := NeedStrace(tb)
	log := filepath.Join(tb.TempDir(), "strace")
	argv := []string{strace, "-f", "-qq", "-o", log, "-e", "trace=" + f.Calls, "-e", fmt.Sprintf("inject=%s:error=%s:when=%s", f.Calls, f.Error, when)}
	if f.Files {
		Check(tb, filepath.WalkDir(cmd.Dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				argv = append(argv, "-P", path)
			}
			return err
		}))
	}
	cmd.Args = append(append(argv, cmd.Path), cmd.Args[1:]...)
	cmd.Path = strace
	return func() bool {
		tb.Helper()
		return strings.Contains(Read(tb, log), "(INJECTED)")
	}
}
