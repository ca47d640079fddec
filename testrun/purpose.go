package testrun

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Rules are those of a language: what is shared by all comes before its own. What no rule
// names is neither code nor tests, so [SharedOther] is for what one of them would name.
func Rules(own ...[]Rule) []Rule {
	return slices.Concat(
		// How a project is built and run, and with what: the program that runs the tests may be one of its packages.
		PathRules(gates.KindConfig,
			"vendor/**", "venv/**", "**/node_modules/**", "**/.{venv,tox,nox,hatch,bundle}/**", "**/*.{egg,dist}-info/**", ".config/**",
			"**/{,.}[jJ][uU][sS][tT][fF][iI][lL][eE]", "**/[tT]askfile{,.dist}.{yml,yaml}", "**/{GNUm,m,M}akefile"),
		// Test data, or what helps tests.
		PathRules(gates.KindSupport,
			"**/testdata/**", "**/fixtures/**", "**/__fixtures__/**", "**/__snapshots__/**", "**/golden/**", "**/__mocks__/**",
			"**/*.snap", "**/*.snap.new", "**/*.golden", "**/*.feature", "**/features/{steps,step_definitions,support}/**",
			"**/test{,_,-}{util,utils,helper,helpers,support}/**", "**/test{,_,-}{util,utils,helper,helpers,support}.*"),
		slices.Concat(own...))
}

// Shadows are the rules for modules that would take the place of a runner's own, in a
// project that has no such module: one that has is the runner, or a part of it.
func Shadows(extension string, modules ...string) []Rule {
	return gates.Each(modules, func(m string) Rule {
		return Rule{Pattern: "{,src/,lib/}{" + m + extension + "," + m + "/**}", Kind: gates.KindConfig, shadows: m, extension: extension}
	})
}

// isShadowed reports whether a path is that of a source of the module that a rule is for.
func (r Rule) isShadowed(name string) bool {
	for _, dir := range []string{"src/", "lib/"} {
		name = strings.TrimPrefix(name, dir)
	}
	rest, ok := strings.CutPrefix(name, r.shadows)
	return ok && r.shadows != "" && (rest == r.extension || strings.HasPrefix(rest, "/") && strings.HasSuffix(rest, r.extension))
}

// suggestive are names that often, not always, mean test support.
func suggestive() []string {
	return []string{
		"factories", "mock", "mocks", "fake", "fakes", "stubs", "check", "checks", "testing", "testkit", "testlib", "asserts", "assertions",
		"matchers", "expectations", "harness", "helpers", "steps", "samples", "cases", "expected",
	}
}

// Unsettled reports whether the path of a file leaves open what it is for, and the word by
// which other files would mention it: code may go by a name that suggests test support.
func (l Language) Unsettled(file string) (word string, open bool) {
	base := path.Base(file)
	stem, _, _ := strings.Cut(base, ".")
	dir := path.Base(path.Dir(file))
	switch kind := l.Kind(file); {
	case kind == gates.KindOther:
		return base, stem != ""
	case kind != gates.KindSource:
		return "", false
	case Data(base):
		return base, true
	case slices.Contains(suggestive(), strings.ToLower(stem)):
		return stem, true
	case slices.Contains(suggestive(), strings.ToLower(dir)):
		return dir, true
	}
	return "", false
}

// Data reports whether a file's name says that it holds data, for tests or for sources.
func Data(base string) bool {
	return slices.Contains([]string{
		".json", ".jsonl", ".html", ".yaml", ".yml", ".csv", ".tsv", ".xml", ".txt", ".txtar", ".toml", ".dat", ".in", ".out", ".expected", ".sql",
	}, strings.ToLower(path.Ext(base)))
}

// MaySupport reports whether a file whose purpose is open is test support if only tests mention
// it. One that no rule knows, and that is no data, may be what is tested.
func (l Language) MaySupport(file string) bool {
	return l.Kind(file) == gates.KindSource || Data(path.Base(file))
}
