package cpp

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

func edited(src string, of func(syntax.Check) []syntax.Edit) string {
	var edits []syntax.Edit
	for _, c := range page().Checks(src, gates.KindTest) {
		edits = append(edits, of(c)...)
	}
	return syntax.Apply(src, edits)
}

func TestChecks(t *testing.T) {
	t.Parallel()
	const gtest, catch2, boost = "#include <gtest/gtest.h>\nTEST(Sum, Adds) { ", "#include <catch2/catch.hpp>\nTEST_CASE(\"adds\") { ", "BOOST_AUTO_TEST_CASE(adds) { "
	for _, test := range []struct{ head, body, altered, negated string }{
		{gtest, `EXPECT_EQ(sum(2, 3), 5) << "no";`, `EXPECT_EQ(sum(2, 3), 46) << "no";`, `EXPECT_NE(sum(2, 3), 5) << "no";`},
		{gtest, `ASSERT_EQ(5u, sum(2, 3));`, `ASSERT_EQ(46u, sum(2, 3));`, `ASSERT_NE(5u, sum(2, 3));`},
		{gtest, `EXPECT_EQ(name(), std::string("a"));`, `EXPECT_EQ(name(), std::string("a~tdd"));`, `EXPECT_NE(name(), std::string("a"));`},
		{gtest, `EXPECT_EQ(all(), (std::vector<int>{1, 2}));`, `EXPECT_EQ(all(), (std::vector<int>{42, 2}));`, `EXPECT_NE(all(), (std::vector<int>{1, 2}));`},
		{gtest, `EXPECT_STREQ("a", name());`, `EXPECT_STREQ("a~tdd", name());`, `EXPECT_STRNE("a", name());`},
		{gtest, `EXPECT_NEAR(half(3), 1.5, 0.1);`, `EXPECT_NEAR(half(3), 46.0, 0.1);`, `EXPECT_NEAR(half(3), 1.5, -1);`},
		{gtest, `EXPECT_NEAR(half(3), GetParam().second, 0.1);`, `EXPECT_NEAR(half(3), GetParam().second, 0.1);`, `EXPECT_NEAR(half(3), GetParam().second, -1);`},
		{gtest, `EXPECT_DOUBLE_EQ(half(3), GetParam().second);`, `EXPECT_DOUBLE_EQ(half(3), GetParam().second);`, `EXPECT_NE(half(3), GetParam().second);`},
		{gtest, `EXPECT_PRED_FORMAT2(SameFix, fix(3), (Fix{1, 2}));`, `EXPECT_PRED_FORMAT2(SameFix, fix(3), (Fix{42, 2}));`, `EXPECT_PRED_FORMAT2(SameFix, fix(3), (Fix{1, 2}));`},
		{gtest, `EXPECT_TRUE(f() == 3);`, `EXPECT_TRUE(f() == 44);`, `EXPECT_TRUE(!(f() == 3));`},
		{gtest, `EXPECT_FALSE(f());`, `EXPECT_FALSE(f());`, `EXPECT_FALSE(!(f()));`},
		{gtest, `EXPECT_LT(f(), 3);`, `EXPECT_LT(f(), 3);`, `EXPECT_GE(f(), 3);`},
		{gtest, `EXPECT_THROW(f(1), std::logic_error);`, `EXPECT_THROW(f(1), std::logic_error);`, `EXPECT_NO_THROW(f(1));`},
		{gtest, `EXPECT_THAT(all(), ElementsAre(1, 2));`, `EXPECT_THAT(all(), ElementsAre(42, 2));`, `EXPECT_THAT(all(), ::testing::Not(ElementsAre(1, 2)));`},
		{gtest, `const int want = 3; EXPECT_EQ(f(), want);`, `const int want = 44; EXPECT_EQ(f(), want);`, `const int want = 3; EXPECT_NE(f(), want);`},
		{gtest, `EXPECT_EQ(f(), R"(a)");`, `EXPECT_EQ(f(), R"(a~tdd)");`, `EXPECT_NE(f(), R"(a)");`},
		{gtest, `f(3);`, `f(3);`, `f(3);`},
		{catch2, `REQUIRE(sum(2, 3) == 5);`, `REQUIRE(sum(2, 3) == 46);`, `REQUIRE(!(sum(2, 3) == 5));`},
		{catch2, `SECTION("a") { CHECK_FALSE(f() != 3); }`, `SECTION("a") { CHECK_FALSE(f() != 44); }`, `SECTION("a") { CHECK_FALSE(!(f() != 3)); }`},
		{catch2, `REQUIRE_THROWS_AS(f(), A);`, `REQUIRE_THROWS_AS(f(), A);`, `REQUIRE_NOTHROW(f());`},
		{catch2, `REQUIRE_THAT(name(), Equals("a"));`, `REQUIRE_THAT(name(), Equals("a~tdd"));`, `REQUIRE_THAT(name(), !(Equals("a")));`},
		{catch2, `CHECK_EQ(f(), 3);`, `CHECK_EQ(f(), 44);`, `CHECK_NE(f(), 3);`}, // of doctest
		{boost, `BOOST_CHECK_EQUAL(f(), 3);`, `BOOST_CHECK_EQUAL(f(), 44);`, `BOOST_CHECK_NE(f(), 3);`},
		{boost, `BOOST_TEST(f() == 3);`, `BOOST_TEST(f() == 44);`, `BOOST_TEST(!(f() == 3));`},
	} {
		const tail = " }\n"
		for _, way := range []struct {
			name, want string
			of         func(syntax.Check) []syntax.Edit
		}{
			{"altered", test.altered, func(c syntax.Check) []syntax.Edit { return c.Altered }},
			{"negated", test.negated, func(c syntax.Check) []syntax.Edit { return c.Negated }},
		} {
			got := strings.TrimSuffix(strings.TrimPrefix(edited(test.head+test.body+tail, way.of), test.head), tail)
			if got != way.want {
				t.Errorf("%s\n %s: %s\n    want: %s", test.body, way.name, got, way.want)
			}
		}
	}
}

