package testrun

import (
	"context"
	"io"
	"sync"
)

// stream leads a command's output to the log, to what a person sees, and to
// whoever reads its lines.
type stream struct {
	start starter
	log   *capped
	shown *excerpt
	line  func([]byte) string
	hear  func([]byte)
}

// collect runs the command and leads its output until it ends.
func (s stream) collect(ctx context.Context, b boxed) (ending, error) {
	both := io.MultiWriter(s.log, s.shown)
	b.stdout, b.stderr = both, both
	if s.hear != nil {
		return s.overhear(ctx, b)
	}
	if s.line == nil {
		return s.start(ctx, b)
	}
	lines := &lineWriter{line: func(line []byte) {
		_, _ = io.WriteString(s.shown, s.line(line))
	}}
	b.stdout = io.MultiWriter(s.log, lines)
	end, err := s.start(ctx, b)
	lines.close()
	return end, err
}

// overhear runs the command and hands on the lines of both streams, one at a
// time, as they come.
func (s stream) overhear(ctx context.Context, b boxed) (ending, error) {
	var mu sync.Mutex
	hear := func(line []byte) {
		mu.Lock()
		defer mu.Unlock()
		s.hear(line)
	}
	out, errs := &lineWriter{line: hear}, &lineWriter{line: hear}
	b.stdout, b.stderr = io.MultiWriter(b.stdout, out), io.MultiWriter(b.stderr, errs)
	end, err := s.start(ctx, b)
	out.close()
	errs.close()
	return end, err
}
