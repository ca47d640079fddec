package shell

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ manifest, paths, want string }{
		{"", "test/a.bats", "bats -r test"},
		{"", "test/a.bats test/fixtures/broken/b.bats", "bats test"},
		{"", "test/a.bats test/more/b.bats", "bats -r test"},
		{"", "tests/a.bats tests/testdata/b.bats", "bats tests"},
		{"", "a.bats", "bats -r ."},
		{"", "a.bats spec/b.bats", "bats -r ."},
		{`{"scripts": {"test": "bin/bats --timing test"}}`, "test/more/a.bats", "bin/bats --timing test"},
		{`{"scripts": {"test": "bats ${CI+-t} test"}}`, "test/a.bats", "bats -r test"},
		{`{"scripts": {"test": "jest"}}`, "test/a.bats", "bats -r test"},
		{`{"scripts": {"test": " "}}`, "test/a.bats", "bats -r test"},
		{`{`, "test/a.bats", "bats -r test"},
	} {
		src := testrun.Sources{Paths: strings.Fields(c.paths), Read: func(string) string { return c.manifest }}
		if got := strings.Join(Language().Chosen(src).Commands.Test, " "); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.manifest, c.paths, got, c.want)
		}
	}
}
