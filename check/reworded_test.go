package check

import "testing"

func TestInOtherWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"line %d: %w"`:           `"mine %d: %w"`,
		`"{name} is Zoe's"`:       `"{name} js Aoe's"`,
		"`no ${x.y} in\n zoo`":    "`oo ${x.y} jn\n aoo`",
		`'%-5s of %(total)s\nab'`: `'%-5s pf %(total)s\nbb'`,
		`"$name, #{a} %{b} x"`:    `"$name, #{a} %{b} x"`,
	} {
		if got := inOtherWords(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
