package testrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// withModules links a node_modules folder that has the package, or skips:
// TDD_NODE_MODULES names one.
func withModules(t *testing.T, req Request, pkg string) {
	t.Helper()
	modules := os.Getenv("TDD_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, pkg, "package.json")); modules == "" || err != nil {
		t.Skipf("TDD_NODE_MODULES names no folder with %s", pkg)
	}
	if err := os.Symlink(modules, filepath.Join(req.Dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}

func vitestCases() []cargoCase {
	const manifest = "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"vitest run\"}}\n"
	const calc = "-- src/calc.ts --\nexport const add = (a: number, b: number) => a + b;\nexport const stub = () => { throw new Error('not implemented'); };\n"
	const old = "-- test/old.test.ts --\nimport { test } from 'vitest';\ntest('old', () => {});\n"
	const passed = "\ntest/old.test.ts::old passed"
	files := func(body string) string {
		return manifest + calc + old + "-- test/new.test.ts --\nimport { test, it, describe, expect, beforeAll } from 'vitest';\nimport * as calc from '../src/calc';\n" + body
	}
	return []cargoCase{
		{name: "all pass", outcome: gates.Passed, files: files("test('a', () => expect(calc.add(1, 2)).toBe(3));\n"), tests: "test/new.test.ts::a passed" + passed},
		{
			name: "each class of failure", outcome: gates.Failed,
			files: files(`
test('asserts', () => { expect(calc.add(1, 2)).toBe(4); });
test('a missing function', () => { (calc as any).sub(1); });
test('a stub', () => { calc.stub(); });
test('a boom', () => { (null as any).x; });
test.skip('skipped', () => {});
test.each([1, 2])('case %i', (x) => { expect(x).toBe(1); });
test('slow', async () => { await new Promise(() => {}); }, 30);
describe('group', () => { it('inner', () => {}); });
describe('hooks', () => { beforeAll(() => { throw new RangeError('no'); }); it('never', () => {}); });
`),
			tests: `
test/new.test.ts::a boom failed exception
test/new.test.ts::a missing function failed missing-symbol
test/new.test.ts::a stub failed unimplemented
test/new.test.ts::asserts failed assertion
test/new.test.ts::case 1 passed
test/new.test.ts::case 2 failed assertion
test/new.test.ts::group::inner passed
test/new.test.ts::hooks::never failed exception
test/new.test.ts::skipped skipped
test/new.test.ts::slow failed timeout` + passed,
		},
		{
			name: "a missing module", outcome: gates.Broken, diagnostics: "test/new.test.ts missing-symbol parser", tests: passed,
			files: files("import { parse } from '../src/parser';\ntest('a', () => parse());\n"),
		},
		{
			name: "a foreign module", outcome: gates.Crashed, diagnostics: "test/new.test.ts infra", tests: passed,
			files: files("import { parse } from 'no-such-package';\ntest('a', () => parse());\n"),
		},
		{name: "syntax", outcome: gates.Broken, diagnostics: "test/new.test.ts syntax", tests: passed, files: files("test('a', () => {\n")},
		{name: "an exception while loading", outcome: gates.Broken, diagnostics: "test/new.test.ts exception", tests: passed, files: files("throw new RangeError('no');\n")},
		{name: "no tests", outcome: gates.Empty, diagnostics: "no-tests", files: manifest + calc},
		{name: "a filter", outcome: gates.Empty, diagnostics: "no-tests", argv: []string{"npx", "vitest", "run", "-t", "zzz"}, files: files("test('a', () => {});\n"), tests: "test/new.test.ts::a skipped\ntest/old.test.ts::old skipped"},
		{name: "process.exit", outcome: gates.Failed, files: files("test('a', () => { process.exit(0); });\n"), tests: "test/new.test.ts::a failed exception" + passed},
		{name: "an unhandled rejection", outcome: gates.Broken, diagnostics: "test/new.test.ts exception", files: files("test('a', () => { Promise.reject(new Error('late')); });\n"), tests: "test/new.test.ts::a passed" + passed},
		{name: "imitation", outcome: gates.Failed, files: files("test('a', () => { console.log('Tests 2 passed'); expect(1).toBe(2); });\n"), tests: "test/new.test.ts::a failed assertion" + passed},
		{name: "direct", outcome: gates.Failed, argv: []string{"node_modules/.bin/vitest", "run"}, files: files("test('a', () => { expect(1).toBe(2); });\n"), tests: "test/new.test.ts::a failed assertion" + passed},
	}
}

func TestVitest(t *testing.T) {
	t.Parallel()
	need(t, "npm")
	for _, c := range vitestCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "typescript", c.files)
			withModules(t, req, "vitest")
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}

func jestCases() []cargoCase {
	const manifest = "-- package.json --\n{\"scripts\": {\"test\": \"jest\"}, \"jest\": {\"haste\": {\"enableSymlinks\": false}}}\n"
	const calc = "-- calc.js --\nexports.add = (a, b) => a + b;\nexports.stub = () => { throw new Error('not implemented'); };\n"
	const old = "-- test/old.test.js --\ntest('old', () => {});\n"
	const passed = "\ntest/old.test.js::old passed"
	files := func(body string) string {
		return manifest + calc + old + "-- test/new.test.js --\nconst calc = require('../calc');\n" + body
	}
	return []cargoCase{
		{name: "all pass", outcome: gates.Passed, files: files("test('a', () => expect(calc.add(1, 2)).toBe(3));\n"), tests: "test/new.test.js::a passed" + passed},
		{
			name: "each class of failure", outcome: gates.Failed,
			files: files(`
test('asserts', () => { expect(calc.add(1, 2)).toBe(4); });
test('node asserts', () => { require('assert').equal(1, 2); });
test('a missing function', () => { calc.sub(1); });
test('a missing name', () => { helper(); });
test('a stub', () => { calc.stub(); });
test('a boom', () => { null.x; });
test.skip('skipped', () => {});
test.todo('todo');
test.each([1, 2])('case %i', (x) => { expect(x).toBe(1); });
test('slow', async () => { await new Promise(() => {}); }, 30);
describe('group', () => { it('inner', () => {}); });
describe('hooks', () => { beforeAll(() => { throw new RangeError('no'); }); it('never', () => {}); });
`),
			tests: `
test/new.test.js::a boom failed exception
test/new.test.js::a missing function failed missing-symbol
test/new.test.js::a missing name failed missing-symbol
test/new.test.js::a stub failed unimplemented
test/new.test.js::asserts failed assertion
test/new.test.js::case 1 passed
test/new.test.js::case 2 failed assertion
test/new.test.js::group::inner passed
test/new.test.js::hooks::never failed exception
test/new.test.js::node asserts failed assertion
test/new.test.js::skipped skipped
test/new.test.js::slow failed timeout
test/new.test.js::todo skipped` + passed,
		},
		{
			name: "a missing module", outcome: gates.Broken, diagnostics: "test/new.test.js missing-symbol parser", tests: passed,
			files: files("const { parse } = require('../src/parser');\ntest('a', () => parse());\n"),
		},
		{
			name: "a foreign module", outcome: gates.Crashed, diagnostics: "test/new.test.js infra", tests: passed,
			files: files("require('no-such-package');\n"),
		},
		{name: "syntax", outcome: gates.Broken, diagnostics: "test/new.test.js syntax", tests: passed, files: files("test('a', () => {\n")},
		{name: "an exception while loading", outcome: gates.Broken, diagnostics: "test/new.test.js exception", tests: passed, files: files("throw new RangeError('no');\n")},
		{name: "no tests", outcome: gates.Empty, diagnostics: "no-tests", files: manifest + calc},
		{name: "a filter", outcome: gates.Empty, diagnostics: "no-tests", argv: []string{"npx", "jest", "-t", "zzz"}, files: files("test('a', () => {});\n"), tests: "test/new.test.js::a skipped\ntest/old.test.js::old skipped"},
		{name: "process.exit", outcome: gates.Crashed, diagnostics: "crash\ncrash", argv: []string{"npx", "jest", "-i", "test/new.test.js"}, files: files("test('a', () => { process.exit(0); });\n")},
		{name: "imitation", outcome: gates.Failed, files: files("test('a', () => { console.log('Tests: 2 passed, 2 total'); expect(1).toBe(2); });\n"), tests: "test/new.test.js::a failed assertion" + passed},
		{name: "unicode", outcome: gates.Passed, files: files("test('größe 🙂', () => {});\ntest('größe 🙂', () => {});\n"), tests: "test/new.test.js::größe 🙂 passed\ntest/new.test.js::größe 🙂#2 passed" + passed},
		{name: "direct", outcome: gates.Failed, argv: []string{"node_modules/.bin/jest"}, files: files("test('a', () => { expect(1).toBe(2); });\n"), tests: "test/new.test.js::a failed assertion" + passed},
	}
}

func TestJest(t *testing.T) {
	t.Parallel()
	need(t, "npm")
	for _, c := range jestCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "javascript", c.files)
			withModules(t, req, "jest")
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}

