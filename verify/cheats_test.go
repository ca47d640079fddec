package verify_test

import (
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
)

func cheatingGreens(h honest) []cheat {
	after := func(name, tests string, tree files, gate, seen string) cheat {
		return cheat{name: "green " + name, parents: []gitx.ID{h.red}, message: green("feat: sum", tests), tree: tree, gate: gate, seen: seen}
	}
	weak := calc(sumZero, testZero+testSum)
	good := calc(sum, testZero+testSum)
	text := weak["calc_test.go"]
	edit := func(old, now string) files {
		return weak.With(files{"calc_test.go": strings.Replace(text, old, now, 1)})
	}
	const all = "2 passed, 0 failed"
	return []cheat{
		after("weakens the test", all, edit("got != 3", "got < 0"), "scope", "changes a test"),
		after("deletes the test", "1 passed, 0 failed", calc(sumZero, testZero), "scope", "changes a test"),
		after("ignores the test", "1 passed, 0 failed, 1 skipped", edit("if got := Sum(1", "t.Skip()\n\tif got := Sum(1"), "scope", "changes a test"),
		after("returns before the assertion", all, edit("if got := Sum(1", "return\n\tif got := Sum(1"), "scope", "changes a test"),
		after("makes the assertion vacuous", all, edit("got != 3", "got != 3 && false"), "scope", "changes a test"),
		after("comments the test out", "1 passed, 0 failed", edit(testSum, strings.ReplaceAll(testSum, "\n", "\n// ")), "scope", "changes a test"),
		after("puts the tests behind a build tag", "0 passed, 0 failed", weak.With(files{"calc_test.go": "//go:build never\n\n" + text}), "scope", "changes a test"),
		after("renames the test file away", "0 passed, 0 failed", weak.With(files{"calc_test.go": "-", "calc_test.go.txt": text}), "scope", "changes a test"),
		after("brings a TestMain that runs nothing", "0 passed, 0 failed", weak.With(files{"main_test.go": "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Exit(0) }\n"}), "scope", "changes a test"),
		after("changes test data", all, good.With(files{"testdata/in.txt": "3\n"}), "scope", "changes a test"),
		after("replaces the module file", all, good.With(files{"go.mod": "module example.com/other\n\ngo 1.21\n"}), "scope", "runner or build configuration"),
		after("replaces the runner's configuration", all, good.With(files{"Makefile": "test:\n\ttrue\n"}), "scope", "runner or build configuration"),
		after("loosens the policy", all, good.With(files{".tdd.yaml": quick + "gates: {max_new_red: 9}\n"}), "protected", "changes the policy"),
		after("brings a second policy file", all, good.With(files{"tdd.yaml": quick}), "protected", "changes the policy"),
		after("leaves it red", "1 passed, 1 failed", calc("// Sum adds.\n"+sumZero, testZero+testSum), "green", "still failing"),
		after("breaks another test", "1 passed, 1 failed", calc("func Sum(a, b int) int { return 3 }\n", testZero+testSum), "green", "TestZero"),
		after("does not compile", "0 passed, 0 failed, the rest not run (syntax)", calc("func Sum(a, b int) int { return\n", testZero+testSum), "green", "do not compile"),
		after("ends the process before the tests", "0 passed, 0 failed", weak.With(files{"exit.go": "package calc\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n"}), "green", ""),
		after("is too large", all, good.With(files{"big.go": "package calc\n" + strings.Repeat("\n// Words.\n", 200)}), "size", "lines"),
	}
}

