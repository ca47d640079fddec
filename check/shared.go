package check

import (
	"context"
	"sync"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Shared lets the checkers of one process measure each tree only once between
// them, each in its own workbenches. The zero value is ready to use.
type Shared struct {
	facts  sharedRuns[testrun.Result]
	grades sharedRuns[map[string]gates.Grade]
}

// sharedRuns are measurements of one kind.
type sharedRuns[T any] struct {
	mu   sync.Mutex
	runs map[sharedKey]*sharedRun[T]
}

// sharedKey is a tree under the commands of one project.
type sharedKey struct {
	commands string
	tree     gitx.ID
}

type sharedRun[T any] struct {
	done   chan struct{}
	result T
	err    error
}

// of measures a tree, or waits for the checker that is measuring it already. With
// keep, the result of a run that went well is kept here.
func (s *sharedRuns[T]) of(ctx context.Context, key sharedKey, keep func(T) bool, measure func() (T, error)) (T, error) {
	s.mu.Lock()
	if r, ok := s.runs[key]; ok {
		s.mu.Unlock()
		select {
		case <-r.done:
			return r.result, r.err
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
	if s.runs == nil {
		s.runs = map[sharedKey]*sharedRun[T]{}
	}
	r := &sharedRun[T]{done: make(chan struct{})}
	s.runs[key] = r
	s.mu.Unlock()
	r.result, r.err = measure()
	close(r.done)
	if r.err != nil || !keep(r.result) {
		s.mu.Lock()
		delete(s.runs, key)
		s.mu.Unlock()
	}
	return r.result, r.err
}

// put keeps a result in the place of what was measured.
func (s *sharedRuns[T]) put(key sharedKey, result T) {
	r := &sharedRun[T]{done: make(chan struct{}), result: result}
	close(r.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == nil {
		s.runs = map[sharedKey]*sharedRun[T]{}
	}
	s.runs[key] = r
}
