package testrun

import (
	"context"
	"io"
)

// stream leads a command's output to the log, to what a person sees, and to
// whoever reads its lines.
type stream struct {
	start starter
	log   *capped
	shown *excerpt
	line  func([]byte) string
}

// collect runs the command and leads its output until it ends.
func (s stream) collect(ctx context.Context, b boxed) (ending, error) {
	both := io.MultiWriter(s.log, s.shown)
	b.stdout, b.stderr = both, both
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