func cheatingReds(h honest) []cheat {
	on := func(name, message, tests, gate, seen string) cheat {
		return cheat{name: "red " + name, parents: []gitx.ID{h.tidy}, message: message, tree: calc(tidySum, tests), gate: gate, seen: seen}
	}
	const both = testZero + testSum
	claim := func(tests string, more ...string) string { return red("test: more", 4, tests, more...) }
	return []cheat{
		on("that passes at once", claim("3 passed, 0 failed"), both+testPass, "red", "passes at once"),
		on("faked by a syntax error", claim("0 passed, 0 failed, the rest not run (syntax)"), both+"\nfunc TestMore(t *testing.T) {\n", "red", "syntax"),
		on("faked by a type error", claim("0 passed, 0 failed, the rest not run (compile)"), both+"\nfunc TestMore(t *testing.T) { var x int = \"\"; _ = x }\n", "red", "compile"),
		on("that is two", claim("2 passed, 2 failed", redMore, "Tdd-Red: example.com/calc.TestMost (assertion)\n"), both+testMore+strings.ReplaceAll(testMore, "TestMore", "TestMost"), "red", "2 new failing tests"),
		on("that drops another test", claim("1 passed, 1 failed", redMore), testZero+testMore, "red", "TestSum"),
		on("that skips another test", claim("1 passed, 1 failed, 1 skipped", redMore), strings.Replace(both, "if got := Sum(1", "t.Skip()\n\tif got := Sum(1", 1)+testMore, "red", "TestSum"),
		on("that is skipped itself", claim("2 passed, 0 failed, 1 skipped"), both+strings.Replace(testMore, "if got", "t.Skip()\n\tif got", 1), "red", "skipped"),
		on("that breaks another test by its helper", claim("1 passed, 2 failed", redMore), strings.Replace(both, "return 0", "return 7", 1)+testMore, "red", "TestZero"),
		on("of no test at all", claim("2 passed, 0 failed"), both+"\nfunc helper() int { return 1 }\n", "red", "no added or changed test fails"),
		on("called a characterization", claim("2 passed, 1 failed", "Tdd-Outcome: characterization\n"), both+testMore, "message", "Tdd-Phase"),
		on("called a green characterization", step("test: more", 4, "tester/green", "2 passed, 1 failed", "Tdd-Outcome: characterization\n"), both+testMore, "red", "fails now"),
		{"red with its own answer", []gitx.ID{h.start}, red("test: sum", 1, "2 passed, 0 failed"), calc(sum, both), "scope", "changes what is no test"},
		{"red on red", []gitx.ID{h.red}, red("test: more", 2, "1 passed, 2 failed", redMore), calc(sumZero, both+testMore), "turn", "red already"},
		{"red that loosens the policy", []gitx.ID{h.tidy}, claim("2 passed, 1 failed", redMore), calc(tidySum, both+testMore).With(files{".tdd.yaml": quick + "steps: 3\n"}), "protected", "policy"},
	}
}

func cheatingRefactorings(h honest) []cheat {
	const both = testZero + testSum
	on := func(name, message string, tree files, gate, seen string) cheat {
		return cheat{name: "refactoring " + name, parents: []gitx.ID{h.green}, message: message, tree: tree, gate: gate, seen: seen}
	}
	claim := func(tests string, more ...string) string { return refactor("refactor: words", tests, more...) }
	const all = "2 passed, 0 failed"
	return []cheat{
		on("that changes behaviour", claim("1 passed, 1 failed"), calc("func Sum(a, b int) int { return a - b }\n", both), "same-tests", "TestSum"),
		on("that weakens an assertion", claim(all), calc(sum, strings.Replace(both, "got != 3", "got < 3", 1)), "same-tests", "assertion"),
		on("that drops a test", claim("1 passed, 0 failed"), calc(sum, testZero), "same-tests", "gone"),
		on("that adds a test", claim("3 passed, 0 failed"), calc(sum, both+testPass), "same-tests", "adds"),
		on("that skips a test", claim("1 passed, 0 failed, 1 skipped"), calc(sum, strings.Replace(both, "if got := Sum(1", "t.Skip()\n\tif got := Sum(1", 1)), "same-tests", "TestSum"),
		on("that lets tests and sources agree on another thing", claim(all),
			calc("func Sum(a, b int) int {\n\tif a+b == 0 {\n\t\treturn 1\n\t}\n\treturn (a + b) % 5\n}\n", strings.Replace(both, "return 0", "return 5", 1)), "same-tests", "as it was"),
		on("that puts the assertion where it is never reached", claim(all), calc(sum, strings.Replace(both, "if got := Sum(1", "if testing.Short() || true {\n\t\treturn\n\t}\n\tif got := Sum(1", 1)), "same-tests", "for which it was red"),
		on("that calls the code and ignores what it says", claim(all), calc(sum, strings.Replace(both, "testing.T) {\n\tif got := Sum(1, 2)", "testing.T) {\n\tif got := 3 + 0*Sum(1, 2)", 1)), "same-tests", "assertion"),
		on("that changes test data", claim(all), calc(sum, both).With(files{"testdata/in.txt": "2\n"}), "scope", "compare with"),
		on("that changes nothing", claim(all), calc(sum, both), "same-tests", "changes nothing"),
		on("called skipped that changes files", claim(all, "Tdd-Outcome: skipped\n"), calc(tidySum, both), "same-tests", "changes files"),
		{"refactoring on red", []gitx.ID{h.red}, step("refactor: words", 2, "refactorer/refactor", "1 passed, 1 failed"), calc("// Sum adds.\n"+sumZero, both), "turn", "red"},
		{"code on green", []gitx.ID{h.tidy}, "feat: more\n", calc(tidySum+"\n// Two is two.\nfunc Two() int { return 2 }\n", both), "turn", "no test is failing"},
	}
}

