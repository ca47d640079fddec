package cpp

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `#include <gtest/gtest.h>
// TEST(Commented, Out) {}
/* TEST_CASE("commented") */
static const char* text = "TEST(Quoted, Text)";
const auto raw = R"x(TEST(Raw, Text) ")x";
constexpr int limit = 1'000;

TEST(Calc, Adds) { EXPECT_EQ(add(1, 2), 3) << "sum; of"; }
TEST_F(Calc, DISABLED_Off) { ASSERT_THAT(v, ElementsAre(1, 2)); }
TEST_P(Words, Even) { }
INSTANTIATE_TEST_SUITE_P(Nums, Words, testing::Values("a", "b"));
  TYPED_TEST(Typed, Small) { char c = '"'; }
TEST_CASE("adds \"two\" (really)", "[tag]") {
  std::vector<int> v{1, 2};
  CHECK(add(1, 2) == 3);
  SECTION("x") { REQUIRE_THROWS_AS(f(), std::logic_error); }
}
TEST_CASE_METHOD(Fixture, "a method") {}
SCENARIO("a story") { THEN("it ends") { CHECK_FALSE(x); } }
TEMPLATE_TEST_CASE("sizes", "", int, char) { STATIC_REQUIRE(true); }
BOOST_AUTO_TEST_CASE(boosted) { BOOST_CHECK_EQUAL(1, 1); }
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "declared", strings.Join(page().Declared(testSource), "\n"),
		"Adds\nOff\nEven\nSmall\nadds \"two\" (really)\na method\na story\nsizes\nboosted")
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), `
static const char* text = "TEST(Quoted, Text)"
const auto raw = R"x(TEST(Raw, Text) ")x"
constexpr int limit = 1'000
EXPECT_EQ(add(1, 2), 3)
DISABLED_Off
ASSERT_THAT(v, ElementsAre(1, 2))
INSTANTIATE_TEST_SUITE_P(Nums, Words, testing::Values("a", "b"))
char c = '"'
std::vector<int> v{1, 2}
CHECK(add(1, 2) == 3)
REQUIRE_THROWS_AS(f(), std::logic_error)
THEN("it ends")
CHECK_FALSE(x)
STATIC_REQUIRE(true)
BOOST_CHECK_EQUAL(1, 1)`)
}

// TestBuildLog reads what the compilers and linkers say that this machine may
// not have.
func TestBuildLog(t *testing.T) {
	t.Parallel()
	req := projecttest.Project(t, Language(), `
