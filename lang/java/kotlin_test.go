package java

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func kotlinEdited(src string, of func(syntax.Check) []syntax.Edit) string {
	var edits []syntax.Edit
	for _, c := range kotlinPage().Checks(src, gates.KindTest) {
		edits = append(edits, of(c)...)
	}
	return syntax.Apply(src, edits)
}

func TestKotlinChecks(t *testing.T) {
	t.Parallel()
	const negated, same, open = "N", "S", "-"
	number := regexp.MustCompile(`tdd\d+`)
	for _, test := range []struct{ body, altered, negated string }{
		// JUnit and kotlin.test
		{`assertEquals(5, sum(2, 3))`, `assertEquals(46, sum(2, 3))`, negated},
		{`Assertions.assertEquals(5L, sum(2, 3), "sum of ${2}")`, `Assertions.assertEquals(46L, sum(2, 3), "sum of ${2}")`, negated},
		{`assertEquals("a", name(), "message")`, `assertEquals("a~tdd", name(), "message")`, negated},
		{`assertEquals(expected = 5, actual = sum(2, 3))`, `assertEquals(expected = 46, actual = sum(2, 3))`, negated},
		{`assertEquals(actual = f(3), expected = 5)`, `assertEquals(actual = f(3), expected = 46)`, negated},
		{`assertEquals(1.5, half(3), 0.01)`, `assertEquals(46.0, half(3), 0.01)`, negated},
		{`assertEquals('a', first())`, `assertEquals('~', first())`, negated},
		{`assertEquals("$a ${b("}")}", f())`, `assertEquals("$a ${b("}")}~tdd", f())`, negated},
		{"assertEquals(\"\"\"\n  \\\"a\"\"\"\".trimIndent(), f())", "assertEquals(\"\"\"\n  \\\"a\"~tdd\"\"\".trimIndent(), f())", negated},
		{`assertEquals(listOf("a", "b"), names())`, `assertEquals(listOf("a~tdd", "b"), names())`, negated},
		{`assertEquals(mapOf("a" to 1), f())`, `assertEquals(mapOf("a" to 42), f())`, negated},
		{`assertEquals(Point(x = 1, y = 2), p.moved())`, `assertEquals(Point(x = 42, y = 2), p.moved())`, negated},
		{`assertEquals(5.toLong(), f())`, `assertEquals(46.toLong(), f())`, negated},
		{`assertEquals(f(1), g(2))`, same, negated},
		{`assertContentEquals(intArrayOf(1, 2), f())`, `assertContentEquals(intArrayOf(42, 2), f())`, negated},
		{`assertContains(f(), "a")`, `assertContains(f(), "a~tdd")`, negated},
		{`assertTrue(f() == 3 && s.contains("a"))`, `assertTrue(f() == 44 && s.contains("a~tdd"))`, `assertTrue(!(f() == 3 && s.contains("a")))`},
		{`assertTrue { f() == 3 }`, `assertTrue { f() == 44 }`, negated},
		{`assertTrue(f() in 1..3)`, same, `assertTrue(!(f() in 1..3))`},
		{`assertTrue(3 in f())`, `assertTrue(44 in f())`, `assertTrue(!(3 in f()))`},
		{`assertFalse(f() != 3)`, `assertFalse(f() != 44)`, `assertFalse(!(f() != 3))`},
		{`assertNull(f())`, same, negated},
		{`assertIs<String>(f())`, same, negated},
		{`assertFailsWith<A> { f(3) }`, same, negated},
		{`assertThrows<A> { f(3) }`, same, negated},
		{`assertThrows(A::class.java) { f(3) }`, same, negated},
		{`val e = assertFailsWith<A> { f(3) }`, same, `val e = assertFailsWith<A> { f(3) } .also { if ("".isEmpty()) throw AssertionError("tdd") }`},
		{`expect(3) { f() }`, `expect(44) { f() }`, negated},
		{"val want = 3\nassertEquals(want, f())", "val want = 44\nassertEquals(want, f())", open},
		{"val want: List<Int> = listOf(3)\nassertEquals(want, f())", "val want: List<Int> = listOf(44)\nassertEquals(want, f())", open},
		{"var want = 3\nwant = 4\nassertEquals(want, f())", same, open},
		{"val n = f()!!\nassertEquals(3, n)", "val n = f()!!\nassertEquals(44, n)", open},
		// AssertJ
		{`assertThat(f()).` + "`as`" + `("a").isEqualTo(3)`, `assertThat(f()).` + "`as`" + `("a").isEqualTo(44)`, negated},
		{"assertThat(f())\n    .isNotNull\n    .hasSize(2)", "assertThat(f())\n    .isNotNull\n    .hasSize(43)", negated},
		{`assertThat(f()).isGreaterThan(3)`, same, negated},
		{"assertFailure { f(3) }\n    .isInstanceOf<A>()\n    .hasMessage(\"no\")", "assertFailure { f(3) }\n    .isInstanceOf<A>()\n    .hasMessage(\"no~tdd\")", negated},
		// Kotest
		{`f() shouldBe 3`, `f() shouldBe 44`, negated},
		{`f(2).name shouldBe "a"`, `f(2).name shouldBe "a~tdd"`, negated},
		{`f().shouldBe(3)`, `f().shouldBe(44)`, negated},
		{`f() shouldNotBe 3`, same, negated},
		{`shouldThrow<A> { f() }`, same, negated},
		// Kotlin's own
		{`check(f() == 3) { "no" }`, `check(f() == 44) { "no" }`, `check(!(f() == 3)) { "no" }`},
		{`if (f() != 3) fail("no")`, `if (f() != 44) fail("no")`, `if (!(f() != 3)) fail("no")`},
		{`if (f() != 3) throw AssertionError()`, `if (f() != 44) throw AssertionError()`, `if (!(f() != 3)) throw AssertionError()`},
		{`try { f(); fail("no") } catch (e: A) { }`, same, `try { f(); fail("no") } catch (e: A) { if ("".isEmpty()) throw AssertionError("tdd"); }`},
		{`checkSum(2, 3, 5)`, `checkSum(2, 3, 46)`, open},
		{`f(3); println("3")`, same, same},
	} {
		head, tail := "import org.junit.jupiter.api.Test\nclass ATest {\n@Test fun `a b`() { ", " }\n}\n"
		body := func(src string) string { return strings.TrimSuffix(strings.TrimPrefix(src, head), tail) }
		want := test.altered
		if want == same {
			want = test.body
		}
		if got := body(kotlinEdited(head+test.body+tail, func(c syntax.Check) []syntax.Edit { return c.Altered })); got != want {
			t.Errorf("%s\n altered: %s\n    want: %s", test.body, got, want)
		}
		want = test.negated
		switch want {
		case negated:
			want = "run { var tdd = false; try { " + test.body + `; tdd = true } catch (tdde: AssertionError) { }; if (tdd) throw AssertionError("tdd") }`
		case same:
			want = test.body
		case open:
			continue
		}
		got := number.ReplaceAllString(body(kotlinEdited(head+test.body+tail, func(c syntax.Check) []syntax.Edit { return c.Negated })), "tdd")
		if got != want {
			t.Errorf("%s\n negated: %s\n    want: %s", test.body, got, want)
		}
	}
}

