package rust

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	const workspace = "[workspace]\nmembers = [\"*\"]\n"
	for _, test := range []struct {
		outer, inner string
		want         bool
	}{
		{workspace, "", true},
		{"[package]\n", "", false},
		{workspace, "[workspace]\n", false},
		{workspace + "exclude = [\n  \"old\",\n  'crates/a',\n]\n", "", false},
		{workspace + "exclude = [\"crates/\"]\n", "", false},
		{workspace + "exclude = [\"crates/ab\", \"crate\"]\n", "", true},
	} {
		p := testrun.Sources{Read: func(name string) string {
			return map[string]string{"Cargo.toml": test.outer, "crates/a/Cargo.toml": test.inner}[name]
		}}
		if got := covers(p, "crates/a"); got != test.want {
			t.Errorf("%q, %q: %v", test.outer, test.inner, got)
		}
	}
}
