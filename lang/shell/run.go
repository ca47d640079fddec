package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTest runs bats with a formatter of ours, which keeps all that bats tells a
// formatter. Any other command is judged by its exit code. What bash says of an error
// is in the user's language, unless it is told otherwise.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	if !slices.ContainsFunc(argv, isBats) {
		return s.ByExitCode(ctx, "test", argv)
	}
	formatter, kept := filepath.Join(s.Reports, "bats-formatter"), filepath.Join(s.Reports, "bats.txt")
	script := "#!/bin/sh\nexec tee '" + strings.ReplaceAll(kept, "'", `'\''`) + "'\n"
	if err := os.WriteFile(formatter, []byte(script), 0o700); err != nil { //nolint:gosec // it must be executable
		return testrun.Verdict{}, fmt.Errorf("install the formatter: %w", err)
	}
	end, err := s.Run(ctx, testrun.Job{Name: "test", Argv: append(slices.Clone(argv), "-F", formatter), Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return testrun.Verdict{}, err
	}
	bats := newStream(s.Places())
	bats.wanted = testFiles(s.Request.Dir, argv)
	if err := output.WithFile(kept, func(f *os.File) error { return bats.read(f) }); err != nil {
		return testrun.Verdict{}, fmt.Errorf("read the test report: %w", err)
	}
	return bats.verdict(end), nil
}
