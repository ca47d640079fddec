package loop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// failing is an attempt that was refused because of a failing test; each says
// something else besides.
func failing(n int, id, message string) *refusedError {
	r := &refusedError{findings: []string{fmt.Sprintf("green: finding %d", n)}}
	r.after.Facts = gates.Facts{Outcome: gates.Failed, Tests: []gates.Test{
		{ID: fmt.Sprintf("other %d", n), Status: gates.StatusFailed, Class: gates.ClassAssertion},
		{ID: id, Status: gates.StatusFailed, Class: gates.ClassAssertion, Message: message},
	}}
	return r
}

func TestTheSameTestFailingTheSameWay(t *testing.T) {
	t.Parallel()
	same := []*refusedError{failing(1, "sum", "got 3"), failing(2, "sum", "got 3"), failing(3, "sum", "got 3")}
	tests := map[string]struct {
		plays   gates.Role
		refused []*refusedError
		want    string
	}{
		"three times":          {gates.Implementor, same, "saw sum fail the same way 3 times in a row (assertion): got 3"},
		"twice":                {gates.Implementor, same[:2], ""},
		"other words":          {gates.Implementor, append(same[:2:2], failing(3, "sum", "got 4")), ""},
		"other test":           {gates.Implementor, append(same[:2:2], failing(3, "difference", "got 3")), ""},
		"interrupted":          {gates.Implementor, append(same[:2:2], &refusedError{findings: []string{"plan"}}, same[2]), ""},
		"a tester's red again": {gates.Tester, same, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := repeating(turn{role: "x", plays: tt.plays}, tt.refused)
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
