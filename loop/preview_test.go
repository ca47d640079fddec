package loop_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A preview is, byte for byte, what the next step sends first; it asks nobody and
// changes nothing.
func TestPreview(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("kata.md", "# K\n\n## Acceptance criteria\n\n1. One is there.\n"), "criterion 1\n"+red1, green1, tidy1)
	for range 3 {
		before, asked := l.state(), len(l.model.requests)
		p, err := l.loop().Preview(l.Context())
		gittest.Check(t, err)
		l.same(before)
		if len(l.model.requests) != asked {
			t.Fatal("a model was asked")
		}
		l.steps(1)
		if sent := l.model.requests[asked]; !slices.Equal(p.Prompt.Messages, sent.Messages) || p.Prompt.Label != sent.Label || p.Role != l.landed[len(l.landed)-1].Step.Role {
			t.Errorf("step %d was sent something else", p.Step)
		}
	}
}
