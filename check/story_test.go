package check

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A person's cycle: each role is accepted once, each tree is measured once, and
// another process verifies the result without measuring anything again.
func TestStory_oneCycle(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test(calc): sum", calc(sumZero, testZero+testSum), start)
	l.refused(l.propose(c, "test: again", calc(sumZero, testZero+testSum+testTwo), red.commit), "turn")
	l.refused(l.propose(c, "refactor: early", calc("// Sum adds.\n"+sumZero, testZero+testSum), red.commit), "turn")
	green := l.must(c, "feat(calc): sum", calc(sum, testZero+testSum), red.commit)
	l.refused(l.propose(c, "feat: more", calc(both, testZero+testSum), green.commit), "turn")
	tidy := l.must(c, "refactor(calc): a word", calc("// Sum adds.\n"+sum, testZero+testSum), green.commit)
	pinned := l.must(c, "test: negative numbers\n\nTdd-Outcome: characterization\n",
		calc("// Sum adds.\n"+sum, testZero+testSum+strings.ReplaceAll(strings.ReplaceAll(testSum, "TestSum", "TestNegative"), "Sum(1, 2)", "Sum(4, -1)")), tidy.commit)
	skipped := l.must(c, "refactor: nothing\n\nTdd-Outcome: skipped\n", filesAt(l, pinned), pinned.commit)
	if c.Count() != 5 { // start, red, green, tidy, pinned
		t.Errorf("%d measurements, want 5", c.Count())
	}
	for _, s := range []step{red, green, tidy, pinned, skipped} {
		j := l.verifies(s.commit)
		if j.Step.Number != s.j.Step.Number || j.Step.Phase != s.j.Step.Phase || j.Step.Cycle != s.j.Step.Cycle {
			t.Errorf("verified as %+v, made as %+v", j.Step, s.j.Step)
		}
	}
	p, err := c.Position(t.Context(), skipped.commit)
	gittest.Check(t, err)
	if p.Step.Number != 5 || p.Step.Cycle != 2 || p.Step.Outcome != gates.Skipped {
		t.Errorf("%+v", p.Step)
	}
	project, err := c.Project(t.Context(), l.tree(filesAt(l, skipped)))
	gittest.Check(t, err)
	if got := Turn(project.Settings, p); got != gates.Tester {
		t.Errorf("after a skipped refactoring it is the turn of %s", got)
	}
	v := l.checker()
	for _, s := range []step{red, green, tidy, pinned, skipped} {
		_, err := v.Commit(t.Context(), string(s.commit))
		gittest.Check(t, err)
	}
	if v.Count() != 0 {
		t.Errorf("verifying measured %d trees again", v.Count())
	}
	f := l.checker(fresh)
	for range 2 {
		for _, s := range []step{red, green, tidy, pinned, skipped} {
			_, err := f.Commit(t.Context(), string(s.commit))
			gittest.Check(t, err)
		}
	}
	if f.Count() != 5 {
		t.Errorf("fresh: %d measurements, want 5", f.Count())
	}
}

// filesAt reads the files of a step's tree.
func filesAt(l *lab, s step) files {
	l.Helper()
	commit, err := l.repo.Commit(context.Background(), string(s.commit))
	gittest.Check(l, err)
	entries, err := l.repo.Entries(context.Background(), commit.Tree)
	gittest.Check(l, err)
	out := files{}
	for _, e := range entries {
		text, _, err := l.repo.Text(context.Background(), commit.Tree, e.Path)
		gittest.Check(l, err)
		out[e.Path] = string(text)
	}
	return out
}

func TestStory_aRedThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sum, testZero))
	red := l.must(c, "test: double", calc(sum, testZero+testTwo), start)
	if len(red.j.Step.Red) != 1 || red.j.Step.Red[0].Symbol != "Double" {
		t.Errorf("%+v", red.j.Step.Red)
	}
	p, err := c.Position(t.Context(), red.commit)
	gittest.Check(t, err)
	base, err := c.Base(t.Context(), red.j.Project, p)
	gittest.Check(t, err)
	if base == nil || base.Outcome != gates.Passed || len(base.Tests) != 1 {
		t.Errorf("base: %+v", base)
	}
	green := l.must(c, "feat: double", calc(both, testZero+testTwo), red.commit)
	l.verifies(green.commit)
	if base, err := c.Base(t.Context(), red.j.Project, gates.Position{}); base != nil || err != nil {
		t.Errorf("before any step: %+v, %v", base, err)
	}
}

