package javascript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// covered has functions that are reached in part, files that no test loads,
// and what is no source.
const covered = `
-- src/calc.js --
// Sums, ünd 𝒻𝓊𝓃.
import { twice } from './twice.js';

export function sum(a, b) {
  const text = ` + "`{" + `
  not code ${a}
  ` + "`" + `;
  if (a > 100) {

    return Math.max(
      a,
      b,
    );
  } else if (a === 99) return 99;
  return twice(a) - a + b + text.length * 0;
}

export const once = (a) => a;

export const never = () => 7;
-- src/twice.js --
export function twice(a) {
  /* two
     lines */
  return a * 2
}
-- src/alone.js --
export class Alone {
  alone() {
    return 1;
  }
}
-- dist/.keep --
-- test/helper.js --
export const unused = () => 1;
`

func TestNodeCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "npm", "node")
	const manifest = "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n"
	const body = `
import test from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/calc.js';
test('sum', () => assert.equal(sum(1, 2), 3));
`
	req := projecttest.Project(t, Language(), manifest+covered+"-- test/calc.test.js --"+body+
		"-- test/once.test.js --\nimport test from 'node:test';\nimport { once } from '../src/calc.js';\ntest('once', () => { once(1); });\n")
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "test/calc.test.js::sum passed\ntest/once.test.js::once passed")
	expected := "src/alone.js 0/3\nsrc/calc.js 6/8\nsrc/twice.js 2/2"
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), expected)
	req.Commands.Test = []string{"sh", "-c", "node --test"}
	projecttest.Want(t, "by a script", projecttest.Coverage(projecttest.Cover(t, req).Facts), expected)
	projecttest.Write(t, req.Dir, "-- src/twice.js --\nexport function twice(a) { return a * 2 }\n//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQUEifQ==\n")
	projecttest.Want(t, "compiled", projecttest.Coverage(projecttest.Cover(t, req).Facts), "unknown: what ran was not src/twice.js itself but what a compiler made of it")
	req.Commands.Test = []string{"true"}
	projecttest.Want(t, "no node", projecttest.Coverage(projecttest.Cover(t, req).Facts),
		"unknown: for this runner it is measured where node runs files of the project, and it ran none, or not to its end")
}

func TestJestCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "npm")
	req := projecttest.Project(t, Language(), "-- package.json --\n{\"scripts\": {\"test\": \"jest\"}, \"jest\": {\"coverageThreshold\": {\"global\": {\"lines\": 100}}}}\n"+
		strings.NewReplacer("import { twice } from './twice.js'", "const { twice } = require('./twice.js')", "export function", "exports.sum = exports.twice = function",
			"export const", "exports.more =", "export class", "exports.Alone = class").Replace(covered)+
		"-- test/calc.test.js --\nconst { sum } = require('../src/calc.js');\ntest('sum', () => expect(sum(1, 2)).toBe(3));\n")
	withModules(t, req, "jest")
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "test/calc.test.js::sum passed")
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), "src/alone.js 0/2\nsrc/calc.js 8/9\nsrc/twice.js 2/2")
}

func TestVitestCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "npm")
	req := projecttest.Project(t, TypeScript(), "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"vitest run\"}}\n-- tsconfig.json --\n{}\n"+
		"-- src/types.ts --\nexport interface A { a: number }\nexport const f = (a: A): number => {\n  return a.a;\n};\nexport const g = (): number => {\n  return 1;\n};\n"+
		"-- src/alone.ts --\nexport const h = (): number => {\n  return 1;\n};\n"+
		"-- test/f.test.ts --\nimport { test, expect } from 'vitest';\nimport { f } from '../src/types';\ntest('f', () => expect(f({ a: 1 })).toBe(1));\n")
	withModules(t, req, "vitest")
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "test/f.test.ts::f passed")
	if why := got.Facts.Coverage.Unknown; strings.Contains(why, "@vitest/coverage-v8") {
		gittest.Missing(t, "@vitest/coverage-v8")
	}
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), "src/alone.ts 0/2\nsrc/types.ts 3/4")
}

func TestStatements(t *testing.T) {
	t.Parallel()
	const text = "// a\n" + // 1
		"const x = `\n;{ a\n`\n" + // 2
		"const y = {\n  a: 1,\n  b: 2,\n}\n" + // 5
		"foo(() => {\n  bar(\n    1,\n  )\n    .baz()\n})\n" + // 9
		"if (a\n  && b)\n  c()\n" + // 15
		"switch (a) {\n  case '{':\n    d()\n}\n" + // 18
		"export default x\n"
	got := statements(text)
	begins := map[int]bool{2: true, 5: true, 6: true, 9: true, 10: true, 15: true, 17: true, 18: true, 19: true, 20: true, 22: true}
	for n, line := range strings.Split(text, "\n") {
		if got[n+1] != begins[n+1] {
			t.Errorf("line %d begins a statement: %v: %q", n+1, got[n+1], line)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("const a = () => {\n  b()\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		t.Parallel()
		for line := range statements(text) {
			if line < 1 || line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d", line)
			}
		}
	})
}

// withModules links a node_modules folder that has the package, or skips:
// TDD_NODE_MODULES names one.
func withModules(t *testing.T, req testrun.Request, pkg string) {
	t.Helper()
	modules := os.Getenv("TDD_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, pkg, "package.json")); modules == "" || err != nil {
		gittest.Missing(t, "a folder TDD_NODE_MODULES that holds "+pkg)
	}
	if err := os.Symlink(modules, filepath.Join(req.Dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}
