package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A refactoring that adds code that no test reaches is refused if the policy
// says so; coverage is measured for refactorings only.
func TestStory_refactorKeepsCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	runs := map[string]int{}
	c := l.checker(func(o *Options) { o.Phase = func(d facts.Doing) { runs[d.Name]++ } })
	on := files{".tdd.yaml": quick + "gates: {coverage: on}\n"}
	never := "\nfunc never() int { return 1 }\n"
	start := l.commit("chore: start", calc(sumZero, testZero).With(on))
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum).With(on), start)
	green := l.must(c, "feat: sum", calc(sum+never, testZero+testSum).With(on), red.commit)
	if runs["coverage"] != 0 {
		t.Errorf("%v: only a refactoring needs coverage", runs)
	}
	tidy := l.must(c, "refactor: a word", calc("// Sum adds.\n"+sum+never, testZero+testSum).With(on), green.commit)
	if len(tidy.j.Verdict.Notes) > 0 || runs["coverage"] != 2 || c.Count() != 4 {
		t.Errorf("%v, %d measurements; %v", runs, c.Count(), tidy.j.Verdict.Notes)
	}
	more := calc(sum+never+strings.ReplaceAll(never, "never", "ever"), testZero+testSum)
	l.refused(l.propose(c, "refactor: more", more.With(on), green.commit), "coverage")
	l.must(c, "refactor: less", calc(sum, testZero+testSum).With(on), green.commit)
	broken := calc("func Sum(a, b int) int { return a }\n", testZero+testSum)
	before := runs["coverage"]
	l.refused(l.propose(c, "refactor: wrong", broken.With(on), green.commit), "same-tests")
	if runs["coverage"] != before {
		t.Errorf("%v: what is refused anyway needs no coverage", runs)
	}
	l.verifies(tidy.commit)
	clear(runs)
	f := l.checker(fresh, func(o *Options) { o.Phase = func(d facts.Doing) { runs[d.Name]++ } })
	if j, err := f.Commit(t.Context(), string(tidy.commit)); err != nil || !j.Verdict.Accepted() || runs["coverage"] != 2 || runs["test"] != 2 {
		t.Errorf("anew: %v, %v\n%s", err, runs, findings(j))
	}
}

// If coverage cannot be measured, the judgement says so and nothing else.
func TestStory_refactorWithoutCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	mute := files{".tdd.yaml": "ci: {test_cmd: [sh, -c, go test ./...], check_cmd: []}\ngates: {coverage: on}\n"}
	start := l.commit("chore: start", calc(sum, testZero).With(mute))
	tidy := l.must(c, "refactor: a word", calc("// Sum adds.\n"+sum, testZero).With(mute), start)
	if notes := tidy.j.Verdict.Notes; len(notes) != 1 || notes[0].Gate != "coverage" || !strings.Contains(notes[0].Seen, "the test command is sh") {
		t.Errorf("%v", notes)
	}
}

// In each language whose coverage can be measured, code that no test reaches is
// refused, and code that a test reaches is accepted.
func TestStory_coverageOfEachLanguage(t *testing.T) {
	t.Parallel()
	const config = "ci: {check_cmd: [], fmt_cmd: []}\ngates: {coverage: on}\n"
	for _, c := range []struct {
		tool, name          string
		files               files
		kept, less, dropped string // the source after a refactoring
	}{
		{
			"node", "calc.js",
			files{"package.json": `{"scripts": {"test": "node --test"}}`, "test/calc.test.js": "require('node:test')('sum', () => { require('node:assert').equal(require('../calc.js').sum(1, 2), 3); });\n", "calc.js": "exports.sum = (a, b) => {\n  const c = a + b;\n  return c;\n};\n"},
			"// Sums.\nexports.sum = (a, b) => {\n  const c = a + b;\n\n  return c;\n};\n",
			"exports.sum = (a, b) => a + b;\n",
			"exports.sum = (a, b) => a + b;\n\nexports.more = (a) => {\n  return a;\n};\n",
		},
		{
			"pytest", "calc.py",
			files{"pyproject.toml": "", "test_calc.py": "import calc\n\n\ndef test_sum():\n    assert calc.sum(1, 2) == 3\n", "calc.py": "def sum(a, b):\n    c = a + b\n    return c\n"},
			"def sum(a, b):\n    # Sums.\n    c = (a +\n         b)\n    return c\n",
			"def sum(a, b):\n    return a + b\n",
			"def sum(a, b):\n    if a > 100:\n        return a\n    return a + b\n",
		},
		{
			"cargo", "src/lib.rs",
			files{"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "tests/calc.rs": "#[test]\nfn sums() {\n    assert_eq!(calc::sum(1, 2), 3);\n}\n", "src/lib.rs": "pub fn sum(a: i32, b: i32) -> i32 {\n    let c = a + b;\n    c\n}\n"},
			"/// Sums.\npub fn sum(a: i32, b: i32) -> i32 {\n    let c =\n        a + b;\n    c\n}\n",
			"pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
			"pub fn sum(a: i32, b: i32) -> i32 {\n    if a > 100 {\n        return a;\n    }\n    a + b\n}\n",
		},
	} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, c.tool)
			l := newLab(t)
			checker := l.checker()
			start := l.commit("chore: start", c.files.With(files{".tdd.yaml": config}))
			refactor := func(message, source string) step {
				return l.propose(checker, message, c.files.With(files{".tdd.yaml": config, c.name: source}), start)
			}
			kept := refactor("refactor: a word", c.kept)
			if notes := kept.j.Verdict.Notes; len(notes) > 0 && strings.Contains(notes[0].Seen, "install") {
				gittest.Missing(t, notes[0].Seen)
			}
			for _, s := range []step{kept, refactor("refactor: less", c.less)} {
				if !s.accepted || len(s.j.Verdict.Notes) > 0 {
					t.Errorf("refused, or not measured: %v\n%s", s.j.Verdict.Notes, findings(s.j))
				}
			}
			l.refused(refactor("refactor: more", c.dropped), "coverage")
		})
	}
}
