package testrun

import (
	"os/exec"
	"strings"
	"testing"
)

// needModule skips a test where Python lacks a module.
func needModule(t *testing.T, module string) {
	t.Helper()
	needPytest(t)
	if err := exec.CommandContext(t.Context(), "python3", "-c", "import "+module).Run(); err != nil {
		need(t, "the module "+module+" of python3")
	}
}

const pyCovered = pyproject + `
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

func TestPythonCoverage(t *testing.T) {
	t.Parallel()
	needModule(t, "coverage")
	req := project(t, "python", pyCovered+pyTest(`
import os, sys
from calc.core import add

def test_add():
    assert add(1, 2) == 3
    assert "TDD_COVERAGE" not in os.environ and "git_tdd_coverage" not in sys.modules
`))
	got := cover(t, req)
	want(t, "tests", tests(got.Facts), "tests/test_new.py::test_add passed")
	expected := "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1"
	want(t, "coverage", coverageText(got.Facts.Coverage), expected)
	req.Commands.Test = []string{"sh", "-c", "python3 -m pytest -q"}
	want(t, "by a script", coverageText(cover(t, req).Facts.Coverage), expected)
}

func TestPythonCoverage_ofUnittest(t *testing.T) {
	t.Parallel()
	needModule(t, "coverage")
	req := project(t, "python", strings.Replace(pyCovered, "-- conftest.py --\nimport calc.core\n", "", 1)+`
-- tests/__init__.py --
-- tests/test_add.py --
import unittest
from calc.core import add

class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)
`)
	req.Commands.Test = []string{"python3", "-m", "unittest", "discover"}
	got := cover(t, req)
	want(t, "tests", tests(got.Facts), "tests/test_add.py::TestAdd::test_add passed")
	want(t, "coverage", coverageText(got.Facts.Coverage), "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1")
}

func TestPythonCoverage_besidePytestCov(t *testing.T) {
	t.Parallel()
	needModule(t, "pytest_cov")
	req := project(t, "python", pyCovered+pyTest("from calc.core import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"))
	req.Commands.Test = []string{"python3", "-m", "pytest", "--cov=calc", "--cov-fail-under=100"}
	want(t, "coverage", coverageText(cover(t, req).Facts.Coverage), "calc/alone.py 0/3\ncalc/core.py 3/5\nspace/inner.py 0/1")
}

func TestPythonCoverage_unknown(t *testing.T) {
	t.Parallel()
	needPytest(t)
	req := project(t, "python", pyproject+pyTest("def test_old():\n    pass\n"))
	write(t, req.Dir, "-- blind/coverage.py --\nraise ImportError('none here')\n")
	req.Env = []string{"PYTHONPATH=" + req.Dir + "/blind"}
	want(t, "not installed", coverageText(cover(t, req).Facts.Coverage),
		"unknown: coverage.py is not installed for the Python that runs the tests (pip install coverage)")
	req.Commands.Test = []string{"true"}
	want(t, "no runner", coverageText(cover(t, req).Facts.Coverage),
		"unknown: for Python it is measured where pytest or unittest runs, and neither did, or not to its end")
}

const rubyCovered = `
-- lib/calc.rb --
# Sums.
module Calc
  def self.sum(a, b)
    return [
      a,
      b,
    ].max if a > 100

    a + b
  end

  def self.never = 7
end
-- lib/alone.rb --
class Alone
  def alone
    1
  end
end
-- vendor/bundle/foreign.rb --
FOREIGN = 1
`

func TestRubyCoverage(t *testing.T) {
	t.Parallel()
	need(t, "ruby", "rake", "rspec")
	// The project measures by itself, as SimpleCov would.
	const own = "require 'coverage'\nCoverage.start(lines: true)\nat_exit { Coverage.result }\n"
	for name, c := range map[string]struct {
		files string
		argv  []string
		test  string
	}{
		"minitest": {
			"-- Rakefile --\nrequire 'rake/testtask'\nRake::TestTask.new\n-- test/test_calc.rb --\n" + own +
				"require 'minitest/autorun'\nrequire 'calc'\nclass TestCalc < Minitest::Test\n  def test_sum\n    assert_equal 3, Calc.sum(1, 2)\n    assert_nil ENV['TDD_COVERAGE']\n  end\nend\n",
			[]string{"rake", "test"},
			"test/test_calc.rb::TestCalc::test_sum passed",
		},
		"rspec": {
			"-- .rspec --\n-- spec/calc_spec.rb --\n" + own + "require 'calc'\nRSpec.describe Calc do\n  it('sums') { expect(Calc.sum(1, 2)).to eq 3 }\nend\n",
			[]string{"rspec"},
			"spec/calc_spec.rb::Calc::sums passed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "ruby", rubyCovered+c.files)
			req.Commands.Test = c.argv
			got := cover(t, req)
			want(t, "tests", tests(got.Facts), c.test)
			want(t, "coverage", coverageText(got.Facts.Coverage), "lib/alone.rb 0/3\nlib/calc.rb 4/5")
			req.Commands.Test = []string{"true"}
			want(t, "no runner", coverageText(cover(t, req).Facts.Coverage),
				"unknown: for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end")
		})
	}
}
