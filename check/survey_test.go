package check

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// What the near tests miss is tried on all tests together, and one by one only if any of
// these notices something.
func TestSurvey_rest(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		noticed string // the letter whose error a far test notices
		runs    int    // together, and one by one
	}{
		{"", 2},  // b and its neighbour on the same line cannot be made wrong at once
		{"c", 5}, // all of the first three once more
	} {
		content := "a\nb x\nc\n"
		var mutants []syntax.Mutant
		for _, letter := range []string{"a", "b", "x", "c"} {
			at := strings.Index(content, letter)
			mutants = append(mutants, syntax.MutantOf(content, syntax.Edit{Span: syntax.Span{Start: at, End: at + 1}, Text: strings.ToUpper(letter)}, letter))
		}
		near, far := gates.Test{ID: "near", Status: gates.StatusPassed}, gates.Test{ID: "far", Status: gates.StatusPassed}
		runs := 0
		s := &survey{all: []gates.Test{near, far}, errors: evidence.Singles([]evidence.Source{{Path: "lib", Content: content, Mutants: mutants}})}
		run := func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			runs++
			f := gates.Facts{Outcome: gates.Passed, Detail: gates.DetailTest, Tests: slices.Clone(q.Tests)}
			if last := len(f.Tests) - 1; f.Tests[last].ID == "far" && tc.noticed != "" && strings.Contains(q.Files["lib"], strings.ToUpper(tc.noticed)) {
				f.Tests[last].Status, f.Outcome = gates.StatusFailed, gates.Failed
			}
			return f, nil
		}
		err := s.rest(t.Context(), run, []int{0, 1, 2, 3})
		var noticed []string
		for _, got := range s.tried {
			if !got.Unnoticed() {
				noticed = append(noticed, got.What)
			}
		}
		if err != nil || s.left != 0 || strings.Join(noticed, "") != tc.noticed || runs != tc.runs {
			t.Errorf("%q: noticed %v in %d runs, %d left, %v", tc.noticed, noticed, runs, s.left, err)
		}
		s.Until = time.Now().Add(-time.Second)
		if err := s.rest(t.Context(), run, []int{0, 1, 2, 3}); err != nil || s.left != 3 {
			t.Errorf("stopped after the first: %d left, %v", s.left, err)
		}
	}
}
