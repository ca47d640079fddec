package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	projecttest.Write(t, dir, "-- test/a.bats --\n-- test/helper.bash --\n-- test/deep/b.bats --\n-- c.bats --\n-- d.sh --\n")
	for command, want := range map[string]string{
		"bats test":                    "test/a.bats",
		"npx bats -T -j 2 ./test/":     "test/a.bats",
		"bats -r test":                 "test/a.bats test/deep/b.bats",
		"bats --timing -Tr .":          "c.bats test/a.bats test/deep/b.bats",
		"bats c.bats d.sh gone.bats":   "c.bats d.sh",
		"bats -f adds test":            "",
		"bats --filter-tags slow test": "",
		"bats --negative-filter x .":   "",
	} {
		got := testFiles(&testrun.Places{Dir: dir}, strings.Fields(command))
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
