package check_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang/python"
)

// Comments in what helps tests change nothing for them.
func TestEdit_commentsInHelpers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, now string
		want     bool
	}{
		{"def user():\n    return 1\n", "# who asks\n\ndef user():\n    return 1  # one\n", false},
		{"def user():\n    return 1\n", "def user():\n    return 2\n", true},
	} {
		f := check.Edit(python.Language(), "tests/conftest.py", []byte(c.was), []byte(c.now))
		if got := (gates.Change{Files: []gates.FileChange{f}}).HelpsTests(); got != c.want {
			t.Errorf("%q: %t, want %t", c.now, got, c.want)
		}
	}
}