const kotlinSource = `package calc

import kotlin.test.*

/* @Test fun commented() {} /* nested */ @Test fun alsoCommented() {} */
class CalcTest {
    private val limit = 3
    val text = "@Test fun quoted() { assertEquals(1, 2) }"

    @Test
    fun ` + "`adds two`" + `() {
        assertEquals(3, add(1, 2), "sum; of (two)")
    }

    @ParameterizedTest(name = "{0} is (odd)")
    @CsvSource("1, true", "2, false")
    internal fun odd(n: Int, want: Boolean) = assertEquals(want, odd(n))

    @Test fun waits() = runTest {
        add(1, 2) shouldBe 3
    }

    @Disabled("later") @org.junit.jupiter.api.Test suspend fun <T : Any> later(): Unit {}

    @Nested inner class More {
        @Test fun within() { assertThat(add(1, 2)).isEqualTo(3) }
    }

    fun helper() { assertNull(null) }

    companion object {
        @JvmStatic fun rows() = listOf(Arguments.of(1, "a"), arguments(2, "b"))
    }
}
`

func TestKotlinDeclared(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "declared", strings.Join(kotlinPage().Declared(kotlinSource), "\n"), "adds two\nodd\nwaits\nlater\nwithin")
	projecttest.Want(t, "assertions", strings.Join(kotlinAssertions(kotlinSource), "\n"), `
limit = 3
text = "@Test fun quoted() { assertEquals(1, 2) }"
assertEquals(3, add(1, 2), "sum; of (two)")
@CsvSource("1, true", "2, false")
assertEquals(want, odd(n))
add(1, 2) shouldBe 3
@Disabled("later")
assertThat(add(1, 2)).isEqualTo(3)
assertNull(null)
Arguments.of(1, "a")
arguments(2, "b")`)
}

