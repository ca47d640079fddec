package gates

import "testing"

func TestKeepsChecks(t *testing.T) {
	t.Parallel()
	const head = "def test_fee():\n"
	for name, c := range map[string]struct {
		was, now string
		want     bool
	}{
		"another input":             {"    days = 5\n    assert fee(days) == 10\n", "    days = 4\n    assert fee(days) == 10\n", true},
		"set up in fewer lines":     {"    days = 5\n    day = mock()\n    assert fee(day) == 10\n", "    assert fee(4) == 10\n", true},
		"another value":             {"    assert fee(5) == 10\n", "    assert fee(5) == 11\n", true},
		"an assertion less":         {"    assert fee(5) == 10\n    assert fee(6) == 12\n", "    assert fee(6) == 12\n", false},
		"none":                      {"    assert fee(5) == 10\n", "    fee(5)\n", false},
		"a row less":                {"    for days, want in [\n        (5, 10),\n        (6, 12),\n    ]:\n        assert fee(days) == want\n", "    for days, want in [\n        (6, 12),\n    ]:\n        assert fee(days) == want\n", false},
		"a row less, and a message": {"    for days in [\n        5,\n        6,\n    ]:\n        assert fee(days) == 2 * days, 'x'\n", "    for days in [\n        6,\n    ]:\n        assert fee(days) == 2 * days, 'x'\n", false},
	} {
		file := func(body string) *File {
			f := &File{Path: "t.py", Kind: KindTest, Test: head + body, Declared: []string{"test_fee"}}
			for _, line := range moreLines(body, "") {
				if len(line) > 6 && line[:6] == "assert" {
					f.Assertions = append(f.Assertions, line)
				}
			}
			return f
		}
		change := Change{Files: []FileChange{{Old: file(c.was), New: file(c.now)}}}
		if got := change.KeepsChecks("t.py::test_fee"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
