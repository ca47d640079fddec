package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestSameButVariables(t *testing.T) {
	t.Parallel()
	const was = "harbor = Marina(9)\n\ndef test_harbor():\n    assert harbor.free(\"harbor\") == 3\n"
	for _, c := range []struct {
		name, now string
		want      bool
	}{
		{"another variable", "marina = Marina(9)\n\ndef test_harbor():\n    assert marina.free(\"harbor\") == 3\n", true},
		{"another test, too", "marina = Marina(9)\n\ndef test_marina():\n    assert marina.free(\"harbor\") == 3\n", true},
		{"another text", "marina = Marina(9)\n\ndef test_harbor():\n    assert marina.free(\"marina\") == 3\n", false},
		{"another number", "marina = Marina(9)\n\ndef test_harbor():\n    assert marina.free(\"harbor\") == 4\n", false},
		{"another method", "harbor = Marina(9)\n\ndef test_harbor():\n    assert harbor.full(\"harbor\") == 3\n", false},
		{"another function", "harbor = Port(9)\n\ndef test_harbor():\n    assert harbor.free(\"harbor\") == 3\n", false},
		{"two variables", "marina = Marina(9)\n\ndef test_harbor():\n    assert harbor.free(\"harbor\") == 3\n", false},
		{"a named argument", "harbor = Marina(9)\n\ndef test_harbor():\n    assert harbor.free(\"harbor\", a=1) == 3\n", false},
		{"a name in use", "Marina = Marina(9)\n\ndef test_harbor():\n    assert Marina.free(\"harbor\") == 3\n", false},
	} {
		was := was
		if c.name == "a named argument" {
			was = strings.Replace(c.now, "a=1", "b=1", 1)
		}
		side := func(text, test string) *gates.File {
			return &gates.File{Path: "test_a.py", Kind: gates.KindTest, Test: text, Declared: []string{test}}
		}
		test := "test_harbor"
		if c.name == "another test, too" {
			test = "test_marina"
		}
		if got := sameButVariables(side(was, "test_harbor"), side(c.now, test)); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
