package java

import (
	"regexp"
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
	const negated = "N"
	number := regexp.MustCompile(`tdd\d+`)
	for _, test := range []struct{ body, altered, negated string }{
		// JUnit, the newer one and TestNG
		{`assertEquals(5, sum(2, 3));`, `assertEquals(46, sum(2, 3));`, negated},
		{`Assertions.assertEquals(5L, sum(2, 3), "sum of " + 2);`, `Assertions.assertEquals(46L, sum(2, 3), "sum of " + 2);`, negated},
		{`assertEquals("a", name(), "message");`, `assertEquals("a~tdd", name(), "message");`, negated},
		{`assertEquals(1.5, half(3), 0.01);`, `assertEquals(46.0, half(3), 0.01);`, negated},
		{`assertEquals('a', first());`, `assertEquals('~', first());`, negated},
		{`assertEquals(List.of("a", "b"), names());`, `assertEquals(List.of("a~tdd", "b"), names());`, negated},
		{`assertEquals(new Point(1, 2), p.moved());`, `assertEquals(new Point(42, 2), p.moved());`, negated},
		{`assertEquals(f(1), g(2));`, `assertEquals(f(1), g(2));`, negated},
		{`assertArrayEquals(new int[] {1, 2}, f());`, `assertArrayEquals(new int[] {42, 2}, f());`, negated},
		{`assertTrue(f() == 3 && s.contains("a"));`, `assertTrue(f() == 44 && s.contains("a~tdd"));`, negated},
		{`assertFalse(f() != 3);`, `assertFalse(f() != 44);`, negated},
		{`assertTrue(f() < 3);`, `assertTrue(f() < 3);`, negated},
		{`assertNull(f());`, `assertNull(f());`, negated},
		{`assertThrows(A.class, () -> f(3));`, `assertThrows(A.class, () -> f(3));`, negated},
		{`assertAll(() -> assertEquals(3, f()), () -> assertTrue(g()));`, `assertAll(() -> assertEquals(44, f()), () -> assertTrue(g()));`, ""},
		{`int want = 3; assertEquals(want, f());`, `int want = 44; assertEquals(want, f());`, ""},
		{`int want = 3; want = 4; assertEquals(want, f());`, `int want = 3; want = 4; assertEquals(want, f());`, ""},
		// AssertJ and Truth
		{`assertThat(f()).as("a").isEqualTo(3);`, `assertThat(f()).as("a").isEqualTo(44);`, negated},
		{`assertThat(f()).hasSize(2).containsExactly("a", "b").doesNotContain("c");`, `assertThat(f()).hasSize(43).containsExactly("a", "b~tdd").doesNotContain("c");`, negated},
		{`assertThat(f()).isGreaterThan(3);`, `assertThat(f()).isGreaterThan(3);`, negated},
		{`assertThatThrownBy(() -> f()).hasMessage("no");`, `assertThatThrownBy(() -> f()).hasMessage("no~tdd");`, negated},
		// Hamcrest
		{`assertThat(f(), is(3));`, `assertThat(f(), is(44));`, negated},
		{`assertThat("why", f(), is(not(3)));`, `assertThat("why", f(), is(not(3)));`, negated},
		// Mockito
		{`verify(mock).send("a");`, `verify(mock).send("a~tdd");`, negated},
		// none of them
		{`if (f() != 3) fail("no");`, `if (f() != 44) fail("no");`, `if (!(f() != 3)) fail("no");`},
		{`if (f() != 3) { throw new AssertionError(); }`, `if (f() != 44) { throw new AssertionError(); }`, `if (!(f() != 3)) { throw new AssertionError(); }`},
		{`assert f() == 3 : "no";`, `assert f() == 44 : "no";`, `assert !(f() == 3) : "no";`},
		{`try { f(); fail("no"); } catch (A e) { }`, `try { f(); fail("no"); } catch (A e) { }`, `try { f(); fail("no"); } catch (A e) { if ("".isEmpty()) throw new AssertionError("tdd"); }`},
		{`checkSum(2, 3, 5);`, `checkSum(2, 3, 46);`, ""},
		{`f(3); System.out.println("3");`, `f(3); System.out.println("3");`, `f(3); System.out.println("3");`},
	} {
		head, tail := "import org.junit.jupiter.api.Test;\nclass ATest {\n@Test void t() { ", " }\n}\n"
		body := func(src string) string { return strings.TrimSuffix(strings.TrimPrefix(src, head), tail) }
		if got := body(edited(head+test.body+tail, func(c syntax.Check) []syntax.Edit { return c.Altered })); got != test.altered {
			t.Errorf("%s\n altered: %s\n    want: %s", test.body, got, test.altered)
		}
		want := test.negated
		switch want {
		case negated:
			want = "boolean tdd = false; try { " + test.body + ` tdd = true; } catch (AssertionError tdde) { } if (tdd) throw new AssertionError("tdd");`
		case "":
			continue
		}
		got := number.ReplaceAllString(body(edited(head+test.body+tail, func(c syntax.Check) []syntax.Edit { return c.Negated })), "tdd")
		if got != want {
			t.Errorf("%s\n negated: %s\n    want: %s", test.body, got, want)
		}
	}
}

