package check

import (
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

// sharedRuns are measurements of one kind, by their [sharedKey].
type sharedRuns[T any] struct{ runs sync.Map }

// sharedKey is a tree under the commands of one project.
type sharedKey struct {
	commands string
	tree     gitx.ID
}

// of measures a tree, or waits for the checker that is measuring it already. With
// keep, the result of a run that went well is kept here.
func (s *sharedRuns[T]) of(key sharedKey, keep func(T) bool, measure func() (T, error)) (T, error) {
	run, begun := s.runs.LoadOrStore(key, sync.OnceValues(measure))
	once, _ := run.(func() (T, error)) // as all that is stored
	result, err := once()
	if !begun && (err != nil || !keep(result)) {
		s.runs.Delete(key)
	}
	return result, err
}

// put keeps a result in the place of what was measured.
func (s *sharedRuns[T]) put(key sharedKey, result T) {
	s.runs.Store(key, func() (T, error) { return result, nil })
}