func TestChecks_roles(t *testing.T) {
	t.Parallel()
	const src = `void same(int got, int want) { EXPECT_EQ(got, want); }
TEST(Sum, Adds) { same(sum(2, 3), 5); }
TEST_CASE("a \"b\"") { CHECK(f()); }`
	var got []string
	for _, c := range page().Checks(src, gates.KindTest) {
		role := "check"
		if c.Call {
			role = "call"
		}
		got = append(got, c.Test+" "+role)
	}
	if want := ` check|Adds call|a "b" check`; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	const src = "#include \"a.h\"\n#define N 3\nnamespace a {\nint f(std::vector<int> v) {\nif (v.size() < 3) {\nreturn v[0] * 2;\n}\nreturn 7;\n}\n}\n"
	want := strings.NewReplacer("(v.size() < 3)", "(!(v.size() < 3))", "return v[0] * 2", "return (v[0] * 2) + 1", "return 7", "return 48").Replace(src)
	var edits []syntax.Edit
	first, _ := syntax.MostTelling(page().Mutants(src))
	for _, m := range first {
		edits = append(edits, m.Edit)
	}
	if got := syntax.Apply(src, edits); got != want {
		t.Errorf("got %s", got)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	code := Language().Syntax.Code
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"int f() { return 1; } // one", "int f()\n{\n    return 1;\n}\n", true},
		{"#define A 1\nint b;", "#define A 1 int b;", false},
		{"int a; #", "int a;", false},
		{`"a // b"`, `"a // c"`, false},
	} {
		if got := code(test.a) == code(test.b); got != test.same {
			t.Errorf("%q and %q: same is %v", test.a, test.b, got)
		}
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add("TEST(A, B) { int a = b; int b = a; EXPECT_EQ(a, (std::vector<int>{R\"x(1)x\"})); }")
	f.Fuzz(func(_ *testing.T, src string) {
		for _, c := range page().Checks(src, gates.KindTest) {
			syntax.Apply(src, c.Altered)
			syntax.Apply(src, c.Negated)
		}
		page().Mutants(src)
		Language().Syntax.Code(src)
	})
}
