package gates

import "testing"

// An assertion is handed over to tests that call the same with the same inputs, and not to
// what holds them by chance, or to the test itself, which demands less of them.
func TestHandsOver(t *testing.T) {
	t.Parallel()
	const head = "class T:\n    def test_fee():\n        assert fee(0) == 0\n"
	old := File{Path: "t.py", Kind: KindTest, Test: head + "        assert fee(5) == 10\n", Declared: []string{"test_fee"}, Assertions: []string{"assert fee(0) == 0", "assert fee(5) == 10"}, Expected: []string{"0", "10"}}
	for name, tc := range map[string]struct {
		rest string
		want bool
	}{
		"a test of the same":       {"\n    def test_five():\n        assert fee(5) == 15\n", true},
		"a table":                  {"\n    @rows([(5, 15)])\n    def test_rows(days, want):\n        assert fee(days) == want\n", true},
		"a table of its own":       {"\n    rows = [\n        (5, 15),\n    ]\n\n    def test_rows():\n        for days, want in rows:\n            assert fee(days) == want\n", true},
		"a table of others":        {"\n    rows = [\n        (5, 15),\n    ]\n\n    def test_fees():\n        assert fee(6) == 18\n", false},
		"nothing":                  {"", false},
		"another function":         {"\n    def test_double():\n        assert double(5) == 10\n\n    def test_grace():\n        assert fee(2, 1) == 2\n", false},
		"the same test, with less": {"        assert fee(5) > 1\n", false},
		"another input":            {"\n    def test_five():\n        assert fee(6) == 18\n", false},
	} {
		now := old
		now.Test, now.Assertions = head+tc.rest, []string{"assert fee(0) == 0"}
		c := Change{Files: []FileChange{{Old: &old, New: &now}}}
		if got := c.HandsOver("t.py::T::test_fee"); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
