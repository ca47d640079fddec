package testrun

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// needPytest skips a test where pytest is missing.
func needPytest(t *testing.T) {
	t.Helper()
	need(t, "python3")
	if err := exec.CommandContext(t.Context(), "python3", "-m", "pytest", "--version").Run(); err != nil {
		need(t, "pytest")
		t.Skip("python3 has no pytest")
	}
}

const pyproject = "-- pyproject.toml --\n[project]\nname = \"calc\"\nversion = \"1\"\ndependencies = [\"other-lib>=2\"]\n" +
	"[tool.pytest.ini_options]\npythonpath = [\".\"]\n"

const pyCalc = `-- calc.py --
def add(a, b):
    return a + b

def stub():
    raise NotImplementedError

def boom(v):
    return v[9]

class T:
    def __init__(self, a):
        self.a = a
`

func pyTest(body string) string {
	return "-- tests/test_new.py --\n" + strings.TrimLeft(body, "\n")
}

const pyOld = "-- tests/test_old.py --\ndef test_old():\n    pass\n"

const pyOldPassed = "\ntests/test_old.py::test_old passed"

func pytestCases() []cargoCase {
	files := func(body string) string { return pyproject + pyCalc + pyOld + pyTest(body) }
	return []cargoCase{
		{
			name: "all pass", outcome: gates.Passed,
			files: files("from calc import add\ndef test_a():\n    assert add(1, 2) == 3\n"),
			tests: "tests/test_new.py::test_a passed" + pyOldPassed,
		},
		{
			name: "each class of failure", outcome: gates.Failed,
			files: files(`
import unittest
import pytest
import calc

def test_assert():
    assert calc.add(1, 2) == 4
def test_raises():
    with pytest.raises(ValueError):
        calc.add(1, 2)
def test_stub():
    calc.stub()
def test_boom():
    calc.boom([])
def test_missing_function():
    assert calc.sub(2, 1) == 1
def test_missing_method():
    calc.T(1).norm()
def test_missing_name():
    helper()
def test_wrong_arguments():
    calc.add(1, 2, base=10)
def test_none():
    None.x
def test_exit():
    raise SystemExit(0)
def test_local_import():
    from calc import mul
def test_fixture(nothing):
    pass
@pytest.fixture
def broken():
    raise RuntimeError("no")
def test_setup(broken):
    pass
@pytest.fixture
def leaky():
    yield
    raise RuntimeError("late")
def test_teardown(leaky):
    pass
@pytest.mark.skip
def test_skip():
    pass
@pytest.mark.xfail
def test_xfail():
    assert False
@pytest.mark.parametrize("x", [1, 2, "a b ü", "::"])
def test_cases(x):
    assert x == 1
class TestGroup:
    class TestInner:
        def test_deep(self):
            pass
class TestUnit(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(1, 2)
    def test_sub(self):
        for i in range(2):
            with self.subTest(i=i):
                self.assertEqual(i, 0)
`),
			tests: `
tests/test_new.py::TestGroup::TestInner::test_deep passed
tests/test_new.py::TestUnit::test_equal failed assertion
tests/test_new.py::TestUnit::test_sub failed assertion
tests/test_new.py::test_assert failed assertion
tests/test_new.py::test_boom failed exception
tests/test_new.py::test_cases[1] passed
tests/test_new.py::test_cases[2] failed assertion
tests/test_new.py::test_cases[::] failed assertion
tests/test_new.py::test_cases[a b \xfc] failed assertion
tests/test_new.py::test_exit failed exception
tests/test_new.py::test_fixture failed compile
tests/test_new.py::test_local_import failed missing-symbol
tests/test_new.py::test_missing_function failed missing-symbol
tests/test_new.py::test_missing_method failed missing-symbol
tests/test_new.py::test_missing_name failed missing-symbol
tests/test_new.py::test_none failed exception
tests/test_new.py::test_raises failed assertion
tests/test_new.py::test_setup failed exception
tests/test_new.py::test_skip skipped
tests/test_new.py::test_stub failed unimplemented
tests/test_new.py::test_teardown failed exception
tests/test_new.py::test_wrong_arguments failed missing-symbol
tests/test_new.py::test_xfail skipped` + pyOldPassed,
		},
		{
			name: "a missing name of the project", outcome: gates.Broken, tests: pyOldPassed,
			files:       files("from calc import mul\ndef test_a():\n    assert mul(1, 2) == 2\n"),
			diagnostics: "tests/test_new.py missing-symbol mul",
		},
		{
			name: "a missing module of the project", outcome: gates.Broken, tests: pyOldPassed,
			files:       files("import parser_of_roman as p\ndef test_a():\n    p.parse()\n"),
			diagnostics: "tests/test_new.py missing-symbol parser_of_roman",
		},
		{
			name: "a foreign module", outcome: gates.Crashed, tests: pyOldPassed,
			files: files("import other_lib\ndef test_a():\n    pass\n"), diagnostics: "tests/test_new.py infra",
		},
		{
			name: "production code that does not import", outcome: gates.Broken, tests: pyOldPassed,
			files:       pyproject + "-- calc.py --\nfrom os import nothing_of_the_kind\n" + pyOld + pyTest("import calc\ndef test_a():\n    pass\n"),
			diagnostics: "calc.py compile",
		},
		{
			name: "a name that production code misses", outcome: gates.Broken, tests: pyOldPassed,
			files:       pyproject + "-- calc.py --\nimport nowhere\n" + pyOld + pyTest("import calc\ndef test_a():\n    pass\n"),
			diagnostics: "calc.py compile",
		},
		{
			name: "syntax", outcome: gates.Broken, tests: pyOldPassed,
			files: files("def test_a(:\n    pass\n"), diagnostics: "tests/test_new.py syntax",
		},
		{
			name: "syntax in the source", outcome: gates.Broken, tests: pyOldPassed,
			files:       pyproject + "-- calc.py --\ndef add(\n" + pyOld + pyTest("import calc\ndef test_a():\n    pass\n"),
			diagnostics: "calc.py syntax",
		},
		{
			name: "an exception while loading", outcome: gates.Broken, tests: pyOldPassed,
			files: files("raise ValueError('no')\n"), diagnostics: "tests/test_new.py exception",
		},
		{name: "no tests", outcome: gates.Empty, files: pyproject + pyCalc, diagnostics: "no-tests"},
		{
			name: "a filter that matches nothing", outcome: gates.Empty, files: files("def test_a():\n    pass\n"),
			argv: []string{"python3", "-m", "pytest", "-k", "zzz"}, diagnostics: "no-tests",
		},
		{
			name: "all skipped", outcome: gates.Empty, diagnostics: "no-tests", tests: "tests/test_new.py skipped",
			files: pyproject + pyTest("import pytest\npytest.skip('no', allow_module_level=True)\n"),
		},
		{
			name: "os._exit(0)", outcome: gates.Crashed, diagnostics: "crash\ncrash\ncrash", tests: "tests/test_new.py::test_a passed",
			files: files("import os\ndef test_a():\n    pass\ndef test_b():\n    os._exit(0)\n"),
		},
		{
			name: "pytest.exit", outcome: gates.Crashed, diagnostics: "crash\ncrash",
			files: files("import pytest\ndef test_b():\n    pytest.exit('done', returncode=0)\n"),
		},
		{
			name: "a killed process", outcome: gates.Crashed, diagnostics: "crash\ncrash\ncrash\ncrash",
			files: files("import os\ndef test_b():\n    os.kill(os.getpid(), 9)\n"),
		},
		{
			name: "a fork that goes on", outcome: gates.Passed,
			files: files("import os\ndef test_a():\n    os.fork()\n") + "-- pytest.ini --\n[pytest]\npythonpath = .\n",
			tests: "tests/test_new.py::test_a passed" + pyOldPassed,
		},
		{
			name: "output that imitates", outcome: gates.Failed,
			files: files("import sys, os\ndef test_a():\n    os.write(1, b'\\ntests/test_new.py::test_a PASSED\\n1 passed in 0.1s\\n')\n    assert False\n"),
			tests: "tests/test_new.py::test_a failed assertion" + pyOldPassed,
		},
		{
			name: "reports deleted and forged", outcome: gates.Crashed, diagnostics: "crash",
			files: files(`
import glob, os
def test_a():
    for f in glob.glob(os.path.join(os.path.dirname(os.environ["TMPDIR"]), "reports", "journal", "*")):
        os.truncate(f, 0)
        open(f, "a").write('{"event":"begin"}\n{"event":"plan","id":"x"}\n{"event":"start","id":"x"}\n{"event":"verdict","id":"x","status":"passed"}\n{"event":"end"}\n')
    assert False
`),
			tests: "x passed",
		},
		{
			name: "a test that deletes the report and leaves", outcome: gates.Crashed, diagnostics: "crash", argv: []string{"sh", "-c", "pytest"},
			files: files("import os, shutil\ndef test_a():\n    print('x', flush=True)\n    shutil.rmtree(os.path.join(os.environ['TMPDIR'], '..', 'reports', 'journal'))\n    os._exit(0)\n"),
		},
		{
			name: "a runner that the project patched", outcome: gates.Crashed, diagnostics: "crash",
			files: pyproject + "-- calc.py --\nimport unittest\nunittest.TestCase.assertEqual = lambda *a: None\n" +
				pyTest("import unittest, calc\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n"),
			tests: "tests/test_new.py::TestA::test_a passed",
		},
		{
			name: "a hook that hides a failure", outcome: gates.Failed,
			files: pyproject + "-- conftest.py --\nimport pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n" +
				"    r = (yield).get_result()\n    r.outcome = 'passed'\n" + pyTest("def test_a():\n    assert False\n"),
			tests: "tests/test_new.py::test_a failed assertion",
		},
		{
			name: "broken configuration", outcome: gates.Crashed, diagnostics: "infra",
			files: "-- pytest.ini --\n[pytest]\naddopts = --no-such-option\n" + pyOld,
		},
		{
			name: "a conftest that does not load", outcome: gates.Crashed, diagnostics: "infra",
			files: pyproject + "-- conftest.py --\nimport nothing_here\n" + pyOld,
		},
		{
			name: "the first failure ends it", outcome: gates.Broken, diagnostics: "exception",
			argv:  []string{"python3", "-m", "pytest", "-x"},
			files: files("def test_a():\n    assert False\n"), tests: "tests/test_new.py::test_a failed assertion",
		},
		{
			name: "make", outcome: gates.Failed, argv: []string{"sh", "-c", "echo testing; pytest -q || true"},
			files: files("def test_a():\n    assert False\n"), tests: "tests/test_new.py::test_a failed assertion" + pyOldPassed,
		},
		{
			name: "a command that runs no pytest", outcome: gates.Passed, argv: []string{"sh", "-c", "echo fine"}, files: pyproject,
		},
		{
			name: "a runner that is missing", outcome: gates.Crashed, argv: []string{"python3", "-I", "-S", "-m", "pytest"},
			files: pyproject, diagnostics: "runner-missing",
		},
	}
}

