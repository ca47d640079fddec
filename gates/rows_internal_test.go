package gates

import (
	"strings"
	"testing"
)

// TestScattered reads tests that became rows in several languages.
func TestScattered(t *testing.T) {
	t.Parallel()
	python := "def test_below():\n    assert clamp(1, 3, 8) == 3\n\n\ndef test_above():\n    assert clamp(9, 3, 8) == 8\n\n\ndef test_within():\n    assert clamp(9, 3, 12) == 9\n"
	golang := "func TestBelow(t *testing.T) {\n\tif got := Clamp(1, 3, 8); got != 3 {\n\t\tt.Errorf(\"Clamp(1, 3, 8) = %d, want 3\", got)\n\t}\n}\n\n" +
		"func TestAbove(t *testing.T) {\n\tif got := Clamp(9, 3, 8); got != 8 {\n\t\tt.Errorf(\"Clamp(9, 3, 8) = %d, want 8\", got)\n\t}\n}\n"
	java := "class T {\n    @Test\n    void below() {\n        assertEquals(3, Clamp.clamp(1, 3, 8));\n    }\n\n    @Test\n    void above() {\n        assertEquals(8, Clamp.clamp(9, 3, 8));\n    }\n\n" +
		"    @Test\n    void one() {\n        assertEquals(\"one\", Clamp.name(1));\n    }\n}\n"
	for name, tt := range map[string]struct {
		was, now string
		declared []string
		want     string
	}{
		"parametrize":       {python, "@parametrize(\"n, low, high, want\", [\n    (1, 3, 8, 3),\n    (9, 3, 8, 8),\n    (9, 3, 12, 9),\n])\ndef test_clamp(n, low, high, want):\n    assert clamp(n, low, high) == want\n", []string{"test_below", "test_above", "test_within"}, ""},
		"with ids":          {python, "@parametrize(\"n, low, high, want\", [\n    param(1, 3, 8, 3, id=\"below\"),\n    param(9, 3, 8, 8, id=\"above\"),\n    param(9, 3, 12, 9),\n])\ndef test_clamp(n, low, high, want):\n    assert clamp(n, low, high) == want\n", []string{"test_below", "test_above", "test_within"}, ""},
		"one twice":         {python, "@parametrize(\"n, low, high, want\", [(1, 3, 8, 3), (1, 3, 8, 3), (9, 3, 12, 9)])\ndef test_clamp(n, low, high, want):\n    assert clamp(n, low, high) == want\n", []string{"test_below", "test_above", "test_within"}, "9, 3, 8, 8"},
		"checks in a test":  {python, "def test_clamp():\n    assert clamp(1, 3, 8) == 3\n    assert clamp(9, 3, 8) == 8\n    assert clamp(9, 3, 12) == 9\n", []string{"test_below", "test_above", "test_within"}, ""},
		"a loop":            {python, "def test_clamp():\n    for n, (low, high), want in ((1, (3, 8), 3), (9, (3, 8), 8), (9, (3, 12), 9)):\n        assert clamp(n, low, high) == want\n", []string{"test_below", "test_above", "test_within"}, ""},
		"a helper":          {golang, "func clamps(t *testing.T, n, want int) {\n\tif got := Clamp(n, 3, 8); got != want {\n\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t}\n}\n\nfunc TestClamp(t *testing.T) {\n\tclamps(t, 1, 3)\n\tclamps(t, 9, 8)\n}\n", []string{"TestBelow", "TestAbove"}, ""},
		"keyed":             {golang, "var rows = []row{\n\t{name: \"low\", n: 1, want: 3},\n\t{name: \"high\", n: 9, want: 8},\n}\n\nfunc TestClamp(t *testing.T) {\n\tfor _, r := range rows {\n\t\tif got := Clamp(r.n, 3, 8); got != r.want {\n\t\t\tt.Errorf(\"got %d, want %d\", got, r.want)\n\t\t}\n\t}\n}\n", []string{"TestBelow", "TestAbove"}, ""},
		"keyed, one twice":  {golang, "var rows = []row{\n\t{name: \"low\", n: 1, want: 3},\n\t{name: \"high\", n: 1, want: 3},\n}\n\nfunc TestClamp(t *testing.T) {\n\tfor _, r := range rows {\n\t\tif got := Clamp(r.n, 3, 8); got != r.want {\n\t\t\tt.Errorf(\"got %d, want %d\", got, r.want)\n\t\t}\n\t}\n}\n", []string{"TestBelow", "TestAbove"}, "9"},
		"a map":             {golang, "func TestClamp(t *testing.T) {\n\tfor n, want := range map[int]int{1: 3, 9: 8} {\n\t\tif got := Clamp(n, 3, 8); got != want {\n\t\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t\t}\n\t}\n}\n", []string{"TestBelow", "TestAbove"}, ""},
		"methods and texts": {java, "class T {\n    static Stream<Arguments> rows() {\n        return Stream.of(Arguments.of(1, 3), Arguments.of(9, 8));\n    }\n\n    @ParameterizedTest\n    @MethodSource(\"rows\")\n    void clamps(int n, int want) {\n        assertEquals(want, Clamp.clamp(n, 3, 8));\n    }\n\n    @ParameterizedTest\n    @CsvSource({\"1, one\", \"2, two\"})\n    void names(int n, String want) {\n        assertEquals(want, Clamp.name(n));\n    }\n}\n", []string{"below", "above", "one"}, ""},
		"of methods, twice": {java, "class T {\n    static Stream<Arguments> rows() {\n        return Stream.of(Arguments.of(1, 3), Arguments.of(1, 3));\n    }\n\n    @ParameterizedTest\n    @MethodSource(\"rows\")\n    void clamps(int n, int want) {\n        assertEquals(want, Clamp.clamp(n, 3, 8));\n    }\n\n    @ParameterizedTest\n    @CsvSource({\"1, one\", \"2, two\"})\n    void names(int n, String want) {\n        assertEquals(want, Clamp.name(n));\n    }\n}\n", []string{"below", "above", "one"}, "9"},
		"another name":      {"def test_all():\n    assert [clamp(n, 3, 8) for n in (1, 5, 9)] == [3, 5, 8]\n", "def test_bound():\n    assert [bound(n, 3, 8) for n in (1, 5, 9)] == [3, 5, 8]\n", []string{"test_all"}, ""},
		"spelled as it was": {"def test_much():\n    assert half(2_000) == 2.50e2\n\n\ndef test_little():\n    assert half(0x10) == 1.50\n", "@pytest.mark.parametrize('n, want', [(2_000, 2.50e2), (0x10, 1.50)])\ndef test_half(n, want):\n    assert half(n) == want\n", []string{"test_much", "test_little"}, ""},
		"another message":   {"func TestNothing(t *testing.T) {\n\tif _, err := Parse(\"\"); err == nil || err.Error() != \"no dash\" {\n\t\tt.Errorf(\"got %v\", err)\n\t}\n}\n", "func TestParse(t *testing.T) {\n\trows := []row{{\"1-3\", &Range{1, 3}, \"\"}, {\"\", nil, \"no dash\"}}\n\tt.Errorf(\"got %v, want %v\", got, want)\n}\n", []string{"TestNothing"}, ""},
	} {
		change := Change{Files: []FileChange{{Old: &File{Test: tt.was, Declared: tt.declared}, New: &File{Test: tt.now}}}}
		if got := change.scattered(); got != tt.want {
			t.Errorf("%s: %q is scattered, want %q", name, got, tt.want)
		}
	}
}

