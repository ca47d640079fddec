package testrun

import (
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

const nodeProject = `-- package.json --
{"name": "calc", "type": "module", "scripts": {"test": "node --test"}}
-- calc.js --
export const add = (a, b) => a + b;
export const stub = () => { throw new Error('not implemented'); };
export const boom = (v) => v.x.y;
export class T {}
`

const nodeOld = "-- test/old.test.js --\nimport { test } from 'node:test';\ntest('old', () => {});\n"

const nodeOldPassed = "\ntest/old.test.js::old passed"

func nodeTest(body string) string {
	return "-- test/new.test.js --\nimport { test, describe, it, before } from 'node:test';\nimport assert from 'node:assert/strict';\n" + body
}

func nodeCases() []cargoCase {
	files := func(body string) string { return nodeProject + nodeOld + nodeTest(body) }
	return []cargoCase{
		{
			name: "all pass", outcome: gates.Passed,
			files: files("import { add } from '../calc.js';\ntest('adds two', () => assert.equal(add(1, 2), 3));\n"),
			tests: "test/new.test.js::adds two passed" + nodeOldPassed,
		},
		{
			name: "each class of failure", outcome: gates.Failed,
			files: files(`import * as calc from '../calc.js';
test('asserts', () => assert.equal(calc.add(1, 2), 4));
test('a stub', () => calc.stub());
test('a boom', () => calc.boom({}));
test('a missing function', () => calc.sub(1));
test('a missing method', () => new calc.T().norm());
test('a missing class', () => new calc.Stack());
test('a missing name', () => helper());
test('null', () => null.x);
test('throws nothing', () => { throw undefined; });
test('throws a text', () => { throw 'no'; });
test('rejects', async () => { await Promise.reject(new RangeError('late')); });
test('größe 🙂', () => {});
test('twice', () => {});
test('twice', () => {});
test.skip('skipped', () => {});
test.todo('todo');
test('limited', { timeout: 20 }, () => new Promise((done) => setTimeout(done, 5000)));
describe('group', () => {
  it('inner', () => {});
  describe('deeper', () => { it('fails', () => assert.ok(false)); });
});
describe('hooks', () => {
  before(() => { throw new RangeError('setup'); });
  it('never', () => {});
});
test('parent', async (t) => { await t.test('sub', () => assert.ok(false)); });
`),
			tests: `
test/new.test.js::a boom failed exception
test/new.test.js::a missing class failed missing-symbol
test/new.test.js::a missing function failed missing-symbol
test/new.test.js::a missing method failed missing-symbol
test/new.test.js::a missing name failed missing-symbol
test/new.test.js::a stub failed unimplemented
test/new.test.js::asserts failed assertion
test/new.test.js::group::deeper::fails failed assertion
test/new.test.js::group::inner passed
test/new.test.js::größe 🙂 passed
test/new.test.js::hooks failed exception
test/new.test.js::hooks::never failed exception
test/new.test.js::limited failed timeout
test/new.test.js::null failed exception
test/new.test.js::parent failed assertion
test/new.test.js::parent::sub failed assertion
test/new.test.js::rejects failed exception
test/new.test.js::skipped skipped
test/new.test.js::throws a text failed exception
test/new.test.js::throws nothing failed exception
test/new.test.js::todo skipped
test/new.test.js::twice passed
test/new.test.js::twice#2 passed` + nodeOldPassed,
		},
		{
			name: "a missing name of the project", outcome: gates.Broken, tests: nodeOldPassed,
			files: files("import { mul } from '../calc.js';\ntest('m', () => mul());\n"), diagnostics: "test/new.test.js missing-symbol mul",
		},
		{
			name: "a missing name, by the package's own name", outcome: gates.Broken, diagnostics: "test/new.test.js missing-symbol mul",
			files: "-- package.json --\n{\"name\": \"calc\", \"type\": \"module\", \"exports\": \"./calc.js\"}\n-- calc.js --\nexport {};\n" +
				nodeTest("import { mul } from 'calc';\ntest('m', () => mul());\n"),
		},
		{
			name: "a missing module of the project", outcome: gates.Broken, tests: nodeOldPassed,
			files: files("import { parse } from '../src/parser.js';\ntest('m', () => parse());\n"), diagnostics: "test/new.test.js missing-symbol parser",
		},
		{
			name: "a missing module, required", outcome: gates.Broken,
			files: "-- package.json --\n{\"scripts\": {\"test\": \"node --test\"}}\n-- test/new.test.js --\nrequire('../src/parser');\n", diagnostics: "test/new.test.js missing-symbol parser",
		},
		{
			name: "a foreign module", outcome: gates.Crashed, tests: nodeOldPassed,
			files: files("import x from 'left-pad';\ntest('m', () => x());\n"), diagnostics: "test/new.test.js infra",
		},
		{
			name: "a name that production code misses", outcome: gates.Broken, tests: nodeOldPassed,
			files: nodeProject + "-- other.js --\nimport { nothing } from './calc.js';\nexport const x = nothing;\n" + nodeOld +
				nodeTest("import { x } from '../other.js';\ntest('m', () => x());\n"), diagnostics: "other.js compile",
		},
		{
			name: "syntax", outcome: gates.Broken, tests: nodeOldPassed,
			files: files("test('m', () => {\n"), diagnostics: "test/new.test.js syntax",
		},
		{
			name: "an exception while loading", outcome: gates.Broken, tests: nodeOldPassed,
			files: files("throw new RangeError('no');\n"), diagnostics: "test/new.test.js exception",
		},
		{name: "no tests", outcome: gates.Empty, files: nodeProject, diagnostics: "no-tests"},
		{name: "a file without tests", outcome: gates.Empty, files: nodeProject + "-- test/new.test.js --\n1;\n", diagnostics: "no-tests"},
		{
			name: "a filter that matches nothing", outcome: gates.Empty, files: files("test('m', () => {});\n"),
			argv: []string{"node", "--test", "--test-name-pattern=zzz"}, diagnostics: "no-tests",
			tests: "test/new.test.js::m skipped\ntest/old.test.js::old skipped",
		},
		{
			name: "process.exit(0) in a test", outcome: gates.Crashed, diagnostics: "crash", tests: nodeOldPassed,
			files: files("test('m', () => {});\ntest('x', () => process.exit(0));\ntest('never', () => assert.ok(false));\n"),
		},
		{
			name: "process.exit(0) while loading", outcome: gates.Crashed, diagnostics: "crash", tests: nodeOldPassed,
			files: files("process.exit(0);\n"),
		},
		{
			name: "a killed process", outcome: gates.Crashed, diagnostics: "crash\ntest/new.test.js exception", tests: nodeOldPassed,
			files: files("test('m', () => process.kill(process.pid, 'SIGKILL'));\n"),
		},
		{
			name: "output that imitates", outcome: gates.Failed, tests: "test/new.test.js::m failed assertion" + nodeOldPassed,
			files: files("test('m', () => { console.log('\\n✔ m (0.1ms)\\nℹ fail 0'); assert.ok(false); });\n"),
		},
		{
			name: "a runner that the project patched", outcome: gates.Crashed, diagnostics: "crash", tests: "test/new.test.js::m passed" + nodeOldPassed,
			files: nodeProject + nodeOld + "-- bad.js --\nimport assert from 'node:assert/strict';\nassert.equal = () => {};\n" +
				nodeTest("import '../bad.js';\ntest('m', () => assert.equal(1, 2));\n"),
		},
		{
			name: "a test that deletes its report and leaves", outcome: gates.Crashed, diagnostics: "crash", tests: nodeOldPassed,
			files: files("import fs from 'node:fs';\ntest('m', () => {\n  const dir = process.env.TMPDIR + '/../reports/journal/';\n" +
				"  for (const f of fs.readdirSync(dir)) if (f.startsWith(process.pid + '-')) fs.rmSync(dir + f);\n  process.exit(0);\n});\n"),
		},
		{
			name: "a test that deletes all reports and leaves", outcome: gates.Crashed, diagnostics: "crash",
			argv:  []string{"sh", "-c", "node --test"},
			files: nodeProject + nodeTest("import fs from 'node:fs';\ntest('m', () => {\n  fs.rmSync(process.env.TMPDIR + '/../reports/journal', { recursive: true });\n  process.exit(0);\n});\n"),
		},
		{
			name: "what a test starts is not reported", outcome: gates.Passed, tests: "test/new.test.js::m passed" + nodeOldPassed,
			files: files("import { spawnSync } from 'node:child_process';\ntest('m', () => {\n" +
				"  const env = { ...process.env }; delete env.NODE_TEST_CONTEXT;\n" +
				"  const run = spawnSync(process.execPath, ['-e', \"require('node:test').test('in', () => { throw 1; })\"], { env });\n" +
				"  assert.equal(run.status, 1);\n});\n"),
		},
		{
			name: "npm", outcome: gates.Failed, argv: []string{"npm", "test"}, tests: "test/new.test.js::m failed assertion" + nodeOldPassed,
			files: files("test('m', () => assert.ok(false));\n"),
		},
		{
			name: "make", outcome: gates.Failed, argv: []string{"sh", "-c", "echo testing; node --test || true"},
			files: files("test('m', () => assert.ok(false));\n"), tests: "test/new.test.js::m failed assertion" + nodeOldPassed,
		},
		{name: "something else", outcome: gates.Passed, argv: []string{"node", "-e", "1"}, files: nodeProject},
	}
}

func TestNode(t *testing.T) {
	t.Parallel()
	need(t, "node")
	for _, c := range nodeCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "javascript", c.files)
			req.Commands.Test = []string{"node", "--test"}
			if c.argv != nil {
				need(t, c.argv[0])
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}

func TestNodeTimeoutNamesTheTest(t *testing.T) {
	t.Parallel()
	need(t, "node")
	req := project(t, "javascript", nodeProject+nodeTest("test('fine', () => {});\ntest('hangs', async () => { setInterval(() => {}, 1000); await new Promise(() => {}); });\n"))
	req.Commands.Test = []string{"node", "--test"}
	req.Commands.Timeout = 5 * time.Second
	got := measure(t, req)
	text := ""
	for _, d := range got.Facts.Diagnostics {
		text += d.Message + "\n"
	}
	if got.Facts.Outcome != gates.Timeout || !strings.Contains(text, "hangs") {
		t.Errorf("%s: %s", got.Facts.Outcome, text)
	}
}