-- tests/a_test.cpp --
#include "stack.h"
#include "gtest/gtest.h"
#include <calc/money.h>
#include <other/money.h>
-- include/calc/calc.h --
`)
	s := projecttest.Session(t, req)
	for said, expected := range map[string]string{
		"tests/a_test.cpp:3:5: error: use of undeclared identifier 'subtract'":                                                                        "tests/a_test.cpp missing-symbol subtract",
		"tests/a_test.cpp:3:5: error: use of undeclared identifier 'subtract'; did you mean 'add'?":                                                   "tests/a_test.cpp missing-symbol subtract",
		"tests/a_test.cpp:3:5: error: no member named 'norm' in 'Calc'":                                                                               "tests/a_test.cpp missing-symbol norm",
		"tests/a_test.cpp:3:5: error: unknown type name 'Stack'":                                                                                      "tests/a_test.cpp missing-symbol Stack",
		"tests/a_test.cpp:3:5: error: no type named 'Coin' in namespace 'money'":                                                                      "tests/a_test.cpp missing-symbol Coin",
		"tests/a_test.cpp:3:5: error: no matching function for call to 'add'":                                                                         "tests/a_test.cpp compile",
		"tests/a_test.cpp:3:5: error: expected ';' after expression":                                                                                  "tests/a_test.cpp syntax",
		"tests/a_test.cpp:1:10: fatal error: 'stack.h' file not found":                                                                                "tests/a_test.cpp missing-symbol stack",
		"tests/a_test.cpp:2:10: fatal error: gtest/gtest.h: No such file or directory":                                                                "tests/a_test.cpp infra",
		"tests/a_test.cpp:3:10: fatal error: calc/money.h: No such file or directory":                                                                 "tests/a_test.cpp missing-symbol money",
		"tests/a_test.cpp:4:10: fatal error: other/money.h: No such file or directory":                                                                "tests/a_test.cpp infra",
		"tests/a_test.cpp:3:5: warning: unused variable 'x'":                                                                                          "",
		"/usr/bin/ld: CMakeFiles/t.dir/tests/a_test.cpp.o: in function `main':\na_test.cpp:(.text+0x13): undefined reference to `calc::later(int)'":   "tests/a_test.cpp missing-symbol later",
		"/usr/bin/ld: CMakeFiles/t.dir/tests/a_test.cpp.o: in function `main':\n../tests/a_test.cpp:7: undefined reference to `calc::later(int)'":     "tests/a_test.cpp missing-symbol later",
		"/usr/bin/ld: CMakeFiles/t.dir/tests/a_test.cpp.o:(.data.rel.ro+0x0): undefined reference to `vtable for calc::Shape'":                        "tests/a_test.cpp missing-symbol Shape",
		"ld.lld: error: undefined symbol: calc::later(int)\n>>> referenced by a_test.cpp:7 (" + req.Dir + "/tests/a_test.cpp:7)\n>>>               x": "tests/a_test.cpp missing-symbol later",
		"mold: error: undefined symbol: calc::later(int)\n>>> referenced by <artificial>\n>>>               CMakeFiles/t.dir/tests/a_test.cpp.o":      "compile",
		"/usr/bin/ld: crt1.o: in function `_start':\n(.text+0x1b): undefined reference to `main'":                                                     "compile",
	} {
		build := &buildLog{places: s.Places(), dir: "build"}
		for line := range strings.Lines(said) {
			build.read([]byte(strings.TrimSuffix(line, "\n")))
		}
		projecttest.Want(t, said, projecttest.Diagnostics(build.findings()), expected)
	}
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("TEST(")
	f.Add(`TEST_CASE(R"(`)
	f.Fuzz(func(_ *testing.T, text string) {
		page().Declared(text)
		page().Assertions(text)
	})
}

func FuzzBuildLog(f *testing.F) {
	f.Add("a.cpp:1:2: error: ‘x’ was not declared in this scope\n/usr/bin/ld: x.o: in function `main':\na.cpp:(.text+0x1): undefined reference to `a::b<c>(d)'\nld.lld: error: undefined symbol: x\n>>> referenced by a.cpp:1 (a.cpp:1)\n")
	f.Fuzz(func(_ *testing.T, text string) {
		build := &buildLog{places: &testrun.Places{Dir: "/nowhere", Language: Language()}, dir: "build"}
		for line := range strings.Lines(text) {
			build.read([]byte(strings.TrimSuffix(line, "\n")))
		}
		build.findings()
	})
}

func FuzzCTest(f *testing.F) {
	f.Add("100% tests passed, 0 tests failed out of 1\n\nThe following tests FAILED:\n\t  7 - Calc.Aborts (Subprocess aborted)\n",
		[]byte(`{"testsuites":[{"name":"S","testsuite":[{"name":"T","status":"RUN","failures":[{"failure":"C++ exception with description \"x\" thrown in the test body."}]}]}]}`),
		"a.cpp:1: FAILED:\n  CHECK( x )\ndue to unexpected exception with message:\n  y\n===")
	f.Fuzz(func(t *testing.T, text string, report []byte, output string) {
		s := ctestSummary{reasons: map[string]string{}}
		for line := range strings.Lines(text) {
			s.read([]byte(line))
		}
		entries, _ := parseGTest(report)
		for _, e := range entries {
			if class, _ := e.class(); (class == "") != (len(e.Failures) == 0) {
				t.Fatalf("%+v", e)
			}
		}
		catchClass(output)
		gtestRunning(output)
	})
}
