package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// An old test follows the files and names that a change calls otherwise, in the words of
// each language, and keeps its texts.
func TestRenaming_follow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, moved, from, to, text, want string }{
		{"clamp.py", "bounds/limit.py", "test_clamp.py", "tests/test_limit.py", "from clamp import clamp\n", "from bounds.limit import bound\n"},
		{"src/clamp.js", "src/bounds/limit.js", "test/a.test.js", "test/x/a.test.js", "import { clamp } from '../src/clamp.js';\n", "import { bound } from '../../src/bounds/limit.js';\n"},
		{"src/clamp.ts", "src/limit.ts", "src/clamp.test.ts", "src/clamp.test.ts", "import { clamp } from './clamp';\n", "import { bound } from './limit';\n"},
		{"src/clamp.js", "src/limit.js", "test/a.test.js", "test/x/a.test.js", "import { help } from './help.js';\n", "import { help } from '../help.js';\n"},
		{"clamp/clamp.go", "internal/bounds/clamp.go", "a_test.go", "a_test.go", "\t\"calc/clamp\"\n", "\t\"calc/internal/bounds\"\n"},
		{"lib/clamp.rb", "lib/calc/limit.rb", "test/a_test.rb", "test/a_test.rb", "require \"clamp\"\n", "require \"calc/limit\"\n"},
		{"src/main/java/calc/Clamp.java", "src/main/java/calc/b/Limit.java", "src/test/java/ATest.java", "src/test/java/ATest.java", "import calc.Clamp;\n", "import calc.b.Limit;\n"},
		{"src/clamp.h", "src/limit.h", "tests/a_test.cpp", "tests/a_test.cpp", "#include \"clamp.h\"\n", "#include \"limit.h\"\n"},
		{"src/clamp.php", "src/b/limit.php", "tests/ATest.php", "tests/x/ATest.php", "require __DIR__ . '/../src/clamp.php';\n", "require __DIR__ . '/../../src/b/limit.php';\n"},
		{"src/clamp.rs", "src/bounds/mod.rs", "tests/a.rs", "tests/a.rs", "use calc::clamp::Range;\n", "use calc::bounds::Range;\n"},
		{"src/clamp.sh", "src/limit.sh", "test/a.bats", "test/a.bats", "source \"$BATS_TEST_DIRNAME/../src/clamp.sh\"\n[ \"$(clamp 1)\" = \"clamp 1\" ]\n", "source \"$BATS_TEST_DIRNAME/../src/limit.sh\"\n[ \"$(bound 1)\" = \"clamp 1\" ]\n"},
		{"a", "b", "t", "t", "clamped(clamp, \"clamp\", 'clamp', `${clamp}`)\n", "clamped(bound, \"clamp\", 'clamp', `${bound}`)\n"},
		{"src/a/T.java", "src/b/T.java", "src/a/TTest.java", "src/b/TTest.java", "package a;\n", "package b;\n"},
	} {
		r := renaming{names: map[string]string{"clamp": "bound"}, moves: map[string]string{c.old: c.moved}}
		f := gates.FileChange{Old: &gates.File{Path: c.from, Test: c.text}, New: &gates.File{Path: c.to, Test: c.want}}
		if got := r.follow(f, c.text, c.to); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A name takes another's place where that is gone, it is new, and nothing else took it.
func TestRenaming_elect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after, want string }{
		{"func clamp(n int) int {\n\treturn low\n}\n", "func bound(n int) int {\n\treturn low\n}\n", "bound"},
		{"func clamp(n int) int {\n}\n", "func bound(n int) int {\n}\n\nfunc clamp(n int) int {\n}\n", ""},
		{"func clamp(n int) int {\n}\n\nfunc bound(n int) int {\n}\n", "func bound(n int) int {\n}\n", ""},
		{"func clamp(n int) int {\n}\n\nvar a = clamp(1)\n", "func frozen(n int) int {\n}\n\nfunc bound() {\n\treturn\n}\n\nvar a = bound(1)\n", ""},
	} {
		votes, r := map[[2]string]int{}, renaming{names: map[string]string{}}
		vote(votes, c.before, c.after, lexemePattern)
		r.elect(votes, vocabularyOf(c.before), vocabularyOf(c.after))
		if r.names["clamp"] != c.want {
			t.Errorf("%q: %v, want %q", c.after, r.names, c.want)
		}
	}
}

// Where a long source calls something otherwise in places that are far apart, only these
// are compared.
func TestRenaming_longSource(t *testing.T) {
	t.Parallel()
	before := "func clamp(n int) int {\n}\n" + strings.Repeat("x = 1\n", maxLines/2) + "var a = clamp(1)\n"
	votes := map[[2]string]int{}
	vote(votes, before, strings.ReplaceAll(before, "clamp", "bound"), lexemePattern)
	if n := votes[[2]string{"clamp", "bound"}]; n != 2 {
		t.Errorf("%d votes, want 2", n)
	}
}

func vocabularyOf(source string) vocabulary {
	v := vocabulary{}
	v.add(source, source)
	return v
}
