package evidence

import (
	"context"

	"github.com/git-tdd/git-tdd/gates"
)

// Raising has those of some tests whose checks, made to expect something else, fail by an
// exception that is no assertion, as a program of tests does that has no framework. Those
// whose checks cannot be found are among them: nothing is known of how they fail.
func Raising(ctx context.Context, files []File, tests []gates.Test, run Run) (map[string]bool, error) {
	out := map[string]bool{}
	for _, t := range tests {
		out[t.ID] = true
	}
	m := newMirror(files, tests, func(ctx context.Context, q Question) (gates.Facts, error) {
		facts, err := run(ctx, q)
		for _, t := range facts.With(gates.StatusFailed) {
			out[t.ID] = t.Class == gates.ClassException
		}
		return facts, err
	})
	for _, s := range stages()[:3] {
		if err := m.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}
