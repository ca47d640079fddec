package javascript

import (
	"embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are what writes the journal from inside each runner, and an empty project.
//
//go:embed reporters all:scaffold
var files embed.FS

// Language is JavaScript with node's own test runner, Vitest or Jest.
func Language() testrun.Language {
	return testrun.Language{
		Name:         "javascript",
		Markers:      []string{"package.json"},
		Defaults:     testrun.Commands{Test: []string{"npm", "test"}},
		Tools:        [][]string{{"node", "--version"}, {"npm", "--version"}},
		VersionFiles: []string{".nvmrc", ".node-version", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"},
		Link:         []string{"node_modules"},
		Idiom:        `test("name", () => …) of the project's own runner; assert.strictEqual(actual, expected) with node:test, expect(actual).toBe(expected) with Vitest and Jest, t.is(actual, expected) with AVA; stay with the module system of package.json; with ES modules write import * as name, so that a missing function fails one test and not the file.`,
		Stub:         `throw new Error("not implemented")`,
		Raises:       "throws an error",
		Scaffold:     scaffold.Template{Files: files, Root: "scaffold/javascript", Join: "-"},
		Rules:        rules(),
		Installation: testrun.Installation{
			Inherits: []string{"NODE_PATH"}, Records: []string{".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml"},
			LeadsBack: leadsBack,
			Caches:    testrun.FoldersOf("~/.npm", "~/.cache/node", "~/.cache/yarn", "~/.yarn"),
			Sees: testrun.FoldersOf("$NODE_PATH", "~/.nvm", "~/.volta", "~/.bun", "~/.deno", "~/.local/share/fnm", "~/.local/share/pnpm",
				"~/.cache/ms-playwright", "~/.cache/puppeteer", "~/.cache/Cypress"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\b(?:Object|Array|String|Number|Boolean|Function|Promise|Map|Set|RegExp|Error|Symbol|Date|Math|JSON|Reflect)(?:\.prototype)?\.\w+\s*=[^=]|\bObject\.define(?:Property|Properties)\(\s*(?:Object|Array|String|Number|Function|globalThis|global)\b|\b(?:globalThis|global)\.(?:expect|assert|describe|it|test|jest|vi|process|Object|Array|Date|Math|JSON|console)\b|(?:require\(|\bfrom\s+|\bimport\s*\(?\s*)['"](?:node:)?(?:assert|test|vitest|@jest/globals|chai)(?:/\w+)?['"]|\bNODE_ENV\b.*\btest\b|\bimport\.meta\.vitest\b|\.captureStackTrace\(|new Error\([^)]*\)\.stack|\bprocess\.(?:reallyExit|abort|kill|binding|execArgv|ppid|mainModule)\b|\brequire\.(?:main|cache)\b|\bmodule\.parent\b|\barguments\.callee\b|\btypeof\s+(?:jest|describe|it|test|expect|vi)\b`),
			Helps:   lazyregexp.New(`(?m)(?:require\(\s*|\bfrom\s+|^import\s+)['"](?:node:test|vitest|@jest/globals|chai|mocha|ava|tap|tape|sinon|@testing-library/[^'"]+)['"]`),
			Leaves:  lazyregexp.New(`\bprocess\.(?:exit|exitCode|argv|argv0)\b`),
			Program: lazyregexp.New(`^#!|\brequire\.main\s*===?\s*module\b|\bparseArgs\b|\bimport\.meta\.main\b`),
		},
		Syntax: testrun.Syntax{Declared: declared, Assertions: page().Assertions, Checks: checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain, Erased: erased},
		Narrow: narrow,
		Uses:   uses,
		Test:   readTest,
		Cover:  cover,
		Installs: []testrun.Install{
			{Has: []string{"pnpm-lock.yaml"}, Run: `pnpm install --frozen-lockfile`},
			{Has: []string{"yarn.lock"}, Run: `yarn install`},
			{Has: []string{"bun.lock{,b}"}, Run: `bun install`},
			{Has: []string{"package-lock.json"}, Run: `npm ci`},
			{Has: []string{"package.json"}, Run: `npm install`},
		},
		Choose: choose,
		Covers: covers,
		Needs:  needs,
	}
}

// TypeScript is TypeScript with the same runners, and its compiler as the check:
// the runners themselves do not look at types.
func TypeScript() testrun.Language {
	l := Language()
	l.Name, l.Markers, l.Beside = "typescript", []string{"tsconfig.json"}, "package.json"
	l.Defaults.Check = []string{"npx", "--no-install", "tsc", "--noEmit", "--pretty", "false"}
	l.Scaffold = scaffold.Template{Files: files, Root: "scaffold/typescript", Join: "-", Install: "npm install"}
	l.Idiom = `test("name", () => …) of the project's own runner; expect(actual).toBe(expected) with Vitest and Jest, assert.strictEqual(actual, expected) with node:test, t.is(actual, expected) with AVA; the compiler checks tests too: give types where they are not inferred, no any and no @ts-ignore.`
	l.Check = readTypeCheck
	return l
}

// rules say what a path is for in JavaScript and TypeScript.
func rules() []testrun.Rule {
	return testrun.Rules(
		testrun.PathRules(gates.KindSupport, "**/{jest,vitest,test,mocha}{.,-}setup.*", "**/setupTests.*"),
		testrun.PathRules(gates.KindConfig,
			"**/package.json", "**/package-lock.json", "**/npm-shrinkwrap.json", "**/pnpm-*.yaml", "**/yarn.lock",
			"**/{ts,js}config*.json", "**/*.config.{js,cjs,mjs,ts,cts,mts,json}", "**/.*rc{,.*}", "**/.node-version"),
		testrun.PathRules(gates.KindTest,
			"**/*{.,-,_}{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/test-*.{js,mjs,cjs,ts,mts,cts}", "**/test.{js,mjs,cjs,ts,mts,cts}",
			"**/__tests__/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/test/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"),
		testrun.PathRules(gates.KindSupport, "**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "**/e2e/**"),
		testrun.PathRules(gates.KindSource, "**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,css,html,json}"),
	)
}

// leadsBack finds a link to a part of the project, as workspaces have them, in a folder
// of modules.
func leadsBack(modules, project string) string {
	inside := func(name, folder string) bool { return strings.HasPrefix(name, folder+string(filepath.Separator)) }
	for _, name := range wholefile.Matching(modules, "*", "@*/*") {
		fi, missing := os.Lstat(name)
		to, err := filepath.EvalSymlinks(name)
		if missing == nil && err == nil && fi.Mode()&os.ModeSymlink != 0 && inside(to, project) && !inside(to, modules) {
			return name
		}
	}
	return ""
}
