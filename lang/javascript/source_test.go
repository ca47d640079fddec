package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `
import { test, it, describe } from 'node:test';
// test('not this', () => {});
const CASES = [
  [1, 2], // a row
  ['a // b', /['"]/],
];
const limit = 3;
describe('group', () => {
  it("inner isn't", async () => {
    await expect(add(1,
      2)).resolves.toBe(3);
    if (/x/.test('text')) { assert.equal(a, ` + "`b ${c}`" + `); }
  });
  test.skip('it\'s off', () => {});
});
test('parent', async (t) => { await t.test('sub', () => t.assert.ok(true)); });
it.each(CASES)('case %s', (x) => {});
`

func TestSource(t *testing.T) {
	t.Parallel()
	if got := declared(testSource); !slices.Equal(got, []string{"inner isn't", "it's off", "parent", "sub", "case %s"}) {
		t.Errorf("declared %q", got)
	}
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), `
const CASES = [[1, 2], ['a // b', /['"]/]]
const limit = 3
expect(add(1, 2)).resolves.toBe(3)
assert.equal(a, `+"`b ${c}`"+`)
test.skip
assert.ok(true)
it.each(CASES)
`)
}

func TestRunnerOf(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"node --test => ":                          "node --test",
		"npm test => vitest":                       "npm test -- --reporter=default --reporter=/r/git_tdd_vitest.mjs",
		"npm run -s test => jest":                  "npm run -s test -- --reporters=default --reporters=/r/git_tdd_jest.cjs",
		"yarn test => jest":                        "yarn test --reporters=default --reporters=/r/git_tdd_jest.cjs",
		"npx vitest run => ":                       "npx vitest run --reporter=default --reporter=/r/git_tdd_vitest.mjs",
		"npm test => node --test":                  "npm test",
		"npm run build => jest":                    "npm run build",
		"node_modules/.bin/jest -i => node --test": "node_modules/.bin/jest -i --reporters=default --reporters=/r/git_tdd_jest.cjs",
		"pnpm test -- --run => vitest":             "pnpm test -- --run --reporter=default --reporter=/r/git_tdd_vitest.mjs",
		"make test => ":                            "make test",
	} {
		argv, script, _ := strings.Cut(command, " => ")
		runner, _ := runnerOf(strings.Fields(argv), strings.Fields(script))
		if got := strings.Join(reporterArgs(strings.Fields(argv), runner, "/r"), " "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

// The arrow of a type returns nothing.
// What is written into is a parameter, and goes on being what it was.
func TestMutants_copies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"class A { rank(list: Row[], by = 'x'): Row[] { return list.sort(); } }":                               {"list.sort()"},
		"function put(out: Row) { out.x = 1; out['y'] ??= 2; }":                                                {"out.x = 1", "out['y'] ??= 2"},
		"function f(o, k) { o.rows.all.sort(); if (!o.has(k)) cache.all.set(k, 1); return cache.all.get(k); }": {"o.rows.all.sort()", "cache.all.get(k)"},
		"function f(list) { list = [...list]; list.push(1); }":                                                 nil,
		"function f(list) { other.list.push(1); if (list.x === 1) list.map(g); }":                              nil,
		"if (list) { list.push(1); }\nrows.reduce((list) => { list.push(1); return list; });\nlist.sort();":    nil,
	} {
		var got []string
		for _, m := range page().Near(text) {
			if strings.HasPrefix(m.What, "a copy of ") {
				end := m.Edit.Start + strings.IndexAny(text[m.Edit.Start:], ";")
				got = append(got, text[m.Edit.Start:end])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A part of a time is that of the world's time in a file that asks for such parts.
func TestMutants_worldTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"t.getUTCHours() + t.getDay()": "getUTCDay", "t.getHours() + t.getDay()": "getDate"} {
		var got []string
		for _, m := range page().Mutants("function f(t) { return " + text + "; }") {
			got = append(got, m.Edit.Text)
		}
		if !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
}

// What is done in any case is done only if nothing failed.
func TestMutants_lastly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"try { a(); } finally { b(); }":                            "{ a(); b(); }",
		"try { a(); } catch (e) { c(); } finally { b(); }":         " b(); } catch (e) { c(); }",
		"function f() { finally { b(); } }\nx.finally(() => b());": "",
	} {
		got := ""
		for _, m := range page().Near("function f() {\n" + text + "\n}") {
			if m.What == "only if nothing failed" {
				got += m.Edit.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestMutants_arrowTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"function lazy<T>(make: () => T, none?: () => T): () => T {\n  make();\n}\n": 0,
		"go({ key: () => name });\n":       1,
		"go(ready ? f(n) : () => name);\n": 1,
		"go(name, () => name);\n":          1,
		"function f() { return null }\n":   0, // that is told as it is
	} {
		if got := slices.DeleteFunc(page().Mutants(text), func(m syntax.Mutant) bool { return !strings.HasPrefix(m.What, "another value") }); len(got) != want {
			t.Errorf("%s: %v, want %d", text, got, want)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("`")
	f.Add("it('\\")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := page().Mask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("a mask of another length")
		}
		declared(text)
		page().Assertions(text)
		page().Plain(text)
		for _, c := range checks(text, gates.KindTest) {
			syntax.Apply(text, append(c.Altered, c.Negated...))
		}
		for _, m := range page().Mutants(text) {
			if m.Line < 1 || m.Edit.Start >= m.Edit.End || m.Edit.End > len(text) {
				t.Fatalf("a mutant of nothing: %+v", m)
			}
		}
	})
}

func FuzzExplain(f *testing.F) {
	f.Add("TypeError", "calc.sub is not a function", "", "/nowhere/test/a.test.js")
	f.Add("", "", "file:///nowhere/test/a.test.js:1\nimport x\n\nSyntaxError: The requested module './a' does not provide an export named 'b'\n    at x (node:a:1:2)\n", "test/a.test.js")
	f.Add("Error", "Cannot find module './x' imported from '/nowhere/a.js'", "", "")
	f.Fuzz(func(t *testing.T, kind, message, text, file string) {
		s := explainer{&testrun.Places{Dir: "/nowhere", Language: Language()}, "calc"}
		e := journal.Event{Message: message, Text: text, File: file, Frames: []journal.Frame{{File: file}}}
		if kind != "" {
			e.Kinds = []string{kind}
		}
		if s.explain(e).Class == gates.ClassNone {
			t.Fatal("a failure without a class")
		}
	})
}

func FuzzTypeCheck(f *testing.F) {
	f.Add("a.ts(1,2): error TS2304: Cannot find name 'x'.\n  more\nerror TS18003: No inputs\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := typeCheck{explainer: explainer{places: &testrun.Places{Dir: "/nowhere", Language: TypeScript()}}}
		for line := range strings.Lines(text) {
			c.read(strings.TrimRight(line, "\r\n"))
		}
		for _, d := range c.out {
			if d.Class == gates.ClassNone {
				t.Fatal("a complaint without a class")
			}
		}
	})
}

// Declarations of types are gone when a source runs.
func TestErased(t *testing.T) {
	t.Parallel()
	const source = "import type { A } from './a';\nexport interface Fn<T> {\n  (a: T): void;\n  extend(fn?: Fn<T>): Fn<T>;\n}\n\n" +
		"type Both<A, B> = A extends Function\n  ? B\n  : [infer C];\n\nconst type = 1;\nexport const f = (interface_: string) => type + interface_;\n"
	var got []string
	for _, s := range erased(source) {
		got = append(got, strings.Join(strings.Fields(source[s.Start:s.End]), " "))
	}
	want := []string{"export interface Fn<T> { (a: T): void; extend(fn?: Fn<T>): Fn<T>; }", "type Both<A, B> = A extends Function ? B : [infer C];"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for text, want := range map[string]string{
		"function f(a: string): Answer<string> | null { return g(a) }": ": Answer<string> | null ",
		"const f = (a: number): { b: number } => ({ b: a })":           ": { b: number } ",
		"const x = y ? f(a) : b => c":                                  "",
		"switch (x) { case f(a): { g() } }":                            "",
		"class A { get(): number; }":                                   "",
	} {
		got := ""
		for _, s := range erased(text) {
			got += text[s.Start:s.End]
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
