package shell

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
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
	bats.wanted = testFiles(bats.places, argv)
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
	if !whole {
		out = append(out, "--filter", "^"+output.AnyOf(names))
	}
	return append(out, slices.Compact(slices.Sorted(slices.Values(files)))...)
}

var (
	filterPattern    = lazyregexp.New(`^(?:-[[:alpha:]]*f|--filter|--negative-filter)`)
	recursivePattern = lazyregexp.New(`^(?:-[[:alpha:]]*r[[:alpha:]]*|--recursive)$`)
	testLinePattern  = lazyregexp.New(`(?m)^@test[ \t]`)
)

// testFiles lists the files of which a call of bats runs every test, as far as its
// words tell; none where it picks tests by a filter.
func testFiles(p *testrun.Places, argv []string) []string {
	words := argv[slices.IndexFunc(argv, isBats)+1:]
	if slices.ContainsFunc(words, filterPattern.MatchString) {
		return nil
	}
	recursive := slices.ContainsFunc(words, recursivePattern.MatchString)
	var out []string
	for file := range p.Files() {
		if slices.ContainsFunc(words, func(word string) bool {
			folder := path.Clean(word)
			within := path.Dir(file) == folder || recursive && (folder == "." || strings.HasPrefix(file, folder+"/"))
			return file == folder || within && path.Ext(file) == ".bats"
		}) {
			out = append(out, file)
		}
	}
	return out
}

// isBats reports whether a word of a command is bats.
func isBats(word string) bool { return filepath.Base(word) == "bats" }

// skippedFiles lists the files with tests that bats did not mention. Since 1.11 it
// says nothing of one that exits with 0 while it is loaded.
func (r *stream) skippedFiles() []string {
	return slices.DeleteFunc(slices.Clone(r.wanted), func(file string) bool {
		_, masked := page().Mask(r.places.Text(file))
		return r.mentioned[file] || !testLinePattern.MatchString(masked)
	})
}
