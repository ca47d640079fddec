package facts

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// nobody is a user without special rights.
const nobody = 65534

// withoutPower runs a function as a user who is bound by file permissions and
// owns everything below a directory.
func withoutPower(tb testing.TB, dir string, do func()) {
	tb.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	gittest.Check(tb, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, nobody, nobody)
	}))
	for up := dir; up != "/"; up = filepath.Dir(up) {
		fi, err := os.Stat(up)
		gittest.Check(tb, err)
		gittest.Check(tb, os.Chmod(up, fi.Mode().Perm()|0o055))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Both hold for this thread alone.
	gittest.Check(tb, unix.Setfsuid(nobody))
	defer func() { gittest.Check(tb, unix.Setfsuid(0)) }()
	do()
}
