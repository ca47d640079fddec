package nearest

import "testing"

func TestOf(t *testing.T) {
	t.Parallel()
	known := []string{"steps", "roles", "llm", "string-calculator"}
	for word, want := range map[string]string{
		"stepz": "steps", "STEPS": "steps", "role": "roles", "stringcalculator": "string-calculator",
		"nothing-of-the-kind": "", "": "",
	} {
		if got := Of(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
