package java

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `package calc;

import static org.junit.jupiter.api.Assertions.*;

/* @Test void commented() {} */
class CalcTest {
  private static final int LIMIT = 3;
  // @Test void alsoCommented() {}
  String text = "@Test void quoted() { assertEquals(1, 2); }";
  String block = """
      @Test void inABlock() {}
      """;

  @Test
  void adds() {
    assertEquals(3, Calc.add(1, 2), "sum; of (two)");
  }

  @ParameterizedTest(name = "{0} is (odd)")
  @CsvSource({"1, true", "2, false"})
  void odd(int n, boolean is) {
    assertThat(Calc.odd(n)).as("odd").isEqualTo(is);
  }

  @Test(expected = IllegalStateException.class) public void throwsIt() throws Exception { Calc.raise(); }

  @RepeatedTest(3)
  @Disabled("later")
  public final <T extends Comparable<T>> void again() {}

  @org.junit.jupiter.api.Test void qualified() { assert LIMIT > 2 : "limit"; }

  public void testOldStyle() { assertTrue(true); }

  void helper() { char c = '"'; assertNull(null); }

  static Stream<Arguments> rows() { return Stream.of(Arguments.of(1, "a"), arguments(2, "b")); }
}
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "declared", strings.Join(page().Declared(testSource), "\n"), "adds\nodd\nthrowsIt\nagain\nqualified\ntestOldStyle")
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), `
int LIMIT = 3
String text = "@Test void quoted() { assertEquals(1, 2); }"
String block = """ @Test void inABlock() {} """
assertEquals(3, Calc.add(1, 2), "sum; of (two)")
@CsvSource({"1, true", "2, false"})
assertThat(Calc.odd(n)).as("odd").isEqualTo(is)
@Test(expected = IllegalStateException.class)
@RepeatedTest(3)
@Disabled("later")
assert LIMIT > 2 : "limit"
assertTrue(true)
char c = '"'
assertNull(null)
Arguments.of(1, "a")
arguments(2, "b")`)
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("@Test(")
	f.Add("@Test @A(\"\\")
	f.Add("assert '")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := page().Mask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("the length changed")
		}
		page().Declared(text)
		page().Assertions(text)
	})
}

func FuzzJavac(f *testing.F) {
	f.Add("[ERROR] /w/A.java:[4,12] package bank does not exist\n[ERROR]   symbol:   method <T>add(int)\n/w/B.java:1: error: ';' expected\n  symbol: class X\n")
	f.Fuzz(func(_ *testing.T, text string) {
		index := &sourceIndex{places: &testrun.Places{Dir: "/nowhere", Language: Language()}, texts: map[string]string{}}
		maven, gradle := mavenConsole{console: console{javac: &javac{index: index}}}, gradleConsole{console{javac: &javac{index: index}}}
		for line := range strings.Lines(text) {
			maven.read([]byte(line))
			gradle.read([]byte(line))
		}
		maven.javac.findings()
		maven.explain()
		gradle.explain()
	})
}

func FuzzExplain(f *testing.F) {
	f.Add("java.lang.X: a\n\tat java.base/x.Y.z(Y.java:3)\n\tat app//calc.Calc.add(Calc.java:5)\nCaused by: x\n\t... 3 more\n")
	f.Fuzz(func(t *testing.T, text string) {
		index := &sourceIndex{places: &testrun.Places{Dir: "/nowhere", Language: Language()}, texts: map[string]string{}}
		if found := index.explain("", "", text); found.Class == "" || len(found.Message) > 2*output.MessageLimit {
			t.Fatalf("%+v", found)
		}
	})
}
