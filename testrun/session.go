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

// Session is one call's place of work: the request, and what was run so far.
type Session struct {
	Request  Request
	Env      []string
	tmp      string // an empty directory for temporary files of this call
	Reports  string // a directory for the reports of this call, empty but for
	Journals string // an empty one for journals
	log      *capped
	runs     []Run
	start    Starter
}

// Starter runs a command until it ends or ctx does. It is launch, but where a test
// plays a recorded run.
type Starter func(ctx context.Context, c box.Command) (box.Ending, error)

// Job is one command to run. Where line is set, it gets the command's standard
// output line by line and returns what of it a person should see; otherwise
// standard output and standard error are shown in the order they came in; hear,
// where it is set, gets the lines of both beside that.
type Job struct {
	Name   string
	Argv   []string
	Env    []string // beside the usual environment
	Line   func(line []byte) (show string)
	OnLine func(line []byte)
}

// Ended is a command that ended.
type Ended struct {
	Run
	signal  string // the signal that killed it
	Refused string // why it could not be started
}

// NewSession prepares scratch: temporary files and reports of an earlier call are
// removed, so that no stale one is ever read.
func NewSession(req Request) (*Session, error) {
	if !filepath.IsAbs(req.Dir) || !filepath.IsAbs(req.Scratch) {
		return nil, fmt.Errorf("%w: Dir %q and Scratch %q must be absolute paths", ErrRequest, req.Dir, req.Scratch)
	}
	if req.Commands.Timeout <= 0 {
		req.Commands.Timeout = defaultTimeout
	}
	b := &Session{
		Request: req, tmp: filepath.Join(req.Scratch, scratchTmp), Reports: filepath.Join(req.Scratch, scratchReports),
		log: &capped{w: req.Log, left: LogLimit}, start: req.Start,
	}
	if b.start == nil {
		b.start = Launch
	}
	b.Journals = filepath.Join(b.Reports, scratchJournals)
	b.Env = environ(req.Environ, req.Env, b.tmp)
	if err := Clear(req.Scratch); err != nil {
		return nil, err
	}
	for _, dir := range []string{b.tmp, b.Journals} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make scratch: %w", err)
		}
	}
	return b, nil
}

// What scratch holds of one call.
const scratchTmp, scratchReports, scratchJournals, ScratchReporters = "tmp", "reports", "journal", "reporters"

// Clear removes what the last call left in its scratch directory: temporary files,
// reporters and reports. The next call does so itself.
func Clear(scratch string) error {
	for _, name := range []string{scratchTmp, scratchReports, ScratchReporters} {
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

// Places are those of the project.
func (b *Session) Places() *Places { return NewPlaces(b.Request.Dir, b.Request.Language) }

// announce tells whoever listens what comes next.
func (b *Session) announce(name string) {
	if b.Request.Phase != nil {
		b.Request.Phase(name)
	}
}

// measure runs one command through its reader, or by exit code.
func (b *Session) measure(ctx context.Context, name string, argv []string, read Reader) (Verdict, error) {
	if len(argv) == 0 {
		return Verdict{}, nil
	}
	b.announce(name)
	if read == nil {
		return b.ByExitCode(ctx, name, argv)
	}
	return read(ctx, b, argv)
}

// ByExitCode judges a command by whether it succeeded.
func (b *Session) ByExitCode(ctx context.Context, name string, argv []string) (Verdict, error) {
	end, err := b.Run(ctx, Job{Name: name, Argv: argv})
	if err != nil {
		return Verdict{}, err
	}
	return end.Verdict(), nil
}

// Verdict is what can be said of a command from its end alone.
func (e Ended) Verdict() Verdict {
	r := Verdict{Outcome: gates.Passed, Detail: gates.DetailExitCode}
	if trouble, ok := e.Trouble(); ok {
		trouble.Detail = gates.DetailExitCode
		return trouble
	}
	if e.Exit != 0 {
		// That something was raised is all that an exit code can say.
		r.Outcome = gates.Failed
		r.Diagnostics = []gates.Diagnostic{{
			Class:   gates.ClassException,
			Message: fmt.Sprintf("%s: exit code %d: %s", strings.Join(e.Argv, " "), e.Exit, LastLine(e.Output)),
		}}
	}
	return r
}

// Trouble reports a command that did not finish as commands do: it is missing,
// was killed at its limit, or died.
func (e Ended) Trouble() (Verdict, bool) {
	command := strings.Join(e.Argv, " ")
	failed := func(o gates.Outcome, c gates.Class, format string, args ...any) (Verdict, bool) {
		return Verdict{Outcome: o, Detail: gates.DetailTest, Diagnostics: []gates.Diagnostic{{
			Class: c, Message: fmt.Sprintf(format, args...),
		}}}, true
	}
	switch {
	case e.TimedOut:
		return failed(gates.Timeout, gates.ClassTimeout, "%s: killed after %s", command, e.Duration.Round(time.Millisecond))
	case e.Refused != "":
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, e.Refused)
	case e.signal != "":
		return failed(gates.Crashed, gates.ClassCrash, "%s: killed by %s", command, e.signal)
	case e.Exit == 126 || e.Exit == 127:
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, LastLine(e.Output))
	}
	return Verdict{}, false
}

// Run runs one command in a box, under the time limit, and notes it.
func (b *Session) Run(ctx context.Context, j Job) (Ended, error) {
	end := Ended{Run: Run{Name: j.Name, Argv: j.Argv}}
	shown := newExcerpt()
	out := stream{start: b.start, log: b.log, shown: shown, line: j.Line, hear: j.OnLine}
	limited, cancel := context.WithTimeout(ctx, b.Request.Commands.Timeout)
	defer cancel()
	start := time.Now()
	how, err := out.collect(limited, box.Command{Args: j.Argv, Dir: b.Request.Dir, Env: lastOfEach(slices.Concat(b.Env, j.Env))})
	end.Duration = time.Since(start)
	if ctx.Err() != nil {
		return end, fmt.Errorf("%s: %w", strings.Join(j.Argv, " "), ctx.Err())
	}
	if err != nil {
		return end, fmt.Errorf("run %s: %w", strings.Join(j.Argv, " "), err)
	}
	end.TimedOut, end.Exit, end.signal, end.Refused = how.Late, how.Code, how.Signal, how.Refused
	end.Output, end.Truncated = shown.text()
	b.runs = append(b.runs, end.Run)
	return end, nil
}

// Amend adds to what a person sees of the last command.
func (b *Session) Amend(text string) {
	last := &b.runs[len(b.runs)-1]
	e := newExcerpt()
	_, _ = e.Write([]byte(last.Output))
	_, _ = e.Write([]byte(text))
	var cut bool
	last.Output, cut = e.text()
	last.Truncated = last.Truncated || cut
}
