package gates

import (
	"strings"
	"testing"
)

func TestWordAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, word string
		want       int
	}{
		{"sum", "sum", 0},
		{"calc::sum(1)", "sum", 6},
		{"sums sum", "sum", 5},
		{"_sum 1sum Zsum ésum sumé sum_ sum9", "sum", -1},
		{"aaa", "aa", -1},
		{"", "sum", -1},
		{"sum", "", -1},
		{"", "", -1},
		{"operator+ (", "operator+", 0},
	} {
		if got := wordAt(test.text, test.word); got != test.want {
			t.Errorf("wordAt(%q, %q) = %d, want %d", test.text, test.word, got, test.want)
		}
	}
}

func TestDefines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"pub fn sum() {": true, "def sum(a):": true, "func sum() int {": true, "let mut sum = 0;": true, "class sum": true,
		"assert_eq!(sum(), 0);": false, "sum()": false, "fn summary() { sum() }": false, "// define sum": false,
	} {
		if got := defines([]string{"x", line}, "sum"); got != want {
			t.Errorf("defines(%q) = %v", line, got)
		}
	}
}

func TestMoreLines(t *testing.T) {
	t.Parallel()
	got := strings.Join(moreLines("a\n  b\nb\nc\n", "b\nc\nd\n"), "|")
	if got != "a|b" {
		t.Errorf("got %q", got)
	}
}

// TestOwnText shows where a test begins and ends, by layout alone.
func TestOwnText(t *testing.T) {
	t.Parallel()
	const rust = "#[test]\nfn one() {\n    check(1);\n\n    check(2);\n}\n\n#[test]\n#[should_panic]\nfn two() { check(3) }\n"
	const python = "class TestSum:\n    @slow\n    def test_one(self):\n        check(1)\n    def test_two(self):\n        check(2)"
	for _, test := range []struct{ text, name, want string }{
		{rust, "one", "#[test] fn one() { check(1); check(2);"},
		{rust, "two", "#[test] #[should_panic] fn two() { check(3) }"},
		{rust, "three", ""},
		{python, "test_one", "@slow def test_one(self): check(1)"},
		{python, "test_two", "def test_two(self): check(2)"},
		{"one_more()\none()", "one", "one()"},
		{"fn one() {}", "one", "fn one() {}"},
	} {
		if got := ownText(&File{Test: test.text}, test.name); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	if got := ownText(nil, "one"); got != "" {
		t.Errorf("no file, but the text %q", got)
	}
}
