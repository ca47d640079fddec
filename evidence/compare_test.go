package evidence_test

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

// What the tests of before do not notice, those of now are not asked.
func TestCompare_asksOnlyWhatWasNoticed(t *testing.T) {
	t.Parallel()
	const content = "1 2 3"
	source := evidence.Source{Path: "a", Content: content}
	for i, digit := range []string{"1", "2", "3"} {
		at := strings.Index(content, digit)
		source.Mutants = append(source.Mutants, syntax.Mutant{Edit: syntax.Edit{Span: syntax.Span{Start: at, End: at + 1}, Text: "9"}, Line: i + 1, What: digit + " becomes 9"})
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
	loss, err := evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: suite("2 3"), Now: suite("1 3")}, map[string]string{"it": "it"})
	if err != nil || len(loss.Weaker) != 1 || loss.Weaker[0].Line != 2 {
		t.Errorf("weaker: %v, %v; want what becomes of the 2", loss.Weaker, err)
	}
	want := []string{"2 3 by 9 2 3", "2 3 by 1 9 3", "1 3 by 1 9 3", "2 3 by 1 9 3", "1 3 by 1 9 3"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

// A test that reads as it did is weaker if it misses more than half of what it noticed.
func TestCompare_kept(t *testing.T) {
	t.Parallel()
	const content = "1 2 3"
	source := evidence.Source{Path: "a", Content: content}
	for i := range 3 {
		source.Mutants = append(source.Mutants, syntax.Mutant{Edit: syntax.Edit{Span: syntax.Span{Start: 2 * i, End: 2*i + 1}, Text: "9"}, Line: i + 1})
	}
	suite := func(notices string) evidence.Suite {
		return evidence.Suite{Kept: map[string]bool{"it": true}, Tests: []gates.Test{{ID: "it"}}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			test := gates.Test{ID: "it", Status: gates.StatusPassed}
			if slices.ContainsFunc(strings.Fields(notices), func(digit string) bool { return !strings.Contains(q.Files["a"], digit) }) {
				test.Status = gates.StatusFailed
			}
			return gates.Facts{Outcome: gates.Outcome(test.Status), Tests: []gates.Test{test}}, nil
		}}
	}
	for notices, want := range map[string][2]int{"1 2 3": {0, 0}, "2 3": {0, 1}, "3": {1, 0}, "": {1, 0}} {
		loss, err := evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: suite("1 2 3"), Now: suite(notices)}, map[string]string{"it": "it"})
		if got := [2]int{len(loss.Weaker), len(loss.Shifted)}; err != nil || got != want {
			t.Errorf("it notices %q: weaker %v, shifted %v, %v", notices, loss.Weaker, loss.Shifted, err)
		}
	}
}

// Rows that have only a number for a name move when one is put before them.
func TestCompare_rowsByNumber(t *testing.T) {
	t.Parallel()
	source := evidence.Source{Path: "a", Content: "1", Mutants: []syntax.Mutant{{Edit: syntax.Edit{Span: syntax.Span{End: 1}, Text: "9"}, Line: 1}}}
	suite := func(ids string, notices string) evidence.Suite {
		var tests []gates.Test
		for id := range strings.FieldsSeq(ids) {
			tests = append(tests, gates.Test{ID: id, Status: gates.StatusPassed})
		}
		return evidence.Suite{Tests: tests, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			f := gates.Facts{Outcome: gates.Failed}
			for _, test := range q.Tests {
				if test.ID == notices {
					test.Status = gates.StatusFailed
				}
				f.Tests = append(f.Tests, test)
			}
			return f, nil
		}}
	}
	for name, tc := range map[string]struct {
		was, notices, now, succeeds string
		weaker                      bool
	}{
		"Go":                   {"T/#00 T/#01", "T/#01", "T/#00 T/#01 T/#02", "T/#02", false},
		"PHPUnit":              {"t#0 t#1", "t#0", "t#0 t#1 t#2", "t#2", false},
		"pytest":               {"t[a0-b_0] t[a1-b_1]", "t[a0-b_0]", "t[a0-b_0] t[a1-b_1] t[a2-b_2]", "t[a2-b_2]", false},
		"no row":               {"t#0 t#1", "t#0", "t#0 t#1 t#2", "", true},
		"a row of another":     {"t#0 u#0", "t#0", "t#0 u#0 u#1", "u#1", true},
		"rows with names":      {"T/one T/two", "T/one", "T/one T/two T/three", "T/two", true},
		"rows with values":     {"t[1-2] t[3-4]", "t[1-2]", "t[1-2] t[3-4]", "t[3-4]", true},
		"the table went":       {"t#0 t#1 u", "t#0", "t#0 t#1 u", "u", true},
		"the same row notices": {"t#0 t#1", "t#0", "t#0 t#1", "t#0", false},
	} {
		follow := map[string]string{}
		for id := range strings.FieldsSeq(tc.was) {
			follow[id] = id
		}
		now := suite(tc.now, tc.succeeds)
		got, err := evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: suite(tc.was, tc.notices), Now: now}, follow)
		if err != nil || len(got.Weaker) > 0 != tc.weaker {
			t.Errorf("%s: weaker %v, %v; want %v", name, got.Weaker, err, tc.weaker)
		}
		now.Shares = true
		got, err = evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: suite(tc.was, tc.notices), Now: now}, follow)
		anew := tc.succeeds != "" && !strings.Contains(" "+tc.was+" ", " "+tc.succeeds+" ")
		if err != nil || len(got.Weaker) > 0 != (tc.weaker && !anew) {
			t.Errorf("%s, if new tests may take over: weaker %v, %v", name, got.Weaker, err)
		}
	}
}

