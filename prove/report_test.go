package prove_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/prove"
)

// TestGaps: each gap is a note at its line, and an error says what becomes of the line.
func TestGaps(t *testing.T) {
	t.Parallel()
	r := prove.Report{
		Unreached: []prove.Lines{{Path: "a.go", First: 3, Last: 4, Text: "return 7"}},
		Asking:    []prove.Lines{{Path: "a.go", First: 5, Last: 5, Text: "if testing.Testing() {"}},
		Answers:   []prove.Lines{{Path: "a.go", First: 7, Last: 7, Text: "case 10:"}},
		Old:       prove.Old{Gone: []prove.Gone{{ID: "TestA", File: "a_test.go", Fails: true}, {ID: "TestB"}}, Changed: []string{"TestC", "TestD"}, Lost: map[string]string{"TestD": "got 1, want 2"}},
		Unnoticed: []gates.Mutant{{Path: "a.go", Line: 9, What: "n <= 0 for n < 0", Was: "if n < 0 {", Now: "if n <= 0 {"}},
	}
	var got []string
	for _, f := range r.Gaps() {
		if !f.Note {
			t.Errorf("%v is no note", f)
		}
		text, _, _ := strings.Cut(f.String(), " → test")
		text, _, _ = strings.Cut(text, " → l")
		got = append(got, text)
	}
	want := `evidence: a.go:3: no test reaches this: return 7
evidence: a.go:5: the change asks whether it is tested: if testing.Testing() {
evidence: a.go:7: the new tests ask only for values that are written in the change: case 10:
evidence: a_test.go, TestA: is gone: as it was, it fails with the change → say why, or put it back
evidence: TestB: is gone → say why, or put it back
evidence: TestC: was changed, or its data, and expects something else or less
evidence: TestD: was changed, or its data, and expects something else or less: as it was, it fails with the change (got 1, want 2)
evidence: a.go:9: no test notices if this is made wrong: n <= 0 for n < 0 (if n < 0 { → if n <= 0 {)`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
