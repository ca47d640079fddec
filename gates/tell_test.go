package gates_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// TestTell tells one cause in one line, and different ones in their order.
func TestTell(t *testing.T) {
	t.Parallel()
	var findings []gates.Finding
	for n := range 6 {
		findings = append(findings, gates.Finding{Gate: "red", Path: "a_test.go", Line: n + 1, Seen: "undefined: Add", Remedy: "add it"})
	}
	findings = append(findings, gates.Finding{Gate: "red", Seen: "other", Remedy: "no"}, gates.Finding{Gate: "red", Seen: "other", Remedy: "no"},
		gates.Finding{Gate: "green", Test: "A", Seen: "gone", Remedy: "back"}, gates.Finding{Gate: "green", Test: "B", Seen: "gone", Remedy: "back"})
	want := []string{
		"red: a_test.go:1; a_test.go:2; a_test.go:3; a_test.go:4 and 2 more: undefined: Add → add it",
		"red: other → no",
		"green: A; B: gone → back",
	}
	if got := gates.Tell(findings); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := gates.Tell(nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
