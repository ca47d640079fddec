package syntax

import (
	"slices"
	"testing"
)

// Of the elements of a list, one that reads otherwise than those around it may be meant to read as
// they do; a limit may hold on the other side, but not in the head of a loop.
func TestSlips(t *testing.T) {
	t.Parallel()
	page := CFamily()
	page.Changing.Inert, page.Changing.Bodies = func(_ *Tree, i int) int { return i }, false
	for text, want := range map[string]string{
		"f(a.to.name, a.there.zip, a.to.city);":  "to for there",
		"f(to.name, there.zip, to.city);":        "to for there",
		"f(a->to->name, a->by->zip, a->to->at);": "to for by",
		"f(a.to.name, a.there.zip, a.by.city);":  "",
		"f(a.to.name, b.from.zip, a.to.city);":   "a for b",
		"f(a.to.name, a.to.zip, a.to.city);":     "",
		"a.to.go(); a.there.go(); a.to.go();":    "",
		"if (a <= b) { f(); }":                   ">= for <=",
		"x = a >= b;":                            "<= for >=",
		"for (i = 0; i <= b; i++) { f(); }":      "",
		"if (a < b) { f(); }":                    "",
		"f(a.rows); f(a.cols, m.left, m.right);": "rows for colsleft for right",
		"a = 1; f(b.rows, g(b.cols, a));":        "rows for cols",
	} {
		got := ""
		for _, m := range page.Mutants(text) {
			if m.Rank == Slip && !slices.Contains([]string{"", got}, m.What) {
				got += m.What
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