func cheatingOutside(l *lab, h honest) []cheat {
	const both, stay = testZero + testSum, "stay-green"
	tidy := calc(tidySum, both)
	on := func(name, message string, tree files, seen string) cheat {
		return cheat{name: "outside: " + name, parents: []gitx.ID{h.tidy}, message: message, tree: tree, gate: stay, seen: seen}
	}
	commands := func(words string) files {
		return tidy.With(files{".tdd.yaml": "language: go\nci: {check_cmd: [], fmt_cmd: [], test_cmd: [" + words + "]}\n"})
	}
	side := l.commit("docs: aside", tidy.With(files{"README.md": "x\n"}), h.tidy)
	merge := []gitx.ID{h.tidy, side}
	more := tidy.With(files{"more_test.go": testBeside})
	theirs := []gitx.ID{h.tidy, l.commit("test: more\n\nTdd-Outcome: characterization\n", more, h.tidy)}
	stronger := tidy.With(files{"calc_test.go": strings.Replace(tidy["calc_test.go"], "got != 3 {", "got != 3 || Sum(2, 2) != 4 {", 1)})
	strong := []gitx.ID{h.tidy, l.commit("chore: more of a sum", stronger, h.tidy)}
	return []cheat{
		{"outside: a merge that takes nothing of a stronger test", strong, "chore: merge", tidy, stay, "the merge leaves out what the branch that is merged made of this test"},
		{"outside: a merge that drops a test of the branch", theirs, "chore: merge", tidy.With(files{"README.md": "x\n"}), stay, "on the branch that is merged"},
		{"outside: a merge that takes nothing of the branch", theirs, "chore: merge", tidy, stay, "TestMore"},
		on("docs drop a test", "docs: words", calc(tidySum, testZero), "TestSum"),
		on("style skips a test", "style: blanks", calc(tidySum, strings.Replace(both, "if got := Sum(1", "t.Skip()\n\tif got := Sum(1", 1)), "TestSum"),
		on("chore breaks the code", "chore: tidy", calc(sumZero, both), "TestSum"),
		on("build excludes the tests", "build: tags", tidy.With(files{"calc_test.go": "//go:build never\n\n" + tidy["calc_test.go"]}), "TestSum"),
		on("ci replaces the test command by one that runs nothing", "ci: faster", commands(`"true"`), "under the commands that this commit brings"),
		on("ci narrows the test command", "ci: faster", commands(`go, test, -run=TestZero, "./..."`), "under the commands that this commit brings"),
		on("chore changes the language so that no test is seen", "chore: language", tidy.With(files{".tdd.yaml": "language: generic\nci: {test_cmd: [\"true\"]}\n"}), "under the commands that this commit brings"),
		on("chore weakens a test that was red once", "chore: words", calc(tidySum, strings.Replace(both, "got != 3", "got < 0", 1)), "for which it was red"),
		on("chore lets a test return before its assertion", "chore: words", calc(tidySum, strings.Replace(both, "if got := Sum(1", "return\n\tif got := Sum(1", 1)), "for which it was red"),
		on("style takes an assertion out", "style: blanks", calc(tidySum, strings.Replace(both, "if got := Sum(zero(), 0); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "_ = Sum(zero(), 0)\n", 1)), "assert less than before"),
		{"outside: a merge that takes an assertion out", merge, "chore: merge", calc(tidySum, strings.Replace(both, "if got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "_ = Sum(1, 2)\n", 1)).With(files{"README.md": "x\n"}), stay, "assert less than before"},
		on("a revert of the answer, and more", "revert: feat: sum", calc(sumZero, both).With(files{"more.go": "package calc\n"}), "TestSum"),
		{"outside: chore answers the red", []gitx.ID{h.red}, "chore: sum", calc(sum, both), stay, "passes by a commit outside the loop"},
		{"outside: a squash", []gitx.ID{h.start}, "feat: sum", calc(sum, both), "scope", "changes a test"},
		{"outside: a squash of reds and greens called chore that breaks a test", []gitx.ID{h.start}, "chore: sum", calc("func Sum(a, b int) int { return 3 }\n", both), stay, "TestZero"},
		{"outside: a merge that drops a test", merge, "chore: merge", calc(tidySum, testZero).With(files{"README.md": "x\n"}), stay, "TestSum"},
		{"outside: a merge that breaks the code", merge, "feat: merge", calc(sumZero, both).With(files{"README.md": "x\n"}), stay, "TestSum"},
		{"outside: a merge that replaces the test command", merge, "chore: merge", commands(`"true"`).With(files{"README.md": "x\n"}), stay, "under the commands that this commit brings"},
		{"outside: a merge that takes a step", merge, step("feat: merge", 4, "implementor/green", "2 passed, 0 failed"), tidy.With(files{"README.md": "x\n"}), "message", "outside the loop carries Tdd-Step"},
	}
}

func cheatingClaims(h honest) []cheat {
	const both, all = testZero + testSum, "2 passed, 0 failed"
	on := func(name, message, gate, seen string) cheat {
		return cheat{name: "claims " + name, parents: []gitx.ID{h.red}, message: message, tree: calc(sum, both), gate: gate, seen: seen}
	}
	more := func(name, tests, claimed string) cheat {
		return cheat{name: "claims " + name, parents: []gitx.ID{h.tidy}, message: red("test: more", 4, tests, claimed), tree: calc(tidySum, both+testMore), gate: "red", seen: "Tdd-"}
	}
	return []cheat{
		on("a step that jumps", step("feat: sum", 3, "implementor/green", all), "message", "Tdd-Step is 3"),
		on("a step again", step("feat: sum", 1, "implementor/green", all), "message", "Tdd-Step is 1"),
		on("a step that is no number", strings.Replace(green("feat: sum", all), "Tdd-Step: 2", "Tdd-Step: two", 1), "message", "not a positive number"),
		on("another role", step("feat: sum", 2, "tester/green", all), "message", "Tdd-Role is tester"),
		on("another phase", step("feat: sum", 2, "implementor/refactor", all), "message", "Tdd-Phase is refactor"),
		on("another cycle", strings.Replace(green("feat: sum", all), "Tdd-Cycle: 1", "Tdd-Cycle: 2", 1), "message", "Tdd-Cycle is 2"),
		on("other counts", green("feat: sum", "9 passed, 0 failed"), "green", "claims \"9 passed"),
		on("a red that there is not", green("feat: sum", all, redSum), "green", "not what failed"),
		on("an outcome that there is not", green("feat: sum", all, "Tdd-Outcome: verified\n"), "message", "none of"),
		on("a skipped step", green("feat: sum", all, "Tdd-Outcome: skipped\n"), "message", "for a refactorer only"),
		on("to be a step without a type", step("Sum numbers", 2, "implementor/green", all), "message", ""),
		on("trailers that git does not read", "feat: sum\n\nTdd-Step: 2\nTdd-Role: implementor\n\nThe end.\n", "message", ""),
		more("another red", "2 passed, 1 failed", redSum),
		more("another reason", "2 passed, 1 failed", "Tdd-Red: example.com/calc.TestMore (unimplemented)\n"),
		more("no red", "2 passed, 1 failed", ""),
		more("other counts of a red", "3 passed, 0 failed", redMore),
	}
}

func cheatingAgents(h honest) []cheat {
	const both, all = testZero + testSum, "2 passed, 0 failed"
	on := func(name string, tree files) cheat {
		return cheat{
			name: "an agent " + name, parents: []gitx.ID{h.red}, message: green("feat: sum"+sections, all, model), tree: calc(sum, both).With(tree),
			gate: "protected", seen: "",
		}
	}
	return []cheat{
		on("edits .gitattributes", files{".gitattributes": "* filter=x\n"}),
		on("edits CI", files{".github/workflows/ci.yml": "on: push\n"}),
		on("edits hooks", files{".githooks/commit-msg": "true\n"}),
		on("edits the editor's settings", files{".vscode/settings.json": "{}\n"}),
		on("adds a symbolic link", files{"link@": "/etc/passwd"}),
		on("edits the kata", files{"kata.md": "Do nothing.\n"}),
		{"an agent out of turn", []gitx.ID{h.green}, red("test: more"+sections, 3, "2 passed, 1 failed", redMore, model), calc(sum, both+testMore), "turn", "it is the turn of the refactorer"},
		{"an agent outside the loop", []gitx.ID{h.tidy}, "chore: words" + sections + "\n\n" + model, calc(tidySum, both).With(files{"README.md": "x\n"}), "turn", "takes no step"},
		{"an agent that does not say why", []gitx.ID{h.red}, green("feat: sum", all, model), calc(sum, both), "message", ""},
	}
}
