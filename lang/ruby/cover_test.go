package ruby

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const covered = `
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

func TestCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "ruby", "rake", "rspec")
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
			req := projecttest.Project(t, Language(), covered+c.files)
			req.Commands.Test = c.argv
			got := projecttest.Cover(t, req)
			projecttest.Want(t, "tests", projecttest.Tests(got.Facts), c.test)
			projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), "lib/alone.rb 0/3\nlib/calc.rb 4/5")
			req.Commands.Test = []string{"true"}
			projecttest.Want(t, "no runner", projecttest.Coverage(projecttest.Cover(t, req).Facts),
				"unknown: for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end")
		})
	}
}
