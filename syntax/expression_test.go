package syntax

import (
	"fmt"
	"testing"
)

func TestTurned(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{`(?!`: `(?=`, `(?<=`: `(?<!`, `\d`: `\D`, `\W`: `\w`, `[^`: `[`} {
		if got := turned(turnPattern().FindString("x" + part + "y")); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}

func TestExpression(t *testing.T) {
	t.Parallel()
	page := CFamily()
	page.Changing = Changing{
		Inert: func(_ *Tree, i int) int { return i }, Returns: func(*Tree, int) Expr { return Expr{} }, Condition: func(*Tree, int) Expr { return Expr{} },
		Constant: func(*Tree, int) string { return "x" },
	}
	var got []string
	for _, m := range page.Mutants(`f("(a=[^=]+)=(.*)\\d")`) {
		got = append(got, m.What)
	}
	if want := "[x for \"(a=[^=]+)=(.*)\\\\d\" [ for [^ \\D for \\d [^=]{1} for [^=]+ .? for .*]"; fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}
