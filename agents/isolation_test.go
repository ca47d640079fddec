package agents

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestStrictWithholds(t *testing.T) {
	t.Parallel()
	tests := map[gates.Role]struct{ never, still []string }{
		gates.Tester: {
			never: []string{"nothing is summed yet", "smallest implementation"},
			still: []string{"separated by commas", "fn empty_is_zero", "Cargo.toml", "src/lib.rs"},
		},
		gates.Implementor: {
			never: []string{"String calculator", "separated by commas"},
			still: []string{"nothing is summed yet", "calculator::sums_two_numbers", "left: 0 right: 3"},
		},
		gates.Refactorer: {
			never: []string{"String calculator", "separated by commas"},
			still: []string{"nothing is summed yet", "fn empty_is_zero", "+++ b/src/lib.rs"},
		},
	}
	for role, tt := range tests {
		for _, task := range []string{TaskEdit, TaskWork} {
			open, strict := ask(t, aBrief(role), task), ask(t, aBrief(role).Narrow(), task)
			for _, text := range tt.never {
				if !strings.Contains(open, text) || strings.Contains(strict, text) {
					t.Errorf("%s %s: %q is to be shown if open and withheld if strict", role, task, text)
				}
			}
			for _, text := range tt.still {
				if !strings.Contains(strict, text) {
					t.Errorf("%s %s: %q is withheld", role, task, text)
				}
			}
		}
	}
}

func TestStrictWithholdsTheKatasFile(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor)
	for _, kind := range []gates.Kind{gates.KindOther, gates.KindConfig} {
		b.Shown = append(b.Shown, ShownFile{Path: "kata.md", Kind: kind, Content: b.Kata + "More.\n"})
	}
	if text := ask(t, b.Narrow(), TaskEdit); strings.Contains(text, "String calculator") {
		t.Error("the implementor was shown the kata's file")
	}
}

func TestLeaksAreFoundBeforeSending(t *testing.T) {
	t.Parallel()
	kata := "A string of numbers, separated by commas, is summed."
	leaky := aBrief(gates.Implementor).Narrow()
	leaky.LastStep = "remember: " + kata
	if _, err := Ask(leaky, []Turn{{Task: TaskEdit}}); !errors.Is(err, ErrLeak) {
		t.Errorf("got %v, want ErrLeak", err)
	}
	reviewed := aBrief(gates.Implementor).Narrow().Withhold("the kata wants the empty string to be zero")
	talk := []Turn{{Task: TaskEdit}, {Task: TaskEdit, Feedback: &Feedback{Findings: []string{"review: the kata wants the empty string to be zero"}}}}
	if _, err := Ask(reviewed, talk); !errors.Is(err, ErrLeak) {
		t.Errorf("a reviewer's words: got %v, want ErrLeak", err)
	}
	quoting := aBrief(gates.Implementor)
	quoting.Shown[0].Content += "// " + kata + "\n"
	if _, err := Ask(quoting.Narrow(), []Turn{{Task: TaskEdit}}); err != nil {
		t.Errorf("a test may quote the kata: %v", err)
	}
}

func TestNarrowLeavesTheBriefAlone(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor)
	b.Narrow()
	if b.Kata == "" || len(b.Shown) != 3 || len(b.Criteria) != 3 {
		t.Errorf("the brief changed: %+v", b)
	}
}