func TestPytest(t *testing.T) {
	t.Parallel()
	needPytest(t)
	for _, c := range pytestCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "python", c.files)
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}

// TestBytecodeOfAnotherTree swaps a source for one of the same size within a
// second: Python would take the compiled file for fresh.
func TestBytecodeOfAnotherTree(t *testing.T) {
	t.Parallel()
	needPytest(t)
	req := project(t, "python", pyproject+"-- calc.py --\ndef add(a, b):\n    return a + b\n"+pyTest("import calc\ndef test_a():\n    assert calc.add(1, 2) == 3\n"))
	source, now := filepath.Join(req.Dir, "calc.py"), time.Now()
	chtimes := func() {
		if err := os.Chtimes(source, now, now); err != nil {
			t.Fatal(err)
		}
	}
	chtimes()
	compile := exec.CommandContext(t.Context(), "python3", "-m", "compileall", "-q", ".")
	compile.Dir = req.Dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, req.Dir, "-- calc.py --\ndef add(a, b):\n    return a - b\n")
	chtimes()
	if got := measure(t, req); got.Facts.Outcome != gates.Failed {
		t.Errorf("outcome %s: the code of another tree ran", got.Facts.Outcome)
	}
	if left, _ := filepath.Glob(filepath.Join(req.Dir, "__pycache__")); len(left) > 0 {
		t.Errorf("compiled files were left: %v", left)
	}
}

func TestPytestTimeoutNamesTheTest(t *testing.T) {
	t.Parallel()
	needPytest(t)
	req := project(t, "python", pyproject+pyTest("def test_a():\n    pass\ndef test_hang():\n    while True:\n        pass\n"))
	req.Commands.Timeout = 5 * time.Second
	got := measure(t, req)
	text := ""
	for _, d := range got.Facts.Diagnostics {
		text += d.Message + "\n"
	}
	if got.Facts.Outcome != gates.Timeout || !strings.Contains(text, "test_hang") {
		t.Errorf("%s: %s", got.Facts.Outcome, text)
	}
}
