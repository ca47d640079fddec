package lang_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// recordedRun is what one command did: the files "recorded/N/…".
type recordedRun struct {
	argv   string
	end    sandbox.Ending
	output []byte // where both streams go to the same place
	stdout []byte // where they do not, as stderr
	stderr []byte
	files  map[string][]byte // that it left, below "work" or "scratch"
}

// addRecorded takes in a file "recorded/N/…".
func addRecorded(t *testing.T, runs []recordedRun, f txtar.File) []recordedRun {
	t.Helper()
	parts := strings.SplitN(f.Name, "/", 3)
	n, err := strconv.Atoi(parts[1])
	if err != nil || len(parts) != 3 || n > len(runs)+1 {
		t.Fatalf("a recorded file %q", f.Name)
	}
	if n > len(runs) {
		runs = append(runs, recordedRun{files: make(map[string][]byte)})
	}
	run, data := &runs[n-1], f.Data
	name, quoted := strings.CutSuffix(parts[2], ".quoted")
	if quoted {
		data = unquoteLines(t, data)
	}
	switch name {
	case "end":
		run.readEnd(t, string(data))
	case "output":
		run.output = data
	case "stdout":
		run.stdout = data
	case "stderr":
		run.stderr = data
	default:
		run.files[name] = data
	}
	return runs
}

// readEnd reads how a command ended.
func (r *recordedRun) readEnd(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "$":
			r.argv = value
		case "exit":
			r.end.Code, _ = strconv.Atoi(value)
		case "signal":
			r.end.Signal = value
		case "refused":
			r.end.Refused = value
		case "late":
			r.end.Late = true
		default:
			t.Fatalf("an end %q", line)
		}
	}
}

// writeEnd is what readEnd reads.
func (r recordedRun) writeEnd() string {
	out := fmt.Sprintf("$ %s\nexit %d\n", r.argv, r.end.Code)
	if r.end.Signal != "" {
		out += "signal " + r.end.Signal + "\n"
	}
	if r.end.Refused != "" {
		out += "refused " + r.end.Refused + "\n"
	}
	if r.end.Late {
		out += "late\n"
	}
	return out
}

// play returns what acts in the place of the case's commands.
func (c corpusCase) play(t *testing.T, req testrun.Request) testrun.Starter {
	t.Helper()
	if len(c.recorded) == 0 {
		t.Fatalf("%s holds no recording: record it with TDD_CORPUS=record", c.path)
	}
	next := 0
	return func(_ context.Context, cmd sandbox.Command) (sandbox.Ending, error) {
		argv := strings.NewReplacer(req.Dir, "$WORK", req.Scratch, "$SCRATCH").Replace(strings.Join(cmd.Args, " "))
		if next == len(c.recorded) || c.recorded[next].argv != argv {
			t.Errorf("command %d, %q, is not the recorded one: record it with TDD_CORPUS=record", next+1, argv)
			return sandbox.Ending{Code: 127, Refused: "not recorded"}, nil
		}
		run := c.recorded[next]
		next++
		return run.end, run.play(req, cmd)
	}
}

// play leaves the files that the command left, and says what it said.
func (r recordedRun) play(req testrun.Request, cmd sandbox.Command) error {
	here := strings.NewReplacer("$WORK", req.Dir, "$SCRATCH", req.Scratch)
	for name, data := range r.files {
		root, rest, _ := strings.Cut(name, "/")
		file := filepath.Join(map[string]string{"work": req.Dir, "scratch": req.Scratch}[root], rest)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(here.Replace(string(data))), 0o600); err != nil {
			return err
		}
	}
	_, _ = io.WriteString(cmd.Stdout, here.Replace(string(r.output)+string(r.stdout)))
	_, _ = io.WriteString(cmd.Stderr, here.Replace(string(r.stderr)))
	return nil
}

// unquoteLines undoes quoteFile.
func unquoteLines(t *testing.T, data []byte) []byte {
	t.Helper()
	var out []byte
	for line := range bytes.Lines(data) {
		text, err := strconv.Unquote(strings.TrimSpace(string(line)))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, text...)
	}
	return out
}