func TestKotlinMutants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, want string }{
		{"fun f(a: Int, b: Int) = a * b", "fun f(a: Int, b: Int) = (a * b) + 1"},
		{"fun f(a: Int): Int = g(a)", "fun f(a: Int): Int = (g(a)) + 1"},
		{"fun f(a: Int): String { return g(a) }", `fun f(a: Int): String { return (g(a)) + "~" }`},
		{"fun f(a: Int) = a == 3", "fun f(a: Int) = !(a == 3)"},
		{"fun f(a: Int) = a in 1..3", "fun f(a: Int) = !(a in 1..3)"},
		{"fun f(a: A): Boolean = a.open", "fun f(a: A): Boolean = !(a.open)"},
		{"fun f(a: Int) = if (a < 3) g() else h()", "fun f(a: Int) = if (!(a < 3)) g() else h()"},
		{"require(n > 0) { \"no\" }", "require(!(n > 0)) { \"no\" }"},
		{"for (i in 0 until n) { }", "for (i in 0 .. n) { }"},
		{"for (i in a..n) { }", "for (i in a until n) { }"},
		{"val x: List<Int> = f(3)", "val x: List<Int> = f(44)"},
		{"n += 2", "n -= 2"},
		{"1 -> \"a\"", "42 -> \"a\""},
		{"val x = a ?: throw A(\"no\")", "val x = a ?: throw A(\"no\")"},
		{"@Named(\"x\") val y = g()", "@Named(\"x\") val y = g()"},
		{"println(\"3\")", "println(\"3\")"},
	} {
		src := "import a.*\nclass A {\n" + test.body + "\n}\n"
		var edits []syntax.Edit
		first, _ := syntax.MostTelling(kotlinPage().Mutants(src))
		for _, m := range first {
			edits = append(edits, m.Edit)
		}
		got := strings.Join(strings.Fields(strings.Split(syntax.Apply(src, edits), "\n")[2]), " ")
		if got != test.want {
			t.Errorf("%s becomes %s, want %s", test.body, got, test.want)
		}
	}
}

func TestKotlinNear(t *testing.T) {
	t.Parallel()
	const text = `fun root(n: Double): Double {
    if (n < 0) {
        throw BadNumber("negative")
    }
    return n / 2
}

fun name(b: Int): String = "A$b"
`
	var got []string
	for _, m := range kotlinPage().Near(text) {
		got = append(got, syntax.Apply(text, []syntax.Edit{m.Edit})[m.Edit.Start:m.Edit.Start+len(m.Edit.Text)])
	}
	want := []string{"(n < 0) || true", "IllegalStateException", "(n / 2) * 1.05 + 0.05", `"\n" + ("A$b")`, `"a$b"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A line break is layout, unless what is before it could end there.
func TestKotlinCode(t *testing.T) {
	t.Parallel()
	code := kotlin().Syntax.Code
	if code("fun f() = a // b\n") != code("fun f() =\n    a\n") {
		t.Error("layout counts")
	}
	if code("return\na") == code("return a") || code("a\n-b") == code("a - b") {
		t.Error("a line break that ends a statement does not count")
	}
}

func FuzzKotlin(f *testing.F) {
	f.Add(kotlinSource)
	f.Add("fun f(): = \"${\"${\n\"\"\" run { a shouldBe { x < y in")
	f.Fuzz(func(_ *testing.T, src string) {
		read := kotlin().Syntax
		for _, c := range read.Checks(src, gates.KindTest) {
			syntax.Apply(src, c.Altered)
			syntax.Apply(src, c.Negated)
		}
		read.Mutants(src)
		read.Near(src)
		read.Declared(src)
		read.Assertions(src)
		read.Code(src)
	})
}
