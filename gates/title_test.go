package gates

import "testing"

func TestDeclaredName_ofATitleInWords(t *testing.T) {
	t.Parallel()
	f := &File{Declared: []string{"adds two numbers", "TestSum"}}
	for id, want := range map[string]string{
		"test/add.test.js::adds two numbers": "adds two numbers",
		"test/add.test.js::adds":             "",
		"calc.TestSum/1,2":                   "TestSum",
		"tests/TestSum.py::Sums::other":      "",
		"tests/sums.py::Sums::TestSum[1.5]":  "TestSum",
	} {
		if got := f.Declares(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestTitled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, id string
		want      bool
	}{
		{"adds", "a.test.js::sums::adds", true},
		{"sums::adds", "a.test.js::sums::adds", true},
		{"other::adds", "a.test.js::sums::adds", false},
		{"dds", "a.test.js::sums::adds", false},
		{"adds", "a.test.js::sums::adds#2", true},
		{"adds %d and ${b.c}", "a.test.js::adds 1 and x", true},
		{"$group::adds", "a.test.js::sums::adds", true},
		{"adds %d and %d", "a.test.js::adds 1", false},
		{"${name}", "a.test.js::anything", true},
		{"100% sure", "a.test.js::100% sure", true},
	} {
		if got := Titled(c.title, c.id); got != c.want {
			t.Errorf("%q names %q: %v, want %v", c.title, c.id, got, c.want)
		}
	}
}
