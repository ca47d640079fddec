package testrun

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Run is one command that was run and what became of it.
type Run struct {
	Name      string // "fmt", "check" or "test"
	Dir       string `json:",omitempty"` // the folder of its project in the tree; empty: the root
	Argv      []string
	Exit      int // the exit code; 127 where the program is missing, 128 + n where signal n killed it
	Duration  time.Duration
	Output    string // beginning and end of what it said, at most 16 KiB of valid UTF-8
	Truncated bool   // Output has a gap
	TimedOut  bool
}

// Job is one command that a [Reader] wants to be run.
type Job struct {
	Name string // as in [Run]
	Argv []string
	Dir  string   // where it starts; empty: where the project stands
	Env  []string // beside the usual environment
	// Line gets each line of standard output and returns what of it a person should
	// see. Where it is nil, both streams are shown in the order in which they came.
	Line func(line []byte) (show string)
	// OnLine gets the lines of both streams as they come. If set, Line is not asked, and all is shown.
	OnLine func(line []byte)
	// Discard has what the command changes in build output be lost: it runs tests, and
	// builds nothing that a later one should find. Where nobody can mount it stays.
	Discard bool
}

// Ended is a command that ended; [Ended.Trouble] and [Ended.Verdict] say what that means.
type Ended struct {
	Run
	signal  string // the signal that killed it
	greedy  bool   // it was ended because it left too little memory
	Refused string // why it could not be started
}

// Starter runs a command until it ends or ctx does. [Launch] is the real one.
type Starter func(ctx context.Context, c sandbox.Command) (sandbox.Ending, error)

// Run runs one command in a box, under the time limit, and notes it.
func (s *Session) Run(ctx context.Context, j Job) (Ended, error) {
	end := Ended{Run: Run{Name: j.Name, Dir: s.Request.Folder.Dir, Argv: j.Argv}}
	shown := output.NewExcerpt()
	limit := s.Request.Commands.Timeout
	if j.Discard && s.Request.Alone > 0 {
		limit = min(limit, s.Request.Alone)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	s.guard(limited, cancel)
	how, err := s.collect(limited, j, shown)
	cancel()
	if end.Duration = time.Since(start); j.Discard {
		s.alone += end.Duration
	}
	if ctx.Err() != nil {
		return end, fmt.Errorf("%s: %w", commandLine(j.Argv), ctx.Err())
	}
	if err != nil {
		return end, fmt.Errorf("run %s: %w", commandLine(j.Argv), err)
	}
	end.TimedOut, end.Exit, end.signal, end.Refused = how.Late, how.Code, how.Signal, how.Refused
	end.greedy = how.Late && s.greedy.Load()
	end.Output, end.Truncated = shown.Text()
	end.Output = s.Local(end.Output)
	s.runs = append(s.runs, end.Run)
	return end, nil
}

// commandLine is a command in words, cut if long: it may name every test of a suite.
func commandLine(argv []string) string {
	const most = 160
	return gates.Clip(strings.Join(argv, " "), most)
}

// Amend adds to what a person sees of the last command.
func (s *Session) Amend(text string) {
	last := &s.runs[len(s.runs)-1]
	e := output.NewExcerpt()
	_, _ = io.WriteString(e, last.Output+text)
	var cut bool
	last.Output, cut = e.Text()
	last.Truncated = last.Truncated || cut
}

// collect runs a command and leads its output to what a person sees and to who reads its lines, one
// at a time, as they come.
func (s *Session) collect(ctx context.Context, j Job, shown *output.Excerpt) (sandbox.Ending, error) {
	c := s.command(j)
	c.Stdout, c.Stderr = shown, shown
	switch {
	case j.OnLine != nil:
		var mu sync.Mutex
		onLine := func(line []byte) {
			mu.Lock()
			defer mu.Unlock()
			j.OnLine([]byte(s.Local(string(line))))
		}
		out, errs := &output.LineWriter{Line: onLine}, &output.LineWriter{Line: onLine}
		defer errs.Close()
		defer out.Close()
		c.Stdout, c.Stderr = io.MultiWriter(shown, out), io.MultiWriter(shown, errs)
	case j.Line != nil:
		lines := &output.LineWriter{Line: func(line []byte) {
			_, _ = io.WriteString(shown, j.Line([]byte(s.Local(string(line)))))
		}}
		defer lines.Close()
		c.Stdout = lines
	}
	return s.start(ctx, c)
}