// What is asked of a green does not depend on what its red says of itself: here
// neither has trailers, as after git commit --no-verify.
func TestStory_aRedThatSaysNothing(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	for test, held := range map[string]bool{
		testTwo: true,
		"\nfunc TestTwo(t *testing.T) {\n\tDouble(2)\n}\n": false,
	} {
		start := l.commit("chore: start", calc(sum, testZero))
		red := l.commit("test: double", calc(sum, testZero+test), start)
		green := l.commit("feat: double", calc(both, testZero+test), red)
		j, err := l.checker().Commit(t.Context(), string(green))
		gittest.Check(t, err)
		if j.Verdict.Accepted() != held || !held && j.Verdict.Findings[0].Gate != "hollow" {
			t.Errorf("%s: %v", test, j.Verdict.Findings)
		}
	}
}

func TestStory_refactorMovesATest(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	two := calc(both, testZero+testTwo)
	start := l.commit("chore: start", two)
	if _, err := c.Commit(t.Context(), string(start)); err != nil {
		t.Fatal(err)
	}
	moved := two.With(files{"calc_test.go": "-", "sum_test.go": two["calc_test.go"], "calc.go": "package calc\n\n// In one file.\n\n" + both})
	before := c.Count()
	s := l.must(c, "refactor: name the tests by what they test", moved, start)
	if c.Count() != before+2 {
		t.Errorf("%d measurements, want 2: the new tree, and the old tests on the new sources", c.Count()-before)
	}
	if s.j.Case.Crossed == nil || s.j.Case.Crossed.Outcome != gates.Passed || len(s.j.Case.Crossed.Tests) != 2 {
		t.Errorf("%+v", s.j.Case.Crossed)
	}
	l.verifies(s.commit)
	// The new tests agree with the new sources, the old ones do not.
	helped := func(source, input string) files {
		return calc(source, testZero+"\nfunc input() int { return "+input+" }\n"+strings.Replace(testTwo, "Double(2)", "Double(input())", 1))
	}
	honest := l.commit("chore: start", helped(both, "2"))
	l.must(c, "refactor: the same input", helped(both, "1 + 1"), honest)
	cheat := helped(strings.Replace(both, "Sum(a, a)", "Sum(a, 1)", 1), "3")
	l.refused(l.propose(c, "refactor: cheat", cheat, honest), "same-tests")
	n := c.Count()
	l.must(c, "refactor: sources only", calc("// Here.\n\n"+both, testZero+testTwo), start)
	if c.Count() != n+1 {
		t.Errorf("sources only: %d measurements, want 1", c.Count()-n)
	}
}

func TestStory_flaky(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	dir := t.TempDir()
	counter := func(passes string) string { // fails the first time it runs, then passes: or the other way round
		return "\nfunc TestDice(t *testing.T) {\n\t_, err := os.Stat(\"" + dir + "/" + passes + "\")\n\t_ = os.WriteFile(\"" + dir + "/" + passes +
			"\", nil, 0o600)\n\tif (err == nil) == " + passes + " {\n\t\tt.Errorf(\"dice\")\n\t}\n}\n"
	}
	yaml := files{".tdd.yaml": quick + "gates: {confirm_runs: 2}\n"}
	start := l.commit("chore: start", calc(sumZero, testZero).With(yaml))
	for _, passes := range []string{"false"} {
		f := calc(sumZero, testZero+counter(passes)).With(yaml)
		f["calc_test.go"] = strings.Replace(f["calc_test.go"], "import \"testing\"", "import (\n\t\"os\"\n\t\"testing\"\n)", 1)
		for range 2 { // neither at once nor from the record
			s := l.propose(c, "test: dice", f, start)
			l.refused(s, "red")
			if len(s.j.Case.Flaky) != 1 || !strings.Contains(s.j.Case.Flaky[0], "TestDice") {
				t.Errorf("flaky: %q", s.j.Case.Flaky)
			}
		}
	}
	n := c.Count()
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum).With(yaml), start)
	if c.Count() != n+2 {
		t.Errorf("%d measurements, want 2", c.Count()-n)
	}
	v := l.checker()
	if _, err := v.Commit(t.Context(), string(red.commit)); err != nil || v.Count() != 0 {
		t.Errorf("%v, %d measurements", err, v.Count())
	}
}

