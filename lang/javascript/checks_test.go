package javascript

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// around is what the statements of these tests stand in.
const (
	before = "import { strictEqual } from 'node:assert';\n" +
		"function same(a, b) {\n  expect(a).toBe(b);\n}\n" +
		"const want = 3;\nconst TABLE = [\n  [1, 2, 'x'],\n  [2, 4, 'y'],\n];\n" +
		"test('a', async () => {\n"
	behind = ";\n});\n"
)

// mirrored is a statement of a test with some edits of its checks.
func mirrored(statement string, edits func(syntax.Check) []syntax.Edit) string {
	text := before + statement + behind
	var all []syntax.Edit
	for _, c := range checks(text, gates.KindTest) {
		if c.Test == "a" {
			all = append(all, edits(c)...)
		}
	}
	text = strings.ReplaceAll(syntax.Apply(text, all), another+"(", "another(")
	_, text, _ = strings.Cut(text, "async () => {\n")
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
		{`t.is(f(1), 3)`, `t.is(f(1), 44)`, `t.not(f(1), 3)`},
		{`t.not(f(1), 3)`, `-`, `t.is(f(1), 3)`},
		{`t.deepEqual(f(1), [1])`, `t.deepEqual(f(1), [42])`, `t.notDeepEqual(f(1), [1])`},
		{`t.true(f(1))`, `-`, `t.true(!(f(1)))`},
		{`t.false(f(1) > 3)`, `t.false(f(1) > (-1073741821))`, `t.false(!(f(1) > 3))`},
		{`t.throws(() => f(1), { message: 'bad' })`, `t.throws(() => f(1), { message: 'bad~tdd' })`, `t.notThrows(() => f(1), { message: 'bad' })`},
		{`await t.throwsAsync(f(1), { instanceOf: TypeError })`, `-`, `await t.notThrowsAsync(f(1), { instanceOf: TypeError })`},
		{`t.notThrows(() => f(1))`, `-`, `t.throws(() => f(1))`},
		{`t.regex(f(1), /x/)`, `t.regex(f(1), /(?!)/)`, `t.notRegex(f(1), /x/)`},
		{`t.like(f(1), { a: 1 })`, `t.like(f(1), { a: 42 })`, `-`},
		{`t.snapshot(f(1))`, `-`, `t.snapshot([f(1)])`},
		{`expect(f(1)).toBe(3)`, `expect(f(1)).toBe(44)`, `expect(f(1)).not.toBe(3)`},
		{`expect(f(1)).not.toBe(3)`, `-`, `expect(f(1)).toBe(3)`},
		{`await expect(f(1)).resolves.toEqual({ a: [1, 'x'] })`, `await expect(f(1)).resolves.toEqual({ a: [42, 'x'] })`, `await expect(f(1)).resolves.not.toEqual({ a: [1, 'x'] })`},
		{`expect(f(1), 'message').toStrictEqual(-1)`, `expect(f(1), 'message').toStrictEqual(40)`, `expect(f(1), 'message').not.toStrictEqual(-1)`},
		{`expect(() => f(1)).toThrow('bad')`, `expect(() => f(1)).toThrow('bad~tdd')`, `expect(() => f(1)).not.toThrow('bad')`},
		{`expect(() => f(1)).toThrow(/bad/i)`, `expect(() => f(1)).toThrow(/(?!)/)`, `expect(() => f(1)).not.toThrow(/bad/i)`},
		{`expect(() => f(1)).toThrow(RangeError)`, `expect(() => f(1)).toThrow(class extends Error {})`, `expect(() => f(1)).not.toThrow(RangeError)`},
		{`expect(() => f(1)).toThrow()`, `-`, `expect(() => f(1)).not.toThrow()`},
		{`expect(() => f(1)).not.toThrow()`, `-`, `expect(() => f(1)).toThrow()`},
		{`expect(() => { expect(g()).toBe(1); }).not.toThrow()`, `expect(() => { expect(g()).toBe(42); }).not.toThrow()`, `expect(() => { expect(g()).not.toBe(1); }).not.toThrow()`},
		{`expect(f(1)).toBeGreaterThan(3)`, `expect(f(1)).toBeGreaterThan(1073741827)`, `expect(f(1)).not.toBeGreaterThan(3)`},
		{`expect(f(1)).toBeLessThanOrEqual(3n)`, `expect(f(1)).toBeLessThanOrEqual((3n - 1000000000000000n))`, `expect(f(1)).not.toBeLessThanOrEqual(3n)`},
		{`expect(f(1)).toBeCloseTo(0.3, 5)`, `expect(f(1)).toBeCloseTo((0.3 * 3 + 41), 5)`, `expect(f(1)).not.toBeCloseTo(0.3, 5)`},
		{`expect(f(1)).toBeTruthy()`, `-`, `expect(f(1)).not.toBeTruthy()`},
		{`expect(f).toHaveBeenCalledWith(1, x)`, `expect(f).toHaveBeenCalledWith(42, x)`, `expect(f).not.toHaveBeenCalledWith(1, x)`},
		{`expect(f).toHaveBeenNthCalledWith(2, 'x')`, `expect(f).toHaveBeenNthCalledWith(2, 'x~tdd')`, `expect(f).not.toHaveBeenNthCalledWith(2, 'x')`},
		{`expect(f(1)).toHaveProperty('a.b', 2)`, `expect(f(1)).toHaveProperty('a.b', 43)`, `expect(f(1)).not.toHaveProperty('a.b', 2)`},
		{`expect(f(1)).toMatchSnapshot()`, `-`, `expect([f(1)]).toMatchSnapshot()`},
		{"expect(f(1)).toMatchInlineSnapshot(`\"x\"`)", "expect(f(1)).toMatchInlineSnapshot(`\"x\"~tdd`)", "expect([f(1)]).toMatchInlineSnapshot(`\"x\"`)"},
		{`expect(f(1)).toEqual(expect.objectContaining({ a: 1 }))`, `expect(f(1)).toEqual(expect.objectContaining({ a: 42 }))`, `expect(f(1)).not.toEqual(expect.objectContaining({ a: 1 }))`},
		{`expect(f(1)).toEqual(expect.any(Number))`, `-`, `expect(f(1)).not.toEqual(expect.any(Number))`},
		{`expect(f(1)).toEqual(new Set([1]))`, `expect(f(1)).toEqual(new Set([42]))`, `expect(f(1)).not.toEqual(new Set([1]))`},
		{`expect(f(1)).toEqual([])`, `expect(f(1)).toEqual(["~tdd"])`, `expect(f(1)).not.toEqual([])`},
		{`expect(f(1)).toEqual(f(1))`, `-`, `expect(f(1)).not.toEqual(f(1))`},
		{`expect(f(1)).toEqual(want)`, `expect(f(1)).toEqual(another(want))`, `expect(f(1)).not.toEqual(want)`},
		{`expect(3).toBe(f(1))`, `expect(44).toBe(f(1))`, `expect(3).not.toBe(f(1))`},
		{`expect<number>(f<A<B>>(1)).toBe(3 as number)`, `expect<number>(f<A<B>>(1)).toBe(44 as number)`, `expect<number>(f<A<B>>(1)).not.toBe(3 as number)`},
		{`expect(f(1)).toBeWithinRange(1, 9)`, `expect(f(1)).toBeWithinRange(1, 50)`, `expect(f(1)).not.toBeWithinRange(1, 9)`},
		{`expect(err).toBeNull()`, `-`, `expect(err).not.toBeNull()`},
		{`expect.soft(f(1)).toBe('a' + 'b')`, `expect.soft(f(1)).toBe('a~tdd' + 'b')`, `expect.soft(f(1)).not.toBe('a' + 'b')`},
		{`expect(f(1)).to.equal(5)`, `expect(f(1)).to.equal(46)`, `expect(f(1)).not.to.equal(5)`},
		{`expect(f(1)).to.not.equal(5)`, `-`, `expect(f(1)).to.equal(5)`},
		{`expect(f(1)).to.be.true`, `expect(f(1)).to.be.false`, `expect(f(1)).not.to.be.true`},
		{`expect(f(1)).to.be.an('array').that.has.lengthOf(3)`, `expect(f(1)).to.be.an('array').that.has.lengthOf(44)`, `expect(f(1)).not.to.be.an('array').that.has.lengthOf(3)`},
		{`expect(f(1)).to.be.at.least(3)`, `expect(f(1)).to.be.at.least(1073741827)`, `expect(f(1)).not.to.be.at.least(3)`},
		{`expect(() => f(1)).to.throw(TypeError)`, `expect(() => f(1)).to.throw(class extends Error {})`, `expect(() => f(1)).not.to.throw(TypeError)`},
		{`expect(f(1)).to.have.property('a', 5)`, `expect(f(1)).to.have.property('a', 46)`, `expect(f(1)).not.to.have.property('a', 5)`},
		{`f(1).should.equal(5)`, `f(1).should.equal(46)`, `f(1).should.not.equal(5)`},
		{`assert(f(1))`, `-`, `assert(!(f(1)))`},
		{`assert(f(1) === 5)`, `assert(f(1) === 46)`, `assert(!(f(1) === 5))`},
		{`assert.ok(f(1) > 5 && !f(2).includes('x'))`, `assert.ok(f(1) > 1073741829 && !f(2).includes('x'))`, `assert.ok(!(f(1) > 5 && !f(2).includes('x')))`},
		{`assert.equal(f(1), 5, 'message')`, `assert.equal(f(1), 46, 'message')`, `assert.notEqual(f(1), 5, 'message')`},
		{`assert.strictEqual(5, f(1))`, `assert.strictEqual(46, f(1))`, `assert.notStrictEqual(5, f(1))`},
		{`assert.deepStrictEqual(f(1), [{ a: null }])`, `assert.deepStrictEqual(f(1), [{ a: "~tdd" }])`, `assert.notDeepStrictEqual(f(1), [{ a: null }])`},
		{`assert.notStrictEqual(f(1), 5)`, `-`, `assert.strictEqual(f(1), 5)`},
		{`assert.throws(() => f(1), { message: 'bad' })`, `assert.throws(() => f(1), { message: 'bad~tdd' })`, `assert.doesNotThrow(() => f(1), { message: 'bad' })`},
		{`assert.throws(() => f(1), TypeError)`, `assert.throws(() => f(1), class extends Error {})`, `assert.doesNotThrow(() => f(1), TypeError)`},
		{`assert.throws(() => f(1), 'what is said if not')`, `-`, `assert.doesNotThrow(() => f(1), 'what is said if not')`},
		{`assert.throws(() => f(1), TypeError, 'said')`, `assert.throws(() => f(1), class extends Error {}, 'said')`, `assert.doesNotThrow(() => f(1), TypeError, 'said')`},
		{`assert.throws(() => f(1))`, `-`, `assert.doesNotThrow(() => f(1))`},
		{`await assert.rejects(f(1), /bad/)`, `await assert.rejects(f(1), /(?!)/)`, `await assert.doesNotReject(f(1), /bad/)`},
		{`assert.doesNotThrow(() => f(1))`, `-`, `assert.throws(() => f(1))`},
		{`assert.match(f(1), /x/)`, `assert.match(f(1), /(?!)/)`, `assert.doesNotMatch(f(1), /x/)`},
		{`assert.ifError(e)`, `-`, `void (() => { try { (assert.ifError(e)); } catch { return; } throw new Error('tdd: it passed'); })()`},
		{`t.assert.equal(f(1), 5)`, `t.assert.equal(f(1), 46)`, `t.assert.notEqual(f(1), 5)`},
		{`assert.deepEqual(await f(1), await f(2))`, `-`, `assert.notDeepEqual(await f(1), await f(2))`},
		{`strictEqual(f(1), 5)`, `strictEqual(f(1), 46)`, `tdd$assert.notStrictEqual(f(1), 5)`},
		{`sinon.assert.calledOnce(f)`, `-`, `void (() => { try { (sinon.assert.calledOnce(f)); } catch { return; } throw new Error('tdd: it passed'); })()`},
		{`fc.assert(fc.property(fc.integer(), (a) => f(a) === a))`, `-`, `void (() => { try { (fc.assert(fc.property(fc.integer(), (a) => f(a) === a))); } catch { return; } throw new Error('tdd: it passed'); })()`},
		{`fc.assert(fc.property(fc.integer(), (a) => { expect(f(a)).toBe(1); }))`, `fc.assert(fc.property(fc.integer(), (a) => { expect(f(a)).toBe(42); }))`, `fc.assert(fc.property(fc.integer(), (a) => { expect(f(a)).not.toBe(1); }))`},
		{`if (f(1) !== 5) throw new Error('no')`, `if (f(1) !== 46) throw new Error('no')`, `if (!(f(1) !== 5)) throw new Error('no')`},
		{`same(f(1), 5)`, `same(f(1), 46)`, `-`},
		{`expectTypeOf(f).toBeFunction()`, `-`, `-`},
		{`await checkAll(f, 'x')`, `await checkAll(f, 'x~tdd')`, `-`},
		{`for (const [a, b] of TABLE) { expect(f(a)).toBe(b); }`, `for (const [a, b] of TABLE) { expect(f(a)).toBe(another(b)); }`, `for (const [a, b] of TABLE) { expect(f(a)).not.toBe(b); }`},
		{`TABLE.forEach(([a, b, c]) => { assert.equal(f(a), c); })`, `TABLE.forEach(([a, b, c]) => { assert.equal(f(a), another(c)); })`, `TABLE.forEach(([a, b, c]) => { assert.notEqual(f(a), c); })`},
		{`for (const row of TABLE) { expect(f(row[0])).toBe(row[1]); }`, `for (const row of TABLE) { expect(f(row[0])).toBe(another(row[1])); }`, `for (const row of TABLE) { expect(f(row[0])).not.toBe(row[1]); }`},
		{`await waitFor(() => expect(f(1)).toBe(3))`, `await waitFor(() => expect(f(1)).toBe(44))`, `await waitFor(() => expect(f(1)).not.toBe(3))`},
		{`f(1).then((x) => expect(x).toBe(3))`, `f(1).then((x) => expect(x).toBe(44))`, `f(1).then((x) => expect(x).not.toBe(3))`},
		{`assert(f(1).startsWith('x'))`, `assert(f(1).startsWith('x~tdd'))`, `assert(!(f(1).startsWith('x')))`},
	} {
		if got := mirrored(c[0], func(c syntax.Check) []syntax.Edit { return c.Altered }); got != c[1] {
			t.Errorf("%s\naltered: %s\nwant:    %s", c[0], got, c[1])
		}
		if got := mirrored(c[0], func(c syntax.Check) []syntax.Edit { return c.Negated }); got != c[2] {
			t.Errorf("%s\nnegated: %s\nwant:    %s", c[0], got, c[2])
		}
	}
}

