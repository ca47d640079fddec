package projecttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// Project writes the files of a txtar text to a new directory and returns a request
// to run the tests there as the language does by default, without a check.
func Project(t *testing.T, language testrun.Language, files string) testrun.Request {
	t.Helper()
	root := t.TempDir()
	req := testrun.Request{
		Dir: filepath.Join(root, "work"), Scratch: filepath.Join(root, "scratch"),
		Language: language, Commands: language.Defaults, Environ: os.Environ(), Languages: testrun.Languages{language},
	}
	req.Commands.Check, req.Commands.Timeout = nil, 2*time.Minute
	Write(t, req.Dir, files)
	return req
}

// Write writes the files of a txtar text to a directory. What begins with "#!" can be
// executed.
func Write(t *testing.T, dir, files string) {
	t.Helper()
	err := os.MkdirAll(dir, 0o700)
	for _, f := range txtar.Parse([]byte(files)).Files {
		mode := os.FileMode(0o600)
		if strings.HasPrefix(string(f.Data), "#!") {
			mode = 0o700
		}
		name := filepath.Join(dir, f.Name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, f.Data, mode))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Measure measures and demands that our machinery worked.
func Measure(t *testing.T, req testrun.Request) testrun.Result {
	t.Helper()
	got, err := testrun.Measure(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Cover measures line coverage and demands that our machinery worked.
func Cover(t *testing.T, req testrun.Request) testrun.Result {
	t.Helper()
	got, err := testrun.Cover(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got.Facts.Coverage == nil {
		t.Fatal("no coverage at all")
	}
	return got
}

// Session is the session that a measurement gives to a reader, for tests of parts of
// one. No command is run.
func Session(t *testing.T, req testrun.Request) *testrun.Session {
	t.Helper()
	var session *testrun.Session
	req.Commands.Check, req.Commands.Test = nil, []string{"none"}
	req.Language.Test = func(_ context.Context, s *testrun.Session, _ []string) (testrun.Verdict, error) {
		session = s
		return testrun.Verdict{}, nil
	}
	Measure(t, req)
	return session
}

// Tests writes the tests of facts, one a line: id, status, class.
func Tests(f gates.Facts) string {
	var out strings.Builder
	for _, t := range f.Tests {
		out.WriteString(strings.TrimSpace(t.ID+" "+string(t.Status)+" "+string(t.Class)) + "\n")
	}
	return out.String()
}

// Diagnostics writes diagnostics, one a line, in order: file, class, symbol.
func Diagnostics(all []gates.Diagnostic) string {
	out := gates.Each(all, func(d gates.Diagnostic) string {
		return strings.Join(strings.Fields(d.File+" "+string(d.Class)+" "+d.Symbol), " ")
	})
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// Coverage writes the line coverage of facts, a file a line: path, lines that were
// reached, lines; or why it is unknown.
func Coverage(facts gates.Facts) string {
	var out strings.Builder
	for _, f := range facts.Coverage.Files {
		fmt.Fprintf(&out, "%s %d/%d\n", f.Path, f.Reached, f.Lines)
	}
	if facts.Coverage.Unknown != "" {
		out.WriteString("unknown: " + facts.Coverage.Unknown + "\n")
	}
	return out.String()
}

// Want fails a test where two texts differ in more than white space around them;
// what says which texts they are.
func Want(t *testing.T, what, got, expected string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(expected) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, strings.TrimSpace(expected))
	}
}
