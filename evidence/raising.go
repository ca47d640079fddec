package evidence

import (
	"context"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Raising has those of some tests whose checks, made to expect something else, fail by an
// exception that is no assertion, as a program of tests does that has no framework. Those
// whose checks cannot be found are among them: nothing is known of how they fail.
func Raising(ctx context.Context, files []File, tests []gates.Test, run Run) (map[string]bool, error) {
	out := map[string]bool{}
	m := &mirror{files: files, tests: map[string]*graded{}, broken: map[*syntax.Check]bool{}}
	m.run = func(ctx context.Context, q Question) (gates.Facts, error) {
		facts, err := run(ctx, q)
		for _, t := range facts.With(gates.StatusFailed) {
			out[t.ID] = t.Class == gates.ClassException
		}
		return facts, err
	}
	for _, t := range tests {
		if g := m.find(t); g != nil {
			m.tests[t.ID] = g
		}
	}
	for _, s := range stages()[:3] {
		if err := m.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, t := range tests {
		if _, failed := out[t.ID]; !failed {
			out[t.ID] = true
		}
	}
	return out, nil
}
