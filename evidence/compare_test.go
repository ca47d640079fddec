package evidence_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// What the tests of before do not notice, those of now are not asked.
func TestCompare_asksOnlyWhatWasNoticed(t *testing.T) {
	t.Parallel()
	const content = "1 2 3"
	source := evidence.Source{Path: "a", Content: content}
	for i, digit := range []string{"1", "2", "3"} {
		at := strings.Index(content, digit)
		source.Mutants = append(source.Mutants, testrun.Mutant{Edit: testrun.Edit{Span: testrun.Span{Start: at, End: at + 1}, Text: "9"}, Line: i + 1, What: digit + " becomes 9"})
	}
	var asked []string
	suite := func(notices string) evidence.Suite {
		return evidence.Suite{
			Tests: []gates.Test{{ID: "it"}},
			Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
				asked = append(asked, notices+" by "+q.Files["a"])
				test := gates.Test{ID: "it", Status: gates.StatusPassed}
				if slices.ContainsFunc(strings.Fields(notices), func(digit string) bool { return !strings.Contains(q.Files["a"], digit) }) {
					test.Status = gates.StatusFailed
				}
				return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
			},
		}
	}
	weaker, err := evidence.Compare(t.Context(), []evidence.Source{source}, suite("2 3"), suite("1 3"), map[string]string{"it": "it"})
	if err != nil || len(weaker) != 1 || weaker[0].Line != 2 {
		t.Errorf("weaker: %v, %v; want what becomes of the 2", weaker, err)
	}
	want := []string{"2 3 by 9 2 3", "2 3 by 1 9 3", "1 3 by 1 9 3", "2 3 by 1 2 9", "1 3 by 1 2 9"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}
