package gates

import "testing"

func TestUnnumbered(t *testing.T) {
	t.Parallel()
	f := &File{Path: "test_a.py", Declared: []string{"test_a"}, Test: "@p(\"given, want2\", [(a1, 2)])\ndef test_a(given, want2):\n    pass\n"}
	for id, want := range map[string]string{
		"test_a.py::test_a[given1]":        "test_a.py::test_a[given]",
		"test_a.py::test_a[given12-3]":     "test_a.py::test_a[given-3]",
		"test_a.py::test_a[given1-want20]": "test_a.py::test_a[given-want2]",
		"test_a.py::test_a[a1]":            "test_a.py::test_a[a1]",
		"test_a.py::test_a[1-2]":           "test_a.py::test_a[1-2]",
		"test_a.py::test_a[given]":         "test_a.py::test_a[given]",
		"test_a.py::test_a":                "test_a.py::test_a",
	} {
		if got := unnumbered(f, id); got != want {
			t.Errorf("%s became %s, want %s", id, got, want)
		}
	}
}
