package journal

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/git-tdd/git-tdd/testrun"
)

// Variable tells a reporter where to write.
const Variable = "TDD_JOURNAL"

// Install writes a language's reporters, the files of its folder "reporters", to a
// new folder in scratch, and returns where they are and where journals go. They
// are loaded into runners that can be given one by the environment.
func Install(b *testrun.Session, reporters fs.FS) (dir, journals string, err error) {
	dir = b.Reporters
	own, err := fs.Sub(reporters, "reporters")
	if err == nil {
		err = os.CopyFS(dir, own)
	}
	if err != nil {
		return "", "", fmt.Errorf("install the reporters: %w", err)
	}
	return dir, b.Journals, nil
}
