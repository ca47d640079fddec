package python

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// needModule skips a test where Python lacks a module.
func needModule(t *testing.T, module string) {
	t.Helper()
	gittest.Need(t, "python3", "pytest")
	if err := exec.CommandContext(t.Context(), "python3", "-c", "import "+module).Run(); err != nil {
		gittest.Need(t, "the module "+module+" of python3")
	}
}

const covered = pyproject + `
-- calc/__init__.py --
-- calc/core.py --
"""Sums."""


def add(a, b):
    """Add.

    Two numbers.
    """
    return sum(
        [
            a,
            b,
        ]
    )


def never():  # pragma: no cover
    for _ in range(3):
        print("never")
-- calc/alone.py --
import sys


def alone():
    sys.exit(1)
-- space/inner.py --
X = 1
-- .coveragerc --
[run]
omit = calc/*
-- conftest.py --
import calc.core
-- .venv/lib/foreign.py --
FOREIGN = 1
`

func TestCoverage(t *testing.T) {
	t.Parallel()
	needModule(t, "coverage")
	req := projecttest.Project(t, Language(), covered+testFile(`
import os, sys
from calc.core import add

def test_add():
    assert add(1, 2) == 3
    assert "TDD_COVERAGE" not in os.environ and "git_tdd_coverage" not in sys.modules
`))
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "tests/test_new.py::test_add passed")
	expected := "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1"
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), expected)
	req.Commands.Test = []string{"sh", "-c", "python3 -m pytest -q"}
	projecttest.Want(t, "by a script", projecttest.Coverage(projecttest.Cover(t, req).Facts), expected)
}

func TestCoverage_ofUnittest(t *testing.T) {
	t.Parallel()
	needModule(t, "coverage")
	req := projecttest.Project(t, Language(), strings.Replace(covered, "-- conftest.py --\nimport calc.core\n", "", 1)+`
-- tests/__init__.py --
-- tests/test_add.py --
import unittest
from calc.core import add

class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)
`)
	req.Commands.Test = []string{"python3", "-m", "unittest", "discover"}
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "tests/test_add.py::TestAdd::test_add passed")
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1")
}

func TestCoverage_besidePytestCov(t *testing.T) {
	t.Parallel()
	needModule(t, "pytest_cov")
	req := projecttest.Project(t, Language(), covered+testFile("from calc.core import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"))
	req.Commands.Test = []string{"python3", "-m", "pytest", "--cov=calc", "--cov-fail-under=100"}
	projecttest.Want(t, "coverage", projecttest.Coverage(projecttest.Cover(t, req).Facts), "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1")
}

func TestCoverage_unknown(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "python3", "pytest")
	req := projecttest.Project(t, Language(), pyproject+testFile("def test_old():\n    pass\n"))
	projecttest.Write(t, req.Dir, "-- blind/coverage.py --\nraise ImportError('none here')\n")
	req.Env = []string{"PYTHONPATH=" + req.Dir + "/blind"}
	projecttest.Want(t, "not installed", projecttest.Coverage(projecttest.Cover(t, req).Facts),
		"unknown: coverage.py is not installed for the Python that runs the tests (pip install coverage)")
	req.Commands.Test = []string{"true"}
	projecttest.Want(t, "no runner", projecttest.Coverage(projecttest.Cover(t, req).Facts),
		"unknown: for Python it is measured where pytest or unittest runs, and neither did, or not to its end")
}
