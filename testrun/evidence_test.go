package testrun_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func TestOtherCase(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{
		`"Hello, Ada"`:     `"hELLO, aDA"`,
		`"a\nb %5d of %s"`: `"A\nB %5d OF %s"`,
		`"{name}: 100%%"`:  `"{name}: 100%%"`,
		`u8"a"`:            `u8"A"`,
		`"a $b ${c.d}"`:    `"A $b ${c.d}"`,
		`"12"`:             `"12"`,
	} {
		if got := syntax.OtherCase(literal); got != want {
			t.Errorf("%s: %s, want %s", literal, got, want)
		}
	}
}