func TestGetsRows(t *testing.T) {
	t.Parallel()
	const was = `@pytest.mark.parametrize("a, b", [(1, "x"), (2, "y")])`
	for now, want := range map[string]bool{
		`@pytest.mark.parametrize("a, b", [(1, "x"), (2, "y"), (3, "z=1")])`:         true,
		`@pytest.mark.parametrize("a, b", [(None, -1.5), (1, "x"), (2, "y")])`:       true,
		`@pytest.mark.parametrize("a, b", [(1, "x"), (f(), "z"), (2, "y")])`:         false,
		`@pytest.mark.parametrize("a, b", [(1, "x"), (2, "y")], indirect=True)`:      false,
		`@pytest.mark.parametrize("a, b", [(1, "x"), (3, "y")])`:                     false,
		`@pytest.mark.parametrize("a, b", [(1, "x")])`:                               false,
		`@pytest.mark.parametrize("a, b", [(0, "x"), (1, "x"), (2, "y"), (3, "z")])`: true,
	} {
		if got := getsRows(was, now); got != want {
			t.Errorf("%s: %t", now, got)
		}
	}
	if getsRows(`assert f(1) == 1`, `assert f(1) == 1 - 0`) {
		t.Error("an assertion is no table")
	}
}

func TestOnlyGetsRows(t *testing.T) {
	t.Parallel()
	const table = "const rows = [\n  { in: \"a\", out: 1 },\n];\n\nfunction check(f) {\n  return f(true);\n}\n"
	const suffix = "Object.assign(calc, { total: 3 });\ndescribe(\"d\", () => {\n  const more = [1];\n});\n"
	for now, want := range map[string]bool{
		strings.Replace(suffix, "[1]", "[1, 2]", 1):                true,
		strings.Replace(suffix, "total: 3", "total: 3, sum: 4", 1): false,
	} {
		if got := onlyRows(suffix, now, "[{"); got != want {
			t.Errorf("%s: %t", now, got)
		}
	}
	of := func(text string) *File { return &File{Path: "a.test.js", Declared: []string{"x"}, Test: text} }
	for now, want := range map[string]bool{
		strings.Replace(table, "];", "  { in: \"b\", out: -2 },\n];", 1):          true,
		strings.Replace(table, "[\n", "[\n  { in: \"b\", out: [2, null] },\n", 1): true,
		strings.Replace(table, "1 }", "1 }, { in: f(), out: 2 }", 1):              false,
		strings.Replace(table, "out: 1", "out: 2", 1):                             false,
		strings.Replace(table, "f(true)", "f(true, 1)", 1):                        false,
		table + "calc.total = () => 3;\n":                                         false,
		strings.Replace(table, "return", "stop(); return", 1):                     false,
	} {
		now, table := now+suffix, table+suffix
		if got := (FileChange{Old: of(table), New: of(now)}).OnlyGetsRows(); got != want {
			t.Errorf("%s: %t", now, got)
		}
	}
}
