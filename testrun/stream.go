package testrun

import (
	"context"
	"io"
	"sync"

	"github.com/git-tdd/git-tdd/testrun/box"
)

// stream leads a command's output to the log, to what a person sees, and to
// whoever reads its lines.
type stream struct {
	start Starter
	log   *capped
	shown *excerpt
	line  func([]byte) string
	hear  func([]byte)
}

// collect runs the command and leads its output until it ends.
func (s stream) collect(ctx context.Context, c box.Command) (box.Ending, error) {
	both := io.MultiWriter(s.log, s.shown)
	c.Stdout, c.Stderr = both, both
	if s.hear != nil {
		return s.overhear(ctx, c)
	}
	if s.line == nil {
		return s.start(ctx, c)
	}
	lines := &lineWriter{line: func(line []byte) {
		_, _ = io.WriteString(s.shown, s.line(line))
	}}
	c.Stdout = io.MultiWriter(s.log, lines)
	end, err := s.start(ctx, c)
	lines.close()
	return end, err
}

// overhear runs the command and hands on the lines of both streams, one at a
// time, as they come.
func (s stream) overhear(ctx context.Context, c box.Command) (box.Ending, error) {
	var mu sync.Mutex
	hear := func(line []byte) {
		mu.Lock()
		defer mu.Unlock()
		s.hear(line)
	}
	out, errs := &lineWriter{line: hear}, &lineWriter{line: hear}
	c.Stdout, c.Stderr = io.MultiWriter(c.Stdout, out), io.MultiWriter(c.Stderr, errs)
	end, err := s.start(ctx, c)
	out.close()
	errs.close()
	return end, err
}
