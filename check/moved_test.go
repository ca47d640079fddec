package check

import (
	"os"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// suite is a green project for one runner, with its tests in one file.
type suite struct {
	tool, module string // what must be installed
	config       string // of .tdd.yaml
	files        files  // beside the tests
	old, moved   string // where the tests are, and where they go
	head, tail   string // of the file of tests
	tests        []string
	keeps        bool // the runner's names do not contain the file
}

// suites has one suite for each runner, with one plain test and two similar
// ones, in any order.
func suites() map[string]suite {
	js := []string{
		"test('adds', () => { check(add(1, 2), 3); });\n",
		"[[1, 1], [2, 2]].forEach(([n, sum]) => test(`adds nothing to ${n}`, () => { check(add(n, 0), sum); }));\n",
		"test('adds ünïcode / slashes', () => { check(add(2, 2), 4); });\n",
	}
	python := []string{
		"    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n",
		"    def test_nothing(self):\n        for n in (1, 2):\n            with self.subTest(n=n):\n                self.assertEqual(add(n, 0), n)\n\n",
		"    def test_twice(self):\n        self.assertEqual(add(2, 2), 4)\n\n",
	}
	pyfiles := files{"calc.py": "def add(a, b):\n    return a + b\n", "tests/__init__.py": ""}
	return map[string]suite{
		"go": {
			tool: "go", config: "language: go\nci: {test_cmd: [go, test, ./...]", old: "calc_test.go", moved: "sums_test.go", keeps: true,
			files: files{"go.mod": "module example.com/calc\n\ngo 1.21\n", "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n"},
			head:  "package calc\n\nimport \"testing\"\n\n",
			tests: []string{
				"func TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Error(\"no\")\n\t}\n}\n",
				"func TestNothing(t *testing.T) {\n\tfor _, n := range []string{\"a b\", \"a b\"} {\n\t\tt.Run(n, func(t *testing.T) {\n\t\t\tif Add(1, 0) != 1 {\n\t\t\t\tt.Error(\"no\")\n\t\t\t}\n\t\t})\n\t}\n}\n",
				"func TestTwice(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Error(\"no\")\n\t}\n}\n",
			},
		},
		"cargo": {
			tool: "cargo", config: "language: rust\nci: {test_cmd: [cargo, test, --offline]", old: "tests/calc.rs", moved: "tests/sums.rs",
			files: files{"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"},
			head:  "use calc::add;\n",
			tests: []string{
				"\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n",
				"\nmod nothing {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 0), 1);\n    }\n}\n",
				"\n#[test]\nfn twice() {\n    assert_eq!(add(2, 2), 4);\n}\n",
			},
		},
		"unittest": {
			tool: "python3", config: "language: python\nci: {test_cmd: [python3, -m, unittest]", old: "tests/test_calc.py", moved: "tests/test_sums.py",
			files: pyfiles, head: "import unittest\n\nfrom calc import add\n\n\nclass Test(unittest.TestCase):\n", tests: python,
		},
		"pytest": {
			tool: "pytest", config: "language: python\nci: {test_cmd: [python3, -m, pytest]", old: "tests/test_calc.py", moved: "tests/deep/test_sums.py",
			files: pyfiles, head: "import pytest\n\nfrom calc import add\n\n\n", tests: []string{
				"def test_adds():\n    assert add(1, 2) == 3\n\n\n",
				"@pytest.mark.parametrize('n', [1, 2, 'a b'][:2])\ndef test_nothing(n):\n    assert add(n, 0) == n\n\n\n",
				"class TestTwice:\n    def test_adds(self):\n        assert add(2, 2) == 4\n\n\n",
			},
		},
		"node": {
			tool: "node", config: "language: javascript\nci: {test_cmd: [node, --test]", old: "test/calc.test.js", moved: "test/deep/sums.test.js",
			files: files{"package.json": "{\"name\": \"calc\"}\n", "calc.js": "exports.add = (a, b) => a + b;\n"},
			head:  "const { test } = require('node:test');\nconst check = require('node:assert').strictEqual;\nconst { add } = require(process.cwd() + '/calc.js');\n", tests: js,
		},
		"jest": {
			tool: "node", module: "jest", config: "language: javascript\nci: {test_cmd: [npx, jest]", old: "test/calc.test.js", moved: "test/deep/sums.test.js",
			files: files{"package.json": "{\"name\": \"calc\"}\n", "calc.js": "exports.add = (a, b) => a + b;\n"},
			head:  "const check = (got, want) => expect(got).toBe(want);\nconst { add } = require(process.cwd() + '/calc.js');\n", tests: js,
		},
		"vitest": {
			tool: "node", module: "vitest", config: "language: javascript\nci: {test_cmd: [npx, vitest, run]", old: "test/calc.test.js", moved: "test/sums.test.js",
			files: files{"package.json": "{\"name\": \"calc\", \"type\": \"module\"}\n", "calc.js": "export const add = (a, b) => a + b;\n"},
			head:  "import { test, expect } from 'vitest';\nimport { add } from '../calc.js';\nconst check = (got, want) => expect(got).toBe(want);\n", tests: js,
		},
		"minitest": {
			tool: "rspec", config: "language: ruby\nci: {test_cmd: [ruby, -Ilib, -rminitest/autorun, -e, 'Dir[\"./test/**/*_test.rb\"].sort.each { |f| require f }']", old: "test/calc_test.rb", moved: "test/deep/sums_test.rb",
			files: files{"lib/calc.rb": "def add(a, b) = a + b\n"},
			head:  "require \"calc\"\n\nclass CalcTest < Minitest::Test\n", tail: "end\n", tests: []string{
				"  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n", "  def test_nothing\n    assert_equal 1, add(1, 0)\n  end\n", "  def test_twice\n    assert_equal 4, add(2, 2)\n  end\n",
			},
		},
		"rspec": {
			tool: "rspec", config: "language: ruby\nci: {test_cmd: [rspec]", old: "spec/calc_spec.rb", moved: "spec/deep/sums_spec.rb",
			files: files{"lib/calc.rb": "def add(a, b) = a + b\n"},
			head:  "require \"calc\"\n\nRSpec.describe \"sums\" do\n", tail: "end\n", tests: []string{
				"  it(\"adds\") { expect(add(1, 2)).to eq(3) }\n", "  [1, 2].each { |n| it(\"adds nothing\") { expect(add(n, 0)).to eq(n) } }\n", "  context(\"twice\") { it(\"adds\") { expect(add(2, 2)).to eq(4) } }\n",
			},
		},
		"phpunit": {
			tool: "phpunit", config: "language: php\nci: {test_cmd: [phpunit, tests]", old: "tests/CalcTest.php", moved: "tests/deep/CalcTest.php",
			files: files{"calc.php": "<?php\nfunction add(int $a, int $b): int { return $a + $b; }\n"},
			head:  "<?php\nrequire_once getcwd() . '/calc.php';\n\nclass CalcTest extends PHPUnit\\Framework\\TestCase\n{\n", tail: "}\n", tests: []string{
				"    public function testAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n",
				"    public static function numbers(): array\n    {\n        return ['one' => [1], 'two' => [2]];\n    }\n\n    /** @dataProvider numbers */\n    public function testNothing(int $n): void\n    {\n        $this->assertSame($n, add($n, 0));\n    }\n",
				"    public function testTwice(): void\n    {\n        $this->assertSame(4, add(2, 2));\n    }\n",
			},
		},
		"bats": {
			tool: "bats", config: "language: shell\nci: {test_cmd: [bats, -r, test]", old: "test/calc.bats", moved: "test/deep/sums.bats",
			files: files{"calc.sh": "add() { echo $(($1 + $2)); }\n"}, tests: []string{
				"@test \"adds\" {\n  . ./calc.sh\n  [ \"$(add 1 2)\" -eq 3 ]\n}\n", "@test \"adds nothing\" {\n  . ./calc.sh\n  [ \"$(add 1 0)\" -eq 1 ]\n}\n", "@test \"adds: twice / ü\" {\n  . ./calc.sh\n  [ \"$(add 2 2)\" -eq 4 ]\n}\n",
			},
		},
		"ctest": {
			tool: "ctest", config: "language: cpp\nci: {test_cmd: [ctest]", old: "test/calc_test.cpp", moved: "test/deep/sums_test.cpp", keeps: true,
			files: files{"calc.h": "inline int add(int a, int b) { return a + b; }\n", "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(calc CXX)\nenable_testing()\nfind_package(GTest REQUIRED)\n" +
				"file(GLOB_RECURSE sources CONFIGURE_DEPENDS test/*.cpp)\nadd_executable(sums ${sources})\ntarget_include_directories(sums PRIVATE .)\ntarget_link_libraries(sums GTest::gtest_main)\ninclude(GoogleTest)\ngtest_discover_tests(sums)\n"},
			head: "#include <gtest/gtest.h>\n\n#include \"calc.h\"\n\n", tests: []string{
				"TEST(Calc, Adds) { EXPECT_EQ(add(1, 2), 3); }\n", "TEST(Calc, Nothing) { EXPECT_EQ(add(1, 0), 1); }\n", "TEST(Calc, Twice) { EXPECT_EQ(add(2, 2), 4); }\n",
			},
		},
	}
}

// The ids of tests stay the same if the tests change places, and a file that
// moves takes its tests along, whatever its name does to their ids; but a test
// must not get lost on the way.
func TestTestsKeepTheirNames(t *testing.T) {
	t.Parallel()
	for name, s := range suites() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, s.tool)
			l := newLab(t)
			s.link(l)
			at := func(place string, tests ...string) files {
				text := s.head
				for _, one := range tests {
					text += one
				}
				return s.files.With(files{".tdd.yaml": s.config + ", check_cmd: [], fmt_cmd: []}\n", place: text + s.tail})
			}
			reversed := slices.Clone(s.tests)
			slices.Reverse(reversed)
			c := l.checker()
			start := l.commit("chore: start", at(s.old, s.tests...))
			shuffled := l.must(c, "refactor: turn the tests round", at(s.old, reversed...), start)
			if before, after := ids(shuffled.j.Case.Before), ids(shuffled.j.After.Facts); len(after) < 3 || !slices.Equal(before, after) {
				t.Errorf("in another order: %q, was %q", after, before)
			}
			moved := l.must(c, "refactor: move the tests", at(s.moved, s.tests...), start)
			if same := slices.Equal(ids(moved.j.Case.Before), ids(moved.j.After.Facts)); same != s.keeps {
				t.Errorf("in another file: %q, was %q", ids(moved.j.After.Facts), ids(moved.j.Case.Before))
			}
			if l.propose(c, "refactor: move most tests", at(s.moved, s.tests[:2]...), start).accepted {
				t.Error("one was lost on the way, and nobody minded")
			}
		})
	}
}

// link gives the lab the packages of node that a suite needs.
func (s suite) link(l *lab) {
	l.Helper()
	if s.module == "" {
		return
	}
	home := os.Getenv("TDD_NODE_MODULES")
	if _, err := os.Stat(home + "/" + s.module); home == "" || err != nil {
		gittest.Missing(l, "a folder TDD_NODE_MODULES that holds "+s.module)
	}
	gittest.Check(l, os.Symlink(home, l.Path("node_modules")))
}

func ids(f gates.Facts) []string {
	var out []string
	for _, test := range f.Tests {
		out = append(out, test.ID)
	}
	return out
}
