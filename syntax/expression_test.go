package syntax

import "testing"

func TestTurned(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{`(?!`: `(?=`, `(?<=`: `(?<!`, `\d`: `\D`, `\W`: `\w`, `[^`: `[`} {
		if got := turned(turnPattern.FindString("x" + part + "y")); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
