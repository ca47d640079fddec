package loop_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

// A preview is, byte for byte, what the next step sends first; it asks nobody and
// changes nothing.
func TestPreview(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("kata.md", "# K\n\n## Acceptance criteria\n\n1. One is there.\n"), "criterion 1\n"+red1, green1, tidy1)
	for range 3 {
		before, asked := l.state(), len(l.model.requests)
		p, err := l.loop().Preview(l.Context(), "")
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

func TestPreviewOfARole(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"roles: {implementor: {model: human}, refactorer: {agent: claude}}\n"), red1)
	p, err := l.loop().Preview(l.Context(), gates.Refactorer)
	gittest.Check(t, err)
	wantIn(t, conversation(llm.Request{Messages: p.Prompt.Messages}), "Your role: refactorer")
	for role, want := range map[gates.Role]string{"refactor": "there is no role refactor", gates.Implementor: "is a person"} {
		if _, err := l.loop().Preview(l.Context(), role); !errors.Is(err, loop.ErrNotReady) {
			t.Errorf("%s: %v", role, err)
		} else {
			wantIn(t, err.Error(), want)
		}
	}
}
