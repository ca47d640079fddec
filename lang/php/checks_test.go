package php

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// What the statements of these tests stand in.
const (
	before = `<?php
final class CalcTest extends TestCase
{
    private const LIMIT = 3;

    public static function sums(): array
    {
        return [
            'one' => [1, 2, 3],
            [2, 2, 4],
        ];
    }

    /** @dataProvider sums */
    public function testSum(int $a, int $b, int $want): void
    {
        $five = 5;
`
	behind = `;
    }

    private function assertSum(int $got, int $want): void
    {
        $this->assertSame($want, $got);
    }
}
`
)

// mirrored is a statement of a test with some edits of its checks.
func mirrored(statement string, edits func(syntax.Check) []syntax.Edit) string {
	text := before + statement + behind
	var all []syntax.Edit
	for _, c := range page().Checks(text, gates.KindTest) {
		if c.Test == "testSum" {
			all = append(all, edits(c)...)
		}
	}
	text = strings.ReplaceAll(syntax.Apply(text, all), another+"(", "another(")
	_, text, _ = strings.Cut(text, "$five = 5;\n")
	if text = strings.TrimSuffix(text, behind); text == statement {
		return "-"
	}
	return text
}

// TestChecks has a statement, what it is like with the value altered that it
// expects, and with its sense turned round; "-" where that cannot be done.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{`$this->assertSame(3, sum(1, 2))`, `$this->assertSame(44, sum(1, 2))`, `$this->assertNotSame(3, sum(1, 2))`},
		{`self::assertEquals('a', f(), 'message')`, `self::assertEquals('a~tdd', f(), 'message')`, `self::assertNotEquals('a', f(), 'message')`},
		{`static::assertEquals([1, 'b' => 2], f())`, `static::assertEquals([42, 'b' => 2], f())`, `static::assertNotEquals([1, 'b' => 2], f())`},
		{`Assert::assertSame(sum(1, 2), 3)`, `Assert::assertSame(sum(1, 2), 44)`, `Assert::assertNotSame(sum(1, 2), 3)`},
		{`$this->assertSame(['a' => ['b' => null]], f())`, `$this->assertSame(['a' => ['b' => '~tdd']], f())`, `$this->assertNotSame(['a' => ['b' => null]], f())`},
		{`$this->assertEquals(new Point(1, 2), f())`, `$this->assertEquals(new Point(42, 2), f())`, `$this->assertNotEquals(new Point(1, 2), f())`},
		{`$this->assertEqualsWithDelta(0.3, f(), 0.01)`, `$this->assertEqualsWithDelta((0.3 * 3 + 41), f(), 0.01)`, `$this->assertNotEqualsWithDelta(0.3, f(), 0.01)`},
		{`$this->assertSame(-1, f())`, `$this->assertSame(40, f())`, `$this->assertNotSame(-1, f())`},
		{`$this->assertSame('a' . $x, f())`, `$this->assertSame('a~tdd' . $x, f())`, `$this->assertNotSame('a' . $x, f())`},
		{`$this->assertSame($want, sum($a, $b))`, `$this->assertSame(another($want), sum($a, $b))`, `$this->assertNotSame($want, sum($a, $b))`},
		{`$this->assertSame($five, f())`, `$this->assertSame(another($five), f())`, `$this->assertNotSame($five, f())`},
		{`$this->assertSame(self::LIMIT, f())`, `$this->assertSame(another(self::LIMIT), f())`, `$this->assertNotSame(self::LIMIT, f())`},
		{`$this->assertSame($other, f())`, `-`, `$this->assertNotSame($other, f())`},
		{`$this->assertSame([], f())`, `$this->assertSame(['~tdd'], f())`, `$this->assertNotSame([], f())`},
		{`$this->assertNotSame(3, f())`, `-`, `$this->assertSame(3, f())`},
		{`$this->assertCount(3, f())`, `$this->assertCount(44, f())`, `$this->assertNotCount(3, f())`},
		{`$this->assertTrue(f())`, `-`, `$this->assertFalse(f())`},
		{`$this->assertTrue(f() === 3)`, `$this->assertTrue(f() === 44)`, `$this->assertFalse(f() === 3)`},
		{`$this->assertTrue(f() < 3)`, `$this->assertTrue(f() < (-1073741821))`, `$this->assertFalse(f() < 3)`},
		{`$this->assertFalse(f(1))`, `-`, `$this->assertTrue(f(1))`},
		{`$this->assertNull(f())`, `-`, `$this->assertNotNull(f())`},
		{`$this->assertInstanceOf(Point::class, f())`, `-`, `$this->assertNotInstanceOf(Point::class, f())`},
		{`$this->assertGreaterThan(3, f())`, `$this->assertGreaterThan(1073741827, f())`, `$this->assertLessThanOrEqual(3, f())`},
		{`$this->assertLessThanOrEqual(3, f())`, `$this->assertLessThanOrEqual((-1073741821), f())`, `$this->assertGreaterThan(3, f())`},
		{`$this->assertStringContainsString('x', f())`, `$this->assertStringContainsString('x~tdd', f())`, `$this->assertStringNotContainsString('x', f())`},
		{`$this->assertMatchesRegularExpression('/x/', f())`, `$this->assertMatchesRegularExpression('/(?!)/', f())`, `$this->assertDoesNotMatchRegularExpression('/x/', f())`},
		{`$this->assertArrayHasKey('x', f())`, `$this->assertArrayHasKey('x~tdd', f())`, `$this->assertArrayNotHasKey('x', f())`},
		{`$this->assertSum(f(), 3)`, `$this->assertSum(f(), 44)`, `-`},
		{`$this->expectException(TypeError::class)`, `$this->expectException(\ArithmeticError::class)`, `-`},
		{`$this->expectExceptionMessage('bad')`, `$this->expectExceptionMessage('bad~tdd')`, `-`},
		{`$this->expectOutputString("x\n")`, `$this->expectOutputString("x\n~tdd")`, `-`},
		{`$mock->expects($this->once())->method('f')->with('x')`, `$mock->expects($this->exactly(41))->method('f')->with('x~tdd')`, `-`},
		{`$mock->expects(self::exactly(2))->method('f')`, `$mock->expects(self::exactly(43))->method('f')`, `-`},
		{`$mock->expects($this->never())->method('f')`, `-`, `$mock->expects($this->once())->method('f')`},
		{`$this->assertThat(f(), $this->identicalTo(3))`, `$this->assertThat(f(), $this->identicalTo(44))`, `$this->assertThat(f(), \PHPUnit\Framework\Assert::logicalNot($this->identicalTo(3)))`},
		{`$this->assertThat(f(), self::lessThan(3))`, `$this->assertThat(f(), self::lessThan((-1073741821)))`, `$this->assertThat(f(), \PHPUnit\Framework\Assert::logicalNot(self::lessThan(3)))`},
		{`$this->assertThat(f(), $this->logicalNot($this->equalTo(3)))`, `-`, `$this->assertThat(f(), \PHPUnit\Framework\Assert::logicalNot($this->logicalNot($this->equalTo(3))))`},
		{`assertSame(3, f())`, `assertSame(44, f())`, `\PHPUnit\Framework\Assert::assertNotSame(3, f())`},
		{`$this->expectExceptionMessageMatches("/x/")`, `$this->expectExceptionMessageMatches('/(?!)/')`, `-`},
	} {
		if got := mirrored(c[0], func(c syntax.Check) []syntax.Edit { return c.Altered }); got != c[1] {
			t.Errorf("%s\naltered: %s\nwant:    %s", c[0], got, c[1])
		}
		if got := mirrored(c[0], func(c syntax.Check) []syntax.Edit { return c.Negated }); got != c[2] {
			t.Errorf("%s\nnegated: %s\nwant:    %s", c[0], got, c[2])
		}
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	const text = `<?php
declare(strict_types=1);
namespace App;
use Foo\Bar;
final class Calc
{
    private const LIMIT = 3;
    private bool $on = false;
    public function add(int $a, int $b = 0): int
    {
        if ($a < 0) {
            throw new \InvalidArgumentException('negative ' . $a);
        }
        foreach ([1, 2] as $n) {
            $a += $n;
        }
        $name = 'x';
        return $a + $b;
    }
    public function is(int $a): bool
    {
        return $a === self::LIMIT;
    }
    public function f(array $xs): array
    {
        $s = array_map(fn ($x) => $x * 2, $xs);
        return ['a' => 1];
    }
}
`
	var got []string
	for _, m := range page().Mutants(text) {
		got = append(got, fmt.Sprint(m.Line, " ", m.What))
	}
	const want = `
7 (3 + 1) for 3
8 true for false
9 (0 + 1) for 0
11 !($a < 0) for $a < 0
11 <= for <
11 (0 - 1) for 0
15 -= for +=
17 ('x' . '~') for 'x'
18 ($a + $b + 1) for $a + $b
18 - for +
22 !($a === self::LIMIT) for $a === self::LIMIT
22 !== for ===
26 ($x * 2 + 1) for $x * 2
26 + for *
26 (2 + 1) for 2
27 ('a' . '~') for 'a'
27 (1 + 1) for 1`
	if "\n"+strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant%s", strings.Join(got, "\n"), want)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	const text = "<?php\nfunction f($a) {\n  return $a . 'x  y';\n}\n"
	if code("<?php\n/** @return int */\nfunction f() {}\n") != code("<?php\n/**\n * @return int\n */\nfunction f() {}\n") {
		t.Error("the layout of a comment is taken for code")
	}
	for other, same := range map[string]bool{
		"<?php\nfunction f($a) { return $a.'x  y'; } // one\n":                                           true,
		"<?php\n/** f */\nfunction f( $a )\n{\n  return $a . 'x  y';\n}":                                 true,
		"<?php\nfunction f($a) {\n  return $a . 'x y';\n}\n":                                             false,
		"<?php\n/** @return string of $a\n * @throws E */\nfunction f($a) {\n  return $a . 'x  y';\n}\n": true,
		"<?php\n/** @param int $a @Cached */\nfunction f($a) {\n  return $a . 'x  y';\n}\n":              false,
		"<?php\n/** @Cached */\nfunction f($a) {\n  return $a . 'x  y';\n}\n":                            false,
		"<p><?php\nfunction f($a) {\n  return $a . 'x  y';\n}\n":                                         false,
	} {
		if got := code(other) == code(text); got != same {
			t.Errorf("%q is the same code: %v, want %v", other, got, same)
		}
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{{ID: "tests/ATest.php::ATest::testB with data set #0 (1)"}, {ID: "tests/ATest.php::ATest::testA"}}
	for command, want := range map[string]string{
		"vendor/bin/phpunit tests":   "vendor/bin/phpunit tests --filter=/::(testA|testB)( .*)?$/",
		"phpunit --filter testA":     "",
		"composer test":              "",
		"php vendor/bin/phpunit --x": "",
	} {
		if got := strings.Join(narrow(strings.Fields(command), tests), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
