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

func TestMoreDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`"0.10"`: `"40.10"`, "'-5'": "'-45'", "`7 days`": "`47 days`", `"a1"`: "", `""`: "", `"-"`: ""} {
		if got := moreDigits(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
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
