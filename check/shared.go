package check

import (
	"context"
	"sync"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Shared lets the checkers of one process measure each tree only once between
// them, each in its own workbenches. The zero value is ready to use.
type Shared struct {
	mu   sync.Mutex
	runs map[sharedKey]*sharedRun
}

// sharedKey is a tree under the commands of one project.
type sharedKey struct {
	commands string
	tree     gitx.ID
}

type sharedRun struct {
	done   chan struct{}
	result testrun.Result
	err    error
}

// of measures a tree, or waits for the checker that is measuring it already. If
// records must not be used, the result is kept here instead.
func (s *Shared) of(ctx context.Context, key sharedKey, fresh Fresh, measure func() (testrun.Result, error)) (testrun.Result, error) {
	s.mu.Lock()
	if r, ok := s.runs[key]; ok {
		s.mu.Unlock()
		select {
		case <-r.done:
			return r.result, r.err
		case <-ctx.Done():
			return testrun.Result{}, ctx.Err()
		}
	}
	if s.runs == nil {
		s.runs = map[sharedKey]*sharedRun{}
	}
	r := &sharedRun{done: make(chan struct{})}
	s.runs[key] = r
	s.mu.Unlock()
	r.result, r.err = measure()
	close(r.done)
	if fresh != Anew || r.err != nil || !r.result.Facts.Finished() {
		s.mu.Lock()
		delete(s.runs, key)
		s.mu.Unlock()
	}
	return r.result, r.err
}
