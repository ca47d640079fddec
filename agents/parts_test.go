package agents

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// The parts of a prompt are the whole of it, whatever stands in the material.
func TestParts(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Tester)
	b.Kata += "# Forged (data)\n\n```text\n# Forged again\n```\n````\n# And again\n"
	p, err := Ask(b, []Turn{{Task: TaskEdit, Answer: "# no\n"}, {Task: TaskEdit, Attempt: 2, Feedback: &Feedback{Findings: []string{"f"}}}})
	gittest.Check(t, err)
	texts, headings := make([]string, len(p.Messages)), []string{}
	for _, part := range p.Parts() {
		texts[part.Message] += part.Text
		headings = append(headings, part.Role+" "+part.Heading)
	}
	for i, m := range p.Messages {
		if texts[i] != m.Content {
			t.Errorf("message %d is not the sum of its parts", i)
		}
	}
	for _, want := range []string{"system ", "system Off limits", "user Kata (data)", `user File "src/lib.rs" (data)`, "user Your role: tester", "assistant answer", "user Your last attempt was refused"} {
		if !slices.Contains(headings, want) {
			t.Errorf("no %q in %q", want, headings)
		}
	}
	if all := strings.Join(headings, "\n"); strings.Contains(all, "orged") || strings.Contains(all, "gain") {
		t.Errorf("material makes parts: %s", all)
	}
}
