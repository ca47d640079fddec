package gates_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// A test that reads as it did under another title, or in a group with another name, is not
// gone; one that is taken away beside a namesake is.
func TestRetitled(t *testing.T) {
	t.Parallel()
	const file = "spec/box_spec.rb"
	old := gates.Test{ID: file + "::Box::.size::is five", File: file, Status: gates.StatusPassed}
	test := func(title, check string) string {
		return "  it \"" + title + "\" do\n    " + check + "\n  end\n"
	}
	const check = "expect(Box.new.size).to eq(5)"
	for name, tc := range map[string]struct {
		now      string
		declared []string
		after    []string // ids
		want     bool
	}{
		"another title":                 {test("is large", check), []string{"is large"}, []string{"::Box::.size::is large"}, true},
		"another title and check":       {test("is large", "expect(Box.new.size).to eq(6)"), []string{"is large"}, []string{"::Box::.size::is large"}, false},
		"another group":                 {test("is five", check), []string{"is five"}, []string{"::Box::#size::is five"}, true},
		"another group and check":       {test("is five", "expect(1).to eq(1)"), []string{"is five"}, []string{"::Box::#size::is five"}, false},
		"a namesake that is not enough": {test("is five", check), []string{"is five"}, nil, false},
		"gone":                          {"", nil, nil, false},
	} {
		change := gates.Change{Files: []gates.FileChange{{
			Old: &gates.File{Path: file, Kind: gates.KindTest, Test: test("is five", check), Declared: []string{"is five"}},
			New: &gates.File{Path: file, Kind: gates.KindTest, Test: tc.now, Declared: tc.declared},
		}}}
		var after gates.Facts
		for _, id := range tc.after {
			after.Tests = append(after.Tests, gates.Test{ID: file + id, File: file})
		}
		if got := change.Retitled(old, gates.Facts{Tests: []gates.Test{old}}, after); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
