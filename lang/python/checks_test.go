package python

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// inTest is a statement, or several, in a test that stands in a class.
func inTest(body string) string {
	return "LIMIT = 7\n\nclass TestSum(TestCase):\n    def test_sum(self):\n        " + strings.ReplaceAll(body, "\n", "\n        ") + "\n"
}

// rewritten is the line of each check that is altered, or turned round.
func rewritten(content string, edits func(syntax.Check) []syntax.Edit) string {
	var out []string
	was := strings.Split(content, "\n")
	for _, c := range page().Checks(content, gates.KindTest) {
		now := strings.Split(syntax.Apply(content, edits(c)), "\n")
		for i, line := range now {
			if i >= len(was) || line != was[i] {
				out = append(out, strings.TrimSpace(strings.ReplaceAll(line, anotherValue, "other")))
			}
		}
	}
	return strings.Join(out, "\n")
}

func altered(c syntax.Check) []syntax.Edit { return c.Altered }
func negated(c syntax.Check) []syntax.Edit { return c.Negated }

func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, altered, negated string }{
		{`assert add(2, 3) == 5, "five"`, `assert add(2, 3) == 46, "five"`, `assert  not (add(2, 3) == 5), "five"`},
		{`assert 5 == add(2, 3)`, `assert 46 == add(2, 3)`, `assert  not (5 == add(2, 3))`},
		{`assert name() == "a" "b"`, `assert name() == "a" "b~tdd"`, `assert  not (name() == "a" "b")`},
		{`assert raw() == b'x'`, `assert raw() == b'x~tdd'`, `assert  not (raw() == b'x')`},
		{`assert half(3) == -1.5`, `assert half(3) == (-1.5 * -1.5 - 41.5)`, `assert  not (half(3) == -1.5)`},
		{`assert f() == pytest.approx(0.5, abs=0.1)`, `assert f() == pytest.approx((-1.5 * 0.5 - 41.5), abs=0.1)`, `assert  not (f() == pytest.approx(0.5, abs=0.1))`},
		{`assert f() == [x, {"a": 1}]`, `assert f() == [x, {"a": 42}]`, `assert  not (f() == [x, {"a": 1}])`},
		{`assert f() == []`, `assert f() == ["~tdd"]`, `assert  not (f() == [])`},
		{`assert (f(), g(1)) == (1, 2)`, `assert (f(), g(1)) == (42, 2)`, `assert  not ((f(), g(1)) == (1, 2))`},
		{`assert f(1) == g(2)`, ``, `assert  not (f(1) == g(2))`},
		{`assert f() == {**x}`, ``, `assert  not (f() == {**x})`},
		{`assert f() == [n for n in range(3)]`, ``, `assert  not (f() == [n for n in range(3)])`},
		{`assert f() < 3`, `assert f() < (-1073741821)`, `assert  not (f() < 3)`},
		{`assert 0 < f() <= 3`, `assert 0 < f() <= (-1073741821)`, `assert  not (0 < f() <= 3)`},
		{`assert f() >= 3`, `assert f() >= 1073741827`, `assert  not (f() >= 3)`},
		{`assert f() != 3`, ``, `assert  not (f() != 3)`},
		{`assert not f() != 3`, `assert not f() != 44`, `assert  not (not f() != 3)`},
		{`assert f() is True`, `assert f() is False`, `assert  not (f() is True)`},
		{`assert f() is None`, ``, `assert  not (f() is None)`},
		{`assert "a" in f()`, `assert "a~tdd" in f()`, `assert  not ("a" in f())`},
		{`assert "a" not in f()`, ``, `assert  not ("a" not in f())`},
		{`assert f() in (1, 2)`, ``, `assert  not (f() in (1, 2))`},
		{`assert a() == 1 and (b() == 2 or c)`, `assert a() == 42 and (b() == 43 or c)`, `assert  not (a() == 1 and (b() == 2 or c))`},
		{`assert f().startswith("a")`, `assert f().startswith("a~tdd")`, `assert  not (f().startswith("a"))`},
		{`assert valid("a@b")`, ``, `assert  not (valid("a@b"))`},
		{"want = 5\nassert f() == want", "assert f() == other(want)", "assert  not (f() == want)"},
		{"want = 5\nwant += 1\nassert f() == want", "", "assert  not (f() == want)"},
		{"want = f(1)\nassert f(1) == want", "", "assert  not (f(1) == want)"},
		{"assert f() <= LIMIT", "assert f() <= (LIMIT - 2**30)", "assert  not (f() <= LIMIT)"},
		{"for a, want in [(1, 2), (3, 4)]:\n    assert f(a) == want", "assert f(a) == other(want)", "assert  not (f(a) == want)"},
		{"for c in [{'in': 1, 'want': 2}]:\n    assert f(c['in']) == c['want']", "assert f(c['in']) == other(c['want'])", "assert  not (f(c['in']) == c['want'])"},
		{"for c in [Case(want=2)]:\n    assert f(c) == c.want", "assert f(c) == other(c.want)", "assert  not (f(c) == c.want)"},
		{"if f() != 5:\n    pytest.fail('no')", "if f() != 46:", "if  not (f() != 5):"},
		{"if f() == 5:\n    pass\nelse:\n    raise AssertionError", "if f() == 46:", "if  not (f() == 5):"},
		{"if f() == 5: return", "", ""},
		{"with pytest.raises(ValueError, match='no'): f()", `with pytest.raises(type("Tdd", (Exception,), {}), match='no'): f()`, ""},
		{"with pytest.raises(KeyboardInterrupt): f()", "", ""},
		{"with pytest.warns(DeprecationWarning):\n    f()", `with pytest.warns(type("Tdd", (Warning,), {})):`, ""},
		{"try:\n    f()\n    self.fail()\nexcept ValueError as e:\n    pass", `except type("Tdd", (Exception,), {}) as e:`, ""},
		{"try:\n    f()\nexcept ValueError:\n    pass", "", ""},
		{`self.assertEqual(add(2, 3), 5)`, `self.assertEqual(add(2, 3), 46)`, `self.assertEqual(add(2, 3), other(5))`},
		{`self.assertEqual(a(), b(), "why")`, ``, `self.assertEqual(a(), other(b()), "why")`},
		{`self.assertNotEqual(a(), 1)`, ``, `self.assertEqual(a(), 1)`},
		{`self.assertTrue(a() == 1)`, `self.assertTrue(a() == 42)`, `self.assertTrue( not (a() == 1))`},
		{`self.assertFalse(a() > 1)`, `self.assertFalse(a() > (-1073741823))`, `self.assertFalse( not (a() > 1))`},
		{`self.assertIn("a", b())`, `self.assertIn("a~tdd", b())`, `self.assertNotIn("a", b())`},
		{`self.assertIsNone(a())`, ``, `self.assertIsNotNone(a())`},
		{`self.assertGreater(a(), 1)`, `self.assertGreater(a(), 1073741825)`, `self.assertLessEqual(a(), 1)`},
		{`self.assertAlmostEqual(a(), 1, places=2)`, `self.assertAlmostEqual(a(), 42, places=2)`, `self.assertAlmostEqual(a(), other(1), places=2)`},
		{`self.assertRegex(a(), "x+")`, `self.assertRegex(a(), "x+~tdd")`, `self.assertNotRegex(a(), "x+")`},
		{`self.assertRaises(ValueError, f, 1)`, `self.assertRaises(type("Tdd", (Exception,), {}), f, 1)`, ``},
		{`m.assert_called_once_with(1, b=2)`, `m.assert_called_once_with(42, b=2)`, `m.assert_called_once_with(other(1), b=2)`},
		{`m.assert_called_once()`, ``, `m.assert_not_called()`},
		{`np.testing.assert_allclose(a(), [1.5])`, `np.testing.assert_allclose(a(), [(-1.5 * 1.5 - 41.5)])`, `np.testing.assert_allclose(a(), other([1.5]))`},
		{`assert_that(a(), equal_to(5))`, `assert_that(a(), equal_to(46))`, ``},
		{`assert_that(a()).is_equal_to(5)`, `assert_that(a()).is_equal_to(46)`, ``},
		{`check_sum(a(1), 5)`, `check_sum(a(1), 46)`, ``},
		{`print("assert f() == 5") # assert f() == 5`, ``, ``},
		{"assert f'{d[\"a\"]}' == x()", "assert f'{d[\"a\"]}~tdd' == x()", "assert  not (f'{d[\"a\"]}' == x())"},
	} {
		if got := rewritten(inTest(c.body), altered); got != c.altered {
			t.Errorf("%s\naltered %s\nwant    %s", c.body, got, c.altered)
		}
		if got := rewritten(inTest(c.body), negated); got != c.negated {
			t.Errorf("%s\nnegated %s\nwant    %s", c.body, got, c.negated)
		}
	}
}

