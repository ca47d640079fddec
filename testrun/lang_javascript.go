package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// javascriptLanguage is JavaScript with node's own test runner, Vitest or Jest.
func javascriptLanguage() Language {
	return Language{
		Name:         "javascript",
		Markers:      []string{"package.json"},
		Defaults:     Commands{Test: []string{"npm", "test"}},
		Tools:        [][]string{{"node", "--version"}, {"npm", "--version"}},
		VersionFiles: []string{".nvmrc", ".node-version", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"},
		Link:         []string{"node_modules"},
		Rules:        scriptRules(),
		syntax:       syntax{declared: jsDeclared, assertions: jsAssertions},
		test:         readScriptTest,
		cover:        coverScript,
	}
}

// typescriptLanguage is TypeScript with the same runners, and its compiler as
// the check: the runners themselves do not look at types.
func typescriptLanguage() Language {
	l := javascriptLanguage()
	l.Name, l.Markers = "typescript", []string{"tsconfig.json"}
	l.Defaults.Check = []string{"npx", "--no-install", "tsc", "--noEmit", "--pretty", "false"}
	l.check = readTypeCheck
	return l
}

// scriptRules say what a path is for in JavaScript and TypeScript.
func scriptRules() []Rule {
	return slices.Concat(
		sharedSupport(),
		rules(gates.KindSupport, "**/__mocks__/**", "**/{jest,vitest,test}.setup.*", "**/setupTests.*", "**/node_modules/**"),
		rules(gates.KindConfig,
			"**/package.json", "**/package-lock.json", "**/npm-shrinkwrap.json", "**/pnpm-*.yaml", "**/yarn.lock", "**/.npmrc", "**/.yarnrc*",
			"**/{ts,js}config*.json", "**/*.config.{js,cjs,mjs,ts,cts,mts,json}", "**/.babelrc*", "**/.{eslint,prettier,swc,mocha}rc*",
			"**/.nvmrc", "**/.node-version", "**/Makefile"),
		rules(gates.KindTest,
			"**/*{.,-,_}{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/test-*.{js,mjs,cjs,ts,mts,cts}", "**/test.{js,mjs,cjs,ts,mts,cts}",
			"**/__tests__/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/test/**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"),
		rules(gates.KindSupport, "**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "**/e2e/**"),
		rules(gates.KindSource, "**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,css,html,json}"),
		sharedOther(),
	)
}