func TestChecksBelongToTests(t *testing.T) {
	t.Parallel()
	const text = `
function helper(x) { assert.equal(x, 1); }
beforeEach(() => { expect(x).toBe(1); });
describe('group', () => {
  describe.each([['one', 1]])('of %s', (name, want) => {
    it('inner', () => { expect(f()).toBe(want); });
  });
  it.each([{ a: 1, want: 2 }])('adds $a', ({ a, want }) => expect(f(a)).toBe(want));
});
test('parent', async (t) => { await t.test('sub', (t) => t.assert.ok(true)); });
for (const { title, want } of [{ title: 'x', want: 1 }]) test(title, () => { expect(f()).toBe(want); });
test(` + "`adds ${a} ` + 'b'" + `, () => helper(1));
Object.entries({ a: 1 }).forEach(([k, v]) => { it('of ' + k, () => { expect(f(k)).toBe(v); }); });
test('guarded', () => { assert.ifError(err); });
if (/x/.test('y')) { expect(1).toBe(1); }
`
	var got []string
	for _, c := range checks(text, gates.KindTest) {
		line := cmp.Or(c.Test, "helper") + " | " + text[c.At.Start:c.At.End]
		for _, e := range c.Written() {
			if e.Start < e.End {
				line += " | " + text[e.Start:e.End]
			}
		}
		if c.Guard {
			line += " | guard"
		}
		if c.Call {
			line += " | call"
		}
		got = append(got, line)
	}
	want := `
helper | assert.equal(x, 1) | 1
helper | expect(x).toBe(1) | 1
group::of %s::inner | expect(f()).toBe(want) | 1
group::adds $a | expect(f(a)).toBe(want) | 2
parent::sub | t.assert.ok(true)
${} | expect(f()).toBe(want) | 1
adds ${a} b | helper(1) | 1 | call
of ${} | expect(f(k)).toBe(v) | 1
guarded | assert.ifError(err) | guard
helper | expect(1).toBe(1) | 1`
	if "\n"+strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant%s", strings.Join(got, "\n"), want)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	const text = `#!/usr/bin/env node
import { a } from './a.js';
'use strict';
type X = 'a' | 'b';
interface Y { a: 'x'; b: 3 }
export const N = 5;
export function sum(a: number, b: Map<string, number>): number {
  if (a < 0) throw new Error('negative ' + a);
  for (let i = 0; i < 3; i++) {
    a += i
  }
  const o = { x: 1, 'y': 'z', t: true };
  return a + b.size;
}
export const twice = (x: number) => x * 2;
const ok = x > 1 && !y;
const t = x ? 'a' : 'b'; // 'c'
const el = <a href="x">text</a>;
console.log(N + 1);
return x === y
`
	var got []string
	for _, m := range page().Mutants(text) {
		got = append(got, fmt.Sprint(m.Line, " ", m.What))
	}
	const want = `
6 (5 + 1) for 5
8 !(a < 0) for a < 0
8 <= for <
8 (0 - 1) for 0
10 -= for +=
12 (1 + 1) for 1
12 ('z' + "~") for 'z'
12 false for true
13 (a + b.size + 1) for a + b.size
13 + 1 + for +
15 (x * 2 + 1) for x * 2
15 + for *
15 (2 + 1) for 2
16 !(x > 1 && !y) for x > 1 && !y
16 without x > 1
16 without !y
16 >= for >
16 (1 + 1) for 1
16 || for &&
17 ('a' + "~") for 'a'
17 ('b' + "~") for 'b'
20 !(x === y) for x === y
20 !== for ===`
	if "\n"+strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant%s", strings.Join(got, "\n"), want)
	}
}

// A clause of a condition may be missing, and a fallback may come first that should come last.
func TestMutants_clauses(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"if (a || (b && !c)) f();":             "if ((b && !c)) f(); | if (a || (!c)) f(); | if (a || (b)) f(); | if (a) f();",
		"return a.x ?? b.x ?? \"c\";":          "return b.x ?? \"c\"; | return a.x ?? \"c\"; | return b.x ?? a.x ?? \"c\"; | return a.x ?? b.x;",
		"return { a, b: a.x ?? b };":           "return { a, b: b }; | return { a, b: a.x };",
		"return a && b ? 1 : 2;":               "",
		"while (a && b) f();":                  "",
		"const ok = a.length > 1 && b.has(a);": "const ok = b.has(a); | const ok = a.length > 1;",
	} {
		content := "export function g(a, b, c) {\n" + code + "\n}\n"
		var got []string
		for _, m := range page().Mutants(content) {
			if strings.HasPrefix(m.What, "without ") || strings.Contains(m.What, "?? a.x for") {
				got = append(got, strings.Split(syntax.Apply(content, []syntax.Edit{m.Edit}), "\n")[1])
			}
		}
		if said := strings.Join(got, " | "); said != want {
			t.Errorf("%s\ngot  %s\nwant %s", code, said, want)
		}
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	const text = "function f(a) {\n  return a + 1;\n}\n"
	for other, same := range map[string]bool{
		"function f(a) { return a+1; } // one\n":                true,
		"/* f */ function f(a)\n{\n\n  return a + 1;\n}":        true,
		"function f(a) {\n  return\n  a + 1;\n}\n":              false,
		"function f(a) {\n  return a + 2;\n}\n":                 false,
		"// @ts-nocheck\nfunction f(a) {\n  return a + 1;\n}\n": false,
	} {
		if got := page().Plain(other) == page().Plain(text); got != same {
			t.Errorf("%q is the same code: %v, want %v", other, got, same)
		}
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{{ID: "test/b.test.js::x", File: "test/b.test.js"}, {ID: "test/a.test.js::y", File: "test/a.test.js"}, {ID: "test/a.test.js::z", File: "test/a.test.js"}}
	for command, want := range map[string]string{
		"node --test":                             "node --test test/a.test.js test/b.test.js",
		"node --test test lib":                    "node --test test/a.test.js test/b.test.js",
		"npx vitest run unit":                     "npx vitest run test/a.test.js test/b.test.js",
		"node --import tsx --test test/*.test.ts": "node --import tsx --test test/a.test.js test/b.test.js",
		"npx vitest run --pool forks":             "npx vitest run --pool forks test/a.test.js test/b.test.js",
		"npx jest --ci ./test":                    "npx jest --runTestsByPath --ci test/a.test.js test/b.test.js",
		"jest --shard 1":                          "",
		"vitest":                                  "",
		"npm test":                                "",
		"node test.js":                            "",
		"make test":                               "",
	} {
		if got := strings.Join(narrow(strings.Fields(command), tests), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