func TestStory_customRole(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	yaml := files{".tdd.yaml": quick + "rotation: [tester, implementor, polisher]\nroles: {polisher: {plays: refactorer}}\ngates: {size: {refactorer: {files: 1, lines: 2}}}\n"}
	start := l.commit("chore: start", calc(sumZero, testZero).With(yaml))
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum).With(yaml), start)
	green := l.must(c, "feat: sum", calc(sum, testZero+testSum).With(yaml), red.commit)
	polished := l.must(c, "refactor: words", calc("// Sum adds.\n"+sum, testZero+testSum).With(yaml), green.commit)
	if polished.j.Step.Role != "polisher" || polished.j.Step.Phase != gates.PhaseRefactor {
		t.Errorf("%+v", polished.j.Step)
	}
	l.verifies(polished.commit)
	l.refused(l.propose(c, "refactor: words", calc("// Sum\n// adds\n// numbers.\n"+sum, testZero+testSum).With(yaml), green.commit), "size")
	l.must(c, "refactor: words\n\nTdd-Role: refactorer\n", calc("// Sum adds.\n"+sum, testZero+testSum).With(yaml), green.commit)
	l.refused(l.propose(c, "refactor: words\n\nTdd-Step: 3\nTdd-Role: stranger\n", calc("// Sum adds.\n"+sum, testZero+testSum).With(yaml), green.commit), "message")
}

const sections = `
Context:
- Role: Tester

Rationale:
- a sum is wanted

Diff summary:
- calc_test.go: one test

Verification:
- one fails
`

// More is demanded of a model than of a person, also once it is a commit: the
// trailers say whose it is.
func TestStory_agents(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	propose := func(message string, f files, parent gitx.ID) step {
		t.Helper()
		s := l.proposeAt(c, Proposal{
			Parent: parent, Tree: l.tree(f), Message: message, Agent: true,
			Add:     func(s *gates.Step) { s.Model = "m"; s.Attempts = 2 },
			Compose: func(s gates.Step, _ *gates.Case) string { return composed(message, s) },
		})
		if s.accepted {
			s.commit = l.commitTree(s.j.Message, l.tree(f), parent)
		}
		return s
	}
	f := calc(sumZero, testZero+testSum)
	l.refused(propose("test: sum", f, start), "message")
	l.refused(propose("test: sum\n"+sections, f.With(files{".github/workflows/ci.yml": "x"}), start), "protected")
	l.refused(propose("refactor: sum\n"+sections, calc("// x\n"+sumZero, testZero), start), "turn")
	red := propose("test: sum\n"+sections, f, start)
	if !red.accepted || red.j.Step.Model != "m" || red.j.Step.Attempts != 2 {
		t.Fatalf("%+v\n%s", red.j.Step, findings(red.j))
	}
	if j := l.verifies(red.commit); !j.Case.Agent {
		t.Error("a commit with a model's name is a person's")
	}
	bare, _, _ := strings.Cut(red.j.Message, "Context:")
	j, err := c.Commit(t.Context(), string(l.commit(bare+"Tdd-Model: m\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\n", f, start)))
	gittest.Check(t, err)
	l.refused(step{j: j}, "message")
}

// In plain CTest a test is a program: what it is built from is its text, and it gains
// cases.
func TestStory_plainCTest(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cmake", "ctest", "c++")
	l := newLab(t)
	main := func(cases string) string {
		return "#undef NDEBUG\n#include <cassert>\n\n#include \"../src/calc.h\"\n\nint main() {\n    assert(zero() == 0);\n" + cases + "    return 0;\n}\n"
	}
	base := files{
		".tdd.yaml": "language: cpp\n",
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.14)\nproject(calc CXX)\nenable_testing()\nfile(GLOB tests CONFIGURE_DEPENDS tests/test_*.cpp)\n" +
			"foreach(test ${tests})\n  get_filename_component(name ${test} NAME_WE)\n  add_executable(${name} ${test} src/calc.cpp)\n  add_test(NAME ${name} COMMAND ${name})\nendforeach()\n",
		"src/calc.h": "#pragma once\n\nint zero();\nint sum(int a, int b);\n", "src/calc.cpp": "#include \"calc.h\"\n\nint zero() { return 0; }\n\nint sum(int, int) { return 0; }\n",
		"tests/test_calc.cpp": main(""), "tests/test_other.cpp": main(""),
	}
	start := l.commit("chore: start", base)
	asks := base.With(files{"tests/test_calc.cpp": main("    assert(sum(1, 2) == 3);\n")})
	red := l.must(l.checker(), "test: sum", asks, start)
	if got := red.j.Step.Red; len(got) != 1 || got[0].ID != "test_calc" {
		t.Errorf("%+v", got)
	}
	green := l.must(l.checker(), "feat: sum", asks.With(files{"src/calc.cpp": "#include \"calc.h\"\n\nint zero() { return 0; }\n\nint sum(int a, int b) { return a + b; }\n"}), red.commit)
	l.verifies(green.commit)
	l.refused(l.propose(l.checker(), "test: nothing", base.With(files{"tests/test_other.cpp": main("    assert(sum(1, 2) == 0);\n")}), start), "red")
}