// In JUnit 4 the message comes first.
func TestChecks_ofJUnit4(t *testing.T) {
	t.Parallel()
	const src = `import org.junit.Test;
class ATest {
    private static final String WANT = "a";
    @Test public void t() { assertEquals("3 and 4", 7, sum(3, 4)); assertTrue("why", f() == 1); assertEquals(WANT, name()); }
    @Test(expected = A.class) public void u() { f(); }
    private void same(int want, int got) { assertEquals(want, got); }
}`
	got := edited(src, func(c syntax.Check) []syntax.Edit { return c.Altered })
	for _, want := range []string{`assertEquals("3 and 4", 48, sum(3, 4))`, `assertTrue("why", f() == 42)`, `WANT = "a~tdd"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if got := edited(src, func(c syntax.Check) []syntax.Edit { return c.Negated }); !strings.Contains(got, "@Test public void u()") {
		t.Errorf("the expected exception is still there:\n%s", got)
	}
	for _, c := range page().Checks(src, gates.KindTest) {
		if c.Test == "same" {
			t.Error("a helper is no test")
		}
	}
}

// An assertion may be all that a lambda does.
func TestChecks_inLambda(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		`xs.forEach(x -> assertEquals(x, f(x), 1e-6));`:        `xs.forEach(x -> { N assertEquals(x, f(x), 1e-6); N });`,
		`xs.forEach((x) -> Assertions.assertTrue(f(x) >= 3));`: `xs.forEach((x) -> { N Assertions.assertTrue(f(x) >= 3); N });`,
		`xs.forEach(x -> assertThat(f(x)).isSameAs(x));`:       `xs.forEach(x -> { N assertThat(f(x)).isSameAs(x); N });`,
		`check("a", () -> assertTrue(f()));`:                   `check("a", () -> { N assertTrue(f()); N });`,
		`Runnable r = () -> assertTrue(f());`:                  `Runnable r = () -> { N assertTrue(f()); N };`,
	} {
		head, tail := "class ATest {\n@Test void t() { ", " }\n}\n"
		got := edited(head+statement+tail, func(c syntax.Check) []syntax.Edit { return c.Negated })
		got = regexp.MustCompile(`boolean tdd\d+ = false; try \{|tdd\d+ = true; \} .*? throw new AssertionError\("tdd"\);`).ReplaceAllString(got, "N")
		if got != head+want+tail {
			t.Errorf("%s\n negated: %s\n    want: %s", statement, got, want)
		}
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, want string }{
		{"return a + b;", "return a - b;"},
		{"return a * b;", "return (a * b) + 1;"},
		{"return a == b;", "return !(a == b);"},
		{"return \"a\" + b;", "return \"a~\" + b;"},
		{"if (a < b) {}", "if (!(a < b)) {}"},
		{"for (int i = 0; i < n; i++) {}", "for (int i = 0; i <= n; i++) {}"},
		{"List<String> x = f(3);", "List<String> x = f(44);"},
		{"throw new A(\"no\");", "throw new A(\"no\");"},
		{"log.info(\"3\");", "log.info(\"3\");"},
		{"n += 2;", "n -= 2;"},
	} {
		src := "import a.b;\n@Named(\"x\")\nclass A {\nint f() {\n" + test.body + "\n}\n}\n"
		var edits []syntax.Edit
		first, _ := syntax.MostTelling(page().Mutants(src))
		for _, m := range first {
			edits = append(edits, m.Edit)
		}
		got := strings.Split(syntax.Apply(src, edits), "\n")[4]
		if got != test.want {
			t.Errorf("%s becomes %s, want %s", test.body, got, test.want)
		}
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add("class A { @Test void t() { int a = b; int b = a; assertEquals(a, f(new int[] {1})); } }")
	f.Fuzz(func(_ *testing.T, src string) {
		for _, c := range page().Checks(src, gates.KindTest) {
			syntax.Apply(src, c.Altered)
			syntax.Apply(src, c.Negated)
		}
		page().Mutants(src)
		Language().Syntax.Code(src)
	})
}
