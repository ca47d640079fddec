package journal

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/git-tdd/git-tdd/testrun"
)

// Variable is the environment variable that tells reporters where to write.
const Variable = "TDD_JOURNAL"

// Install writes a language's reporters, the files of its folder "reporters", to a
// private folder, anew for each run. It returns that folder and the one where
// journals go.
func Install(s *testrun.Session, reporters fs.FS) (dir, journals string, err error) {
	own, err := fs.Sub(reporters, "reporters")
	if err == nil {
		err = os.CopyFS(s.Reporters, own)
	}
	if err != nil {
		return "", "", fmt.Errorf("install the reporters: %w", err)
	}
	return s.Reporters, s.Journals, nil
}