func TestTypeCheck(t *testing.T) {
	t.Parallel()
	need(t, "npm")
	req := project(t, "typescript", `
-- package.json --
{"type": "module"}
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "nodenext", "target": "es2022", "types": []}, "include": ["src", "test"]}
-- src/calc.ts --
export const add = (a: number, b: number): number => a + b;
export class T {}
-- test/new.test.ts --
import { add, mul } from '../src/calc.js';
import { parse } from '../src/parser.js';
import { T } from '../src/calc.js';
new T().norm();
helper();
add('x', 1);
export { mul, parse };
-- src/bad.ts --
export const x = nothing;
`)
	withModules(t, req, "typescript")
	req.Commands.Check, req.Commands.Test = req.Language.Defaults.Check, []string{"true"}
	got := measure(t, req)
	if got.Facts.Check != gates.Broken {
		t.Errorf("check %s", got.Facts.Check)
	}
	want(t, "diagnostics", diagnostics(got.Facts.CheckDiagnostics), `
src/bad.ts compile
test/new.test.ts compile
test/new.test.ts missing-symbol helper
test/new.test.ts missing-symbol mul
test/new.test.ts missing-symbol norm
test/new.test.ts missing-symbol parser
`)
	write(t, req.Dir, "-- test/new.test.ts --\nexport const x = 1;\n-- src/bad.ts --\nexport const y = 1;\n")
	if got := measure(t, req); got.Facts.Check != gates.Passed {
		t.Errorf("check %s: %v", got.Facts.Check, got.Facts.CheckDiagnostics)
	}
}