// A test that notices by chance is no measure: neither where it did before, nor where
// it did not since.
func TestCompare_chance(t *testing.T) {
	t.Parallel()
	source := evidence.Source{Path: "a", Content: "1", Mutants: []syntax.Mutant{{Edit: syntax.Edit{Span: syntax.Span{End: 1}, Text: "9"}, Line: 1}}}
	suite := func(notices ...bool) evidence.Suite {
		test := gates.Test{ID: "it", Status: gates.StatusPassed}
		seen := map[string]bool{}
		return evidence.Suite{Tests: []gates.Test{test}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			if seen[q.For] {
				t.Error("the same question twice: the answer is on record")
			}
			seen[q.For] = true
			now := test
			if notices[0] {
				now.Status = gates.StatusFailed
			}
			notices = notices[1:]
			return gates.Facts{Outcome: gates.Outcome(now.Status), Tests: []gates.Test{now}}, nil
		}}
	}
	for name, tc := range map[string]struct {
		was, now evidence.Suite
		weaker   bool
	}{
		"before, by chance": {suite(true, false), suite(false), false},
		"now, by chance":    {suite(true, true), suite(false, true), false},
		"never again":       {suite(true, true), suite(false, false), true},
	} {
		got, err := evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: tc.was, Now: tc.now}, map[string]string{"it": "it"})
		if err != nil || len(got.Weaker) > 0 != tc.weaker {
			t.Errorf("%s: weaker %v, %v; want %v", name, got.Weaker, err, tc.weaker)
		}
	}
}

// A crash keeps tests from their turn, others in each run: they noticed nothing.
func TestCompare_crash(t *testing.T) {
	t.Parallel()
	source := evidence.Source{Path: "a", Content: "1", Mutants: []syntax.Mutant{{Edit: syntax.Edit{Span: syntax.Span{End: 1}, Text: "9"}, Line: 1}}}
	suite := func(ran gates.Test) evidence.Suite {
		return evidence.Suite{Tests: []gates.Test{{ID: "first"}, {ID: "second"}}, Run: func(context.Context, evidence.Question) (gates.Facts, error) {
			return gates.Facts{Outcome: gates.Crashed, Tests: []gates.Test{ran}}, nil
		}}
	}
	was, now := suite(gates.Test{ID: "first", Status: gates.StatusPassed}), suite(gates.Test{ID: "second", Status: gates.StatusPassed})
	got, err := evidence.Compare(t.Context(), []evidence.Source{source}, evidence.Pair{Was: was, Now: now}, map[string]string{"first": "first", "second": "second"})
	if err != nil || len(got.Weaker) > 0 {
		t.Errorf("weaker %v, %v", got.Weaker, err)
	}
}

// What there is no time for is taken for granted, and said.
func TestCompare_late(t *testing.T) {
	t.Parallel()
	source := evidence.Source{Path: "a", Content: "1", Mutants: []syntax.Mutant{{Edit: syntax.Edit{Span: syntax.Span{End: 1}, Text: "9"}, Line: 1}}}
	pair := evidence.Pair{Until: time.Now().Add(-time.Second)}
	if got, err := evidence.Compare(t.Context(), []evidence.Source{source}, pair, nil); err != nil || got.Assumed != gates.NoTime {
		t.Errorf("assumed %q, %v; want it", got.Assumed, err)
	}
}