func TestChecks_ofTables(t *testing.T) {
	t.Parallel()
	const body = "def test_sum(a, want):\n    assert add(a) == want\n"
	for decorator, values := range map[string]string{
		"@pytest.mark.parametrize('a, want', [(1, 2), (3, 4)])":                        "2 4",
		"@pytest.mark.parametrize(('a', 'want'), ((1, 'x'), pytest.param(3, 'y')))":    "'x' 'y'",
		"@pytest.mark.parametrize('want', [2, 3])\n@pytest.mark.parametrize('a', [1])": "2 3",
		"@parameterized.expand([(1, 2), (3, 4)])":                                      "2 4",
		"@pytest.mark.parametrize('a, want', ROWS)":                                    "6 8",
		"@pytest.mark.parametrize('a, want', rows())":                                  "",
	} {
		content := "ROWS = [\n    (5, 6),\n    (7, 8),\n]\n\n" + decorator + "\n" + body
		var got []string
		for _, c := range page().Checks(content, gates.KindTest) {
			for _, v := range c.Written() {
				got = append(got, content[v.Start:v.End])
			}
		}
		if strings.Join(got, " ") != values {
			t.Errorf("%s: %q, want %s", decorator, got, values)
		}
	}
}

func TestChecks_farColumn(t *testing.T) {
	t.Parallel()
	const content = "def test_sum():\n    for row in [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'x')]:\n        assert f(row[0]) == row[11]\n"
	var got []string
	for _, c := range page().Checks(content, gates.KindTest) {
		for _, v := range c.Written() {
			got = append(got, content[v.Start:v.End])
		}
	}
	if want := []string{"'x'"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestChecks_whereTheyStand(t *testing.T) {
	t.Parallel()
	const content = `
def check(value):
    assert value == 1

@fixture
def prepared():
    assert True

class TestA:
    @mark
    def test_same(self):
        assert f() is not None
        assert f() == 1

class TestB:
    def test_same(self):
        pass
    def test_alone(self):
        assert f() is not None
    async def test_inner(self):
        def inner():
            assert await f() == 1
        check(2)
`
	var got []string
	for _, c := range page().Checks(content, gates.KindTest) {
		line := content[c.At.Start:]
		what := []string{c.Test, strings.TrimSpace(line[:strings.IndexByte(line, '\n')])}
		for name, set := range map[string]bool{"guard": c.Guard, "call": c.Call, "nothing": len(c.Altered)+len(c.Negated) == 0} {
			if set {
				what = append(what, name)
			}
		}
		if !strings.Contains(content[c.Body.Start:c.Body.End], "def ") {
			t.Errorf("the body of %q is %q", c.Test, content[c.Body.Start:c.Body.End])
		}
		got = append(got, strings.Join(what, "|"))
	}
	want := []string{
		"|value == 1", "|True", "test_same|f() is not None|guard", "test_same|f() == 1", "test_same|def test_same(self):|nothing",
		"test_alone|f() is not None", "test_inner|await f() == 1", "test_inner|check(2)|call",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{
		{ID: "tests/a_test.py::TestSum::test_a[1-2]", File: "tests/a_test.py"},
		{ID: "tests/a_test.py::TestSum::test_a[3-4]", File: "tests/a_test.py"},
	}
	for argv, want := range map[string]string{
		"python3 -m pytest":                          "python3 -m pytest tests/a_test.py::TestSum::test_a",
		"uv run pytest -q -k sum tests":              "uv run pytest -q -k sum tests/a_test.py::TestSum::test_a",
		"pytest --maxfail 3":                         "",
		"pytest other":                               "",
		"make test":                                  "",
		"python3 -m unittest discover -s tests":      "",
		"python3 -m unittest -k x":                   "",
		"coverage run -m pytest ./tests/a_test.py":   "coverage run -m pytest tests/a_test.py::TestSum::test_a",
		"pytest tests/a_test.py tests/a_test.py::x ": "",
	} {
		if got := strings.Join(narrow(strings.Fields(argv), tests), " "); got != want {
			t.Errorf("%s: %s, want %s", argv, got, want)
		}
	}
	plain := []gates.Test{{ID: "tests/test_a.py::Sum::test_a", File: "tests/test_a.py"}}
	if got := narrow([]string{"python3", "-m", "unittest", "discover"}, plain); !slices.Equal(got, []string{"python3", "-m", "unittest", "discover", "-k", "*.Sum.test_a"}) {
		t.Errorf("unittest: %q", got)
	}
	if got := narrow([]string{"pytest"}, []gates.Test{{ID: "elsewhere"}}); got != nil {
		t.Errorf("without a file: %q", got)
	}
}

func FuzzChecks(f *testing.F) {
	f.Add(testSource)
	f.Add(inTest("assert f(')') == [1, {'a': f'{x'}]\nelse: assert"))
	f.Add("def test_x():\n if x: assert y, z\n else:\n  fail(")
	f.Fuzz(func(t *testing.T, content string) {
		for _, c := range page().Checks(content, gates.KindTest) {
			for _, e := range slices.Concat(c.Altered, c.Negated) {
				if e.Start < 0 || e.End < e.Start || e.End > len(content) {
					t.Fatalf("%v is outside %q", e, content)
				}
			}
		}
	})
}
