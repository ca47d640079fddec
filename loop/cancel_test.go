package loop_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

// An interrupted step says so, and leaves everything as if it had never begun.
func TestCancel(t *testing.T) {
	t.Parallel()
	doing := func(what string) func(*lab, context.CancelFunc) {
		return func(l *lab, cancel context.CancelFunc) {
			l.onDoing = func(d loop.Doing) {
				if d.What == what {
					cancel()
				}
			}
		}
	}
	for name, arrange := range map[string]func(*lab, context.CancelFunc){
		"at once":       func(_ *lab, cancel context.CancelFunc) { cancel() },
		"facts of HEAD": doing("facts of HEAD"),
		"before edit":   doing("edit"),
		"after plan": func(l *lab, cancel context.CancelFunc) {
			l.model.before = func(llm.Request) error { cancel(); return nil }
		},
		"as the network fails": func(l *lab, cancel context.CancelFunc) {
			l.model.before = func(llm.Request) error {
				cancel()
				return &llm.Error{Kind: llm.KindUnreachable, Message: "gone"}
			}
		},
		"as an answer is cut": func(l *lab, cancel context.CancelFunc) {
			l.model.before = func(llm.Request) error {
				cancel()
				return &llm.Error{Kind: llm.KindTruncated, Message: "cut"}
			}
		},
		"before fmt": doing("fmt"),
		"in the tests": func(l *lab, cancel context.CancelFunc) {
			l.onPhase = func(string) { go cancel() }
		},
		"before commit": doing("commit"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(), "test: number 1\n=== tests/a1_test.sh\nsleep 1\ntest -f src/a1.sh\n")
			if _, err := l.check.Position(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			l.measureHead()
			before := l.state()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			arrange(l, cancel)
			_, err := l.loop().Step(ctx)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the step ends with %v", err)
			}
			if stop, ok := errors.AsType[*loop.StopError](err); ok {
				t.Errorf("it says that it stopped by itself: %v", stop)
			}
			l.same(before)
			if refs := l.Git("for-each-ref", "refs/tdd"); refs != "" {
				t.Errorf("refs are left: %s", refs)
			}
		})
	}
}

// measureHead records the facts of HEAD.
func (l *lab) measureHead() {
	l.Helper()
	head, err := l.repo.Head(l.Context())
	gittest.Check(l, err)
	p, err := l.check.Project(l.Context(), head.Tree)
	gittest.Check(l, err)
	_, err = l.check.Of(l.Context(), p, head.Tree)
	gittest.Check(l, err)
}
