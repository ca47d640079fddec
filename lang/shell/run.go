package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
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

// narrow is a call of bats for a few tests, or for whole files.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, isBats)
	if at < 0 || slices.ContainsFunc(argv[:at], func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil
	}
	out := slices.Clone(argv[:at+1])
	for _, arg := range argv[at+1:] {
		switch {
		case arg == "-r", arg == "--recursive":
		case slices.Contains([]string{"-t", "--tap", "-T", "--timing", "-p", "--pretty", "-x", "--trace", "--no-tempdir-cleanup", "--verbose-run", "--print-output-on-failure"}, arg):
			out = append(out, arg)
		case strings.HasPrefix(arg, "-"):
			return nil // it may have a value
		}
	}
	var files, names []string
	whole := false
	for _, t := range tests {
		file, name, _ := strings.Cut(t.ID, "::")
		if t.ID == "" {
			file, whole = t.File, true
		}
		if filepath.Ext(file) != ".bats" {
			return nil
		}
		name, _, _ = strings.Cut(name, "#") // an ordinal, or a part of the name: it narrows less
		files, names = append(files, file), append(names, name)
	}
	slices.Sort(files)
	if !whole {
		out = append(out, "--filter", "^"+output.AnyOf(names))
	}
	return append(out, slices.Compact(files)...)
}
