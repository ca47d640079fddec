package loop_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/loop"
)

const finalKata = "# Files\n\n## Acceptance criteria\n\n1. There is a file.\n"

// finds is a final review that rejects the kata because of one line.
func finds(file string, line int, quote string) string {
	return fmt.Sprintf("raw\n{\"verdict\":\"reject\",\"traces\":[{\"criterion\":1,\"tests\":[],\"code\":[{\"file\":\"src/a1.sh\",\"line\":1,\"quote\":\"number 1\"},{\"file\":\"src/a1.sh\",\"line\":9,\"quote\":\"made up\"}]}],\"points\":[{\"file\":%q,\"line\":%d,\"quote\":%q,\"criterion\":1,\"kind\":\"dead\",\"reason\":\"the secret of the kata\"}]}", file, line, quote)
}

// ends runs to the end, which must be done.
func (l *lab) ends(steps int) string {
	l.Helper()
	done, err := l.loop().Run(l.Context(), 20)
	if stop, ok := errors.AsType[*loop.StopError](err); !ok || stop.Reason != loop.Done || len(done) != steps {
		l.Fatalf("%d steps, %v\n%v", len(done), err, l.refused)
	}
	l.verify(steps + 1)
	return l.Git("log", "-1", "--format=%B")
}

func TestFinalReviewAccepts(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", reviewConfig, "kata.md", finalKata),
		strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1), accepts, green1, accepts, "done", "done", strings.Replace(finds("src/a1.sh", 1, "number 1"), "reject", "accept", 1))
	wantIn(t, l.ends(3), "Tdd-Outcome: complete", "Tdd-Review: script:reviewer (accepted)", "Tdd-Review-Tokens: 100 in, 10 out")
	final := l.Read(".tdd/review/final_validation.md")
	wantIn(t, final, "## Criterion 1: There is a file.", "- test, measured: `tests/a1_test.sh`", "code, as the reviewer says: `src/a1.sh:1`", "by script:reviewer: accepted.")
	wantNotIn(t, final, "a1.sh:9")
	asked := l.model.edits[len(l.model.edits)-1]
	wantIn(t, conversation(asked), "(step 4 · reviewer · final review · attempt 1)", "tests that name it and pass: tests/a1_test.sh", "File \"src/a1.sh\"", "File \"tests/a1_test.sh\"", "step 3, refactorer: ")
}

// With evidence it gives the kata back to the tester, once.
func TestFinalReviewReopens(t *testing.T) {
	t.Parallel()
	red2 := "test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n"
	green2 := "feat: number 2\n=== src/a2.sh\n# number 2\n"
	l := newLab(t, shell(".tdd.yaml", reviewConfig, "kata.md", finalKata),
		strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1), accepts, green1, accepts, "done",
		"done", finds("src/a1.sh", 1, "number 1"), red2, accepts, green2, accepts, "done",
		"done", finds("src/a2.sh", 1, "number 2"))
	message := l.ends(6)
	wantIn(t, message, "Tdd-Review: script:reviewer (rejected)")
	wantIn(t, strings.Join(l.refused[0].Findings, "\n"), "review: the final review objects to the whole", `review: src/a1.sh:1: "# number 1": the secret of the kata`)
	wantIn(t, l.Git("log", "-1", "--format=%B", "HEAD~3"), "Tdd-Review: script:reviewer (reopened)", "Tdd-Review: script:reviewer (accepted)", "test: number 2")
	wantIn(t, strings.Join(l.notes, "\n"), "cannot be open once more")
}

// The tester has the last word: it cannot always show in a test what is objected to.
func TestFinalReviewAndNothingLeft(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", reviewConfig, "kata.md", finalKata),
		strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1), accepts, green1, accepts, "done",
		"done", finds("src/a1.sh", 1, "number 1"), "done")
	wantIn(t, l.ends(3), "Tdd-Review: script:reviewer (rejected)")
	wantIn(t, strings.Join(l.notes, "\n"), "the tester has nothing left after the final review")
	if len(l.model.script) > 0 {
		t.Errorf("%d answers are left", len(l.model.script))
	}
}

// What is not there reopens nothing, and what cannot be read either.
func TestFinalReviewWithoutEvidence(t *testing.T) {
	t.Parallel()
	for opinion, answers := range map[string][]string{
		"unfounded":  {finds("src/a1.sh", 7, "number 1")},
		"unreadable": {"raw\nno", "raw\nno"},
	} {
		t.Run(opinion, func(t *testing.T) {
			t.Parallel()
			script := []string{strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1), accepts, green1, accepts, "done", "done"}
			l := newLab(t, shell(".tdd.yaml", reviewConfig, "kata.md", finalKata), append(script, answers...)...)
			wantIn(t, l.ends(3), "Tdd-Review: script:reviewer ("+opinion+")")
		})
	}
}

// In isolation the tester is told nothing of the code, and no word of the reviewer's.
func TestFinalReviewInIsolation(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", reviewConfig+"isolation: strict\n", "kata.md", finalKata),
		strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1), accepts, green1, accepts, "done",
		"done", finds("src/a1.sh", 1, "number 1"), "done")
	l.ends(3)
	back := conversation(l.model.edits[len(l.model.edits)-1])
	wantIn(t, back, "review: criterion 1: something in the code is never used")
	wantNotIn(t, back, "secret", "# number 1")
}
