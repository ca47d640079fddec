package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

const pyUnit = `-- tests/__init__.py --
-- tests/test_new.py --
import unittest
`

func unittestCases() []cargoCase {
	const old = "-- tests/test_old.py --\nimport unittest\nclass TestOld(unittest.TestCase):\n    def test_old(self):\n        pass\n"
	const oldPassed = "\ntests/test_old.py::TestOld::test_old passed"
	files := func(body string) string { return pyproject + pyCalc + old + pyUnit + body }
	one := func(body string) string {
		return files("import calc\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        " + body + "\n")
	}
	const a = "tests/test_new.py::TestA::test_a "
	return []cargoCase{
		{name: "all pass", outcome: gates.Passed, files: one("self.assertEqual(calc.add(1, 2), 3)"), tests: a + "passed" + oldPassed},
		{name: "assertion", outcome: gates.Failed, files: one("self.assertEqual(calc.add(1, 2), 4)"), tests: a + "failed assertion" + oldPassed},
		{name: "stub", outcome: gates.Failed, files: one("calc.stub()"), tests: a + "failed unimplemented" + oldPassed},
		{name: "exception", outcome: gates.Failed, files: one("calc.boom([])"), tests: a + "failed exception" + oldPassed},
		{name: "missing function", outcome: gates.Failed, files: one("calc.sub(1)"), tests: a + "failed missing-symbol" + oldPassed},
		{name: "sub-tests", outcome: gates.Failed, files: one("\n        for i in 1, 2:\n            with self.subTest(i=i):\n                self.assertEqual(i, 2)"), tests: a + "failed assertion" + oldPassed},
		{name: "skipped", outcome: gates.Passed, files: one("self.skipTest('no')"), tests: a + "skipped" + oldPassed},
		{
			name: "missing name", outcome: gates.Broken, diagnostics: "tests/test_new.py missing-symbol mul", tests: oldPassed,
			files: files("from calc import mul\n"),
		},
		{
			name: "missing module", outcome: gates.Broken, diagnostics: "tests/test_new.py missing-symbol roman", tests: oldPassed,
			files: files("import roman\n"),
		},
		{name: "foreign module", outcome: gates.Crashed, diagnostics: "tests/test_new.py infra", tests: oldPassed, files: files("import other_lib\n")},
		{name: "syntax", outcome: gates.Broken, diagnostics: "tests/test_new.py syntax", tests: oldPassed, files: files("def x(:\n")},
		{name: "no tests", outcome: gates.Empty, diagnostics: "no-tests", files: pyproject + pyCalc},
		{
			name: "a filter that matches nothing", outcome: gates.Empty, diagnostics: "no-tests", files: one("pass"),
			argv: []string{"python3", "-m", "unittest", "-k", "zzz"},
		},
		{name: "os._exit(0)", outcome: gates.Crashed, diagnostics: "crash\ncrash\ncrash", files: one("import os; os._exit(0)")},
		{name: "sys.exit(0)", outcome: gates.Failed, tests: a + "failed exception" + oldPassed, files: one("raise SystemExit(0)")},
		{
			name: "setUpClass", outcome: gates.Failed, tests: a + "failed exception" + oldPassed,
			files: files("class TestA(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        raise ValueError('no')\n    def test_a(self):\n        pass\n"),
		},
		{
			name: "setUpModule skips", outcome: gates.Passed, tests: a + "skipped" + oldPassed,
			files: files("def setUpModule():\n    raise unittest.SkipTest('no')\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        pass\n"),
		},
		{
			name: "expected failures", outcome: gates.Failed, tests: a + "skipped\ntests/test_new.py::TestA::test_b failed assertion" + oldPassed,
			files: files("class TestA(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.fail()\n    @unittest.expectedFailure\n    def test_b(self):\n        pass\n"),
		},
		{
			name: "verbose, discovered, imitating", outcome: gates.Failed, tests: a + "failed assertion" + oldPassed,
			argv:  []string{"python3", "-m", "unittest", "discover", "-v"},
			files: one("import sys; sys.stderr.write('test_a ... ok\\n\\nOK\\n'); self.fail()"),
		},
	}
}

func TestUnittest(t *testing.T) {
	t.Parallel()
	need(t, "python3")
	for _, c := range unittestCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "python", c.files)
			req.Commands.Test = []string{"python3", "-m", "unittest"}
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}
