package journal

import (
	"context"
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

// Keep runs a command whose runner loads reporters of ours, and reads what they wrote.
// job is the command, once the reporters stand in a folder; reported is false where none
// of them wrote anything.
func Keep(ctx context.Context, s *testrun.Session, reporters fs.FS, job func(dir string) testrun.Job) (run Run, reported bool, err error) {
	dir, journals, err := Install(s, reporters)
	if err != nil {
		return run, false, err
	}
	j := job(dir)
	j.Name, j.Env = "test", append(j.Env, Variable+"="+journals)
	if run.End, err = s.Run(ctx, j); err != nil {
		return run, false, err
	}
	run.Places = s.Places()
	run.Journal, reported, err = Read(journals)
	return run, reported, err
}
