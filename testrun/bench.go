package testrun

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun/box"
)

// bench is one call's place of work: the request, and what was run so far.
type bench struct {
	req      Request
	env      []string
	tmp      string // an empty directory for temporary files of this call
	reports  string // a directory for the reports of this call, empty but for
	journals string // an empty one for journals
	log      *capped
	runs     []Run
	start    starter
}

// starter runs a command until it ends or ctx does. It is launch, but where a test
// plays a recorded run.
type starter func(ctx context.Context, c box.Command) (box.Ending, error)

// job is one command to run. Where line is set, it gets the command's standard
// output line by line and returns what of it a person should see; otherwise
// standard output and standard error are shown in the order they came in; hear,
// where it is set, gets the lines of both beside that.
type job struct {
	name string
	argv []string
	env  []string // beside the usual environment
	line func(line []byte) (show string)
	hear func(line []byte)
}

// ended is a command that ended.
type ended struct {
	Run
	signal string // the signal that killed it
	broken string // why it could not be started
}

// newBench prepares scratch: temporary files and reports of an earlier call are
// removed, so that no stale one is ever read.
func newBench(req Request) (*bench, error) {
	if !filepath.IsAbs(req.Dir) || !filepath.IsAbs(req.Scratch) {
		return nil, fmt.Errorf("%w: Dir %q and Scratch %q must be absolute paths", errRequest, req.Dir, req.Scratch)
	}
	if req.Commands.Timeout <= 0 {
		req.Commands.Timeout = defaultTimeout
	}
	b := &bench{
		req: req, tmp: filepath.Join(req.Scratch, scratchTmp), reports: filepath.Join(req.Scratch, scratchReports),
		log: &capped{w: req.Log, left: logLimit}, start: req.Start,
	}
	if b.start == nil {
		b.start = launch
	}
	b.journals = filepath.Join(b.reports, scratchJournals)
	b.env = environ(req.Environ, req.Env, b.tmp)
	if err := Clear(req.Scratch); err != nil {
		return nil, err
	}
	for _, dir := range []string{b.tmp, b.journals} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make scratch: %w", err)
		}
	}
	return b, nil
}

// What scratch holds of one call.
const scratchTmp, scratchReports, scratchJournals, scratchReporters = "tmp", "reports", "journal", "reporters"

// Clear removes what the last call left in its scratch directory: temporary files,
// reporters and reports. The next call does so itself.
func Clear(scratch string) error {
	for _, name := range []string{scratchTmp, scratchReports, scratchReporters} {
		if err := remove(filepath.Join(scratch, name)); err != nil {
			return fmt.Errorf("clear scratch: %w", err)
		}
	}
	return nil
}

// remove removes a file or a folder. A test can leave folders that nobody may
// write to, as the Go module cache does.
func remove(name string) error {
	if os.RemoveAll(name) == nil {
		return nil
	}
	_ = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error { // what stays closed fails below
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a directory must be searchable to be emptied
		}
		return nil
	})
	return os.RemoveAll(name)
}

// places are those of the project.
func (b *bench) places() *places { return newPlaces(b.req.Dir, b.req.Language) }

// announce tells whoever listens what comes next.
func (b *bench) announce(name string) {
	if b.req.Phase != nil {
		b.req.Phase(name)
	}
}

// measure runs one command through its reader, or by exit code.
func (b *bench) measure(ctx context.Context, name string, argv []string, read reader) (report, error) {
	if len(argv) == 0 {
		return report{}, nil
	}
	b.announce(name)
	if read == nil {
		return b.byExitCode(ctx, name, argv)
	}
	return read(ctx, b, argv)
}

// byExitCode judges a command by whether it succeeded.
func (b *bench) byExitCode(ctx context.Context, name string, argv []string) (report, error) {
	end, err := b.run(ctx, job{name: name, argv: argv})
	if err != nil {
		return report{}, err
	}
	return end.verdict(), nil
}

// verdict is what can be said of a command from its end alone.
func (e ended) verdict() report {
	r := report{outcome: gates.Passed, detail: gates.DetailExitCode}
	if trouble, ok := e.trouble(); ok {
		trouble.detail = gates.DetailExitCode
		return trouble
	}
	if e.Exit != 0 {
		// That something was raised is all that an exit code can say.
		r.outcome = gates.Failed
		r.diagnostics = []gates.Diagnostic{{
			Class:   gates.ClassException,
			Message: fmt.Sprintf("%s: exit code %d: %s", strings.Join(e.Argv, " "), e.Exit, lastLine(e.Output)),
		}}
	}
	return r
}

// trouble reports a command that did not finish as commands do: it is missing,
// was killed at its limit, or died.
func (e ended) trouble() (report, bool) {
	command := strings.Join(e.Argv, " ")
	failed := func(o gates.Outcome, c gates.Class, format string, args ...any) (report, bool) {
		return report{outcome: o, detail: gates.DetailTest, diagnostics: []gates.Diagnostic{{
			Class: c, Message: fmt.Sprintf(format, args...),
		}}}, true
	}
	switch {
	case e.TimedOut:
		return failed(gates.Timeout, gates.ClassTimeout, "%s: killed after %s", command, e.Duration.Round(time.Millisecond))
	case e.broken != "":
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, e.broken)
	case e.signal != "":
		return failed(gates.Crashed, gates.ClassCrash, "%s: killed by %s", command, e.signal)
	case e.Exit == 126 || e.Exit == 127:
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, lastLine(e.Output))
	}
	return report{}, false
}

// run runs one command in a box, under the time limit, and notes it.
func (b *bench) run(ctx context.Context, j job) (ended, error) {
	end := ended{Run: Run{Name: j.name, Argv: j.argv}}
	shown := newExcerpt()
	out := stream{start: b.start, log: b.log, shown: shown, line: j.line, hear: j.hear}
	limited, cancel := context.WithTimeout(ctx, b.req.Commands.Timeout)
	defer cancel()
	start := time.Now()
	how, err := out.collect(limited, box.Command{Args: j.argv, Dir: b.req.Dir, Env: lastOfEach(slices.Concat(b.env, j.env))})
	end.Duration = time.Since(start)
	if ctx.Err() != nil {
		return end, fmt.Errorf("%s: %w", strings.Join(j.argv, " "), ctx.Err())
	}
	if err != nil {
		return end, fmt.Errorf("run %s: %w", strings.Join(j.argv, " "), err)
	}
	end.TimedOut, end.Exit, end.signal, end.broken = how.Late, how.Code, how.Signal, how.Refused
	end.Output, end.Truncated = shown.text()
	b.runs = append(b.runs, end.Run)
	return end, nil
}

// amend adds to what a person sees of the last command.
func (b *bench) amend(text string) {
	last := &b.runs[len(b.runs)-1]
	e := newExcerpt()
	_, _ = e.Write([]byte(last.Output))
	_, _ = e.Write([]byte(text))
	var cut bool
	last.Output, cut = e.text()
	last.Truncated = last.Truncated || cut
}
