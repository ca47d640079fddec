package check

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A commit is judged by its parent's rules, whatever its own are.
func TestStory_policyIsTheParents(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	one := files{".tdd.yaml": quick + "gates: {max_new_red: 1}\n"}
	two := files{".tdd.yaml": quick + "gates: {max_new_red: 2}\n"}
	none := files{".tdd.yaml": "ci: {test_cmd: [\"true\"], check_cmd: []}\n"}
	start := l.commit("chore: start", calc(sumZero, testZero).With(one))
	reds := calc(sumZero, testZero+testSum+strings.ReplaceAll(testSum, "TestSum", "TestMore"))
	l.refused(l.propose(c, "test: two", reds.With(one), start), "red")
	l.refused(l.propose(c, "test: two", reds.With(two), start), "protected")
	l.refused(l.propose(c, "chore: loosen", calc("func Sum() {}\n", testZero).With(none), start), "stay-green")
	loosened := l.must(c, "chore: two reds", calc(sumZero, testZero).With(two), start)
	red := l.must(c, "test: two", reds.With(two), loosened.commit)
	l.verifies(red.commit)
}

func TestStory_environmentOverrides(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	start := l.commit("chore: start", calc(sumZero, testZero))
	two := calc(sumZero, testZero+testSum+strings.ReplaceAll(testSum, "TestSum", "TestMore"))
	l.refused(l.propose(l.checker(), "test: two", two, start), "red")
	allowing := l.checker(func(o *Options) {
		o.Environ = append(slices.Clip(o.Environ), "GIT_TDD_GATES_MAX_NEW_RED=2")
	})
	s := l.must(allowing, "test: two", two, start)
	own, err := s.j.Project.Own()
	gittest.Check(t, err)
	if own.Gates.MaxNewRed != 1 || s.j.Project.Settings.Gates.MaxNewRed != 2 {
		t.Errorf("own %d, in force %d", own.Gates.MaxNewRed, s.j.Project.Settings.Gates.MaxNewRed)
	}
}

func TestStory_configurationThatCannotBeRead(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, name := range []string{config.FileName, config.AltFileName} {
		good := files{"go.mod": "module x\n", name: "steps: 3\n"}
		bad := good.With(files{name: "stepz: 3\n"})
		parent, child := l.commit("chore: start", bad), l.commit("chore: start", good)
		for what, p := range map[string]Proposal{
			"the parent's": {Parent: parent, Tree: l.tree(bad.With(files{"a.go": "package a\n"})), Message: "chore: a"},
			"its own":      {Parent: child, Tree: l.tree(bad), Message: "chore: break the configuration"},
			"a root's own": {Tree: l.tree(bad), Message: "chore: start"},
		} {
			c := l.checker()
			_, err := c.Judge(t.Context(), p)
			problem, ok := errors.AsType[*config.Error](err)
			if !ok || problem.File != name || !strings.Contains(err.Error(), "stepz") {
				t.Errorf("%s, %s: %v", what, name, err)
			}
			if c.Count() != 0 {
				t.Error("measured something")
			}
		}
	}
}

func TestStory_untrusted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	canary := t.TempDir() + "/canary"
	f := files{".tdd.yaml": "ci: {test_cmd: [touch, \"" + canary + "\"], check_cmd: [touch, \"" + canary + "\"]}\nworkbench: {setup_cmd: [touch, \"" + canary + "\"]}\n", "a.c": "1"}
	start := l.commit("chore: start", f)
	refusal := errors.New("not trusted; run git tdd trust")
	var asked *Project
	c := l.checker(func(o *Options) { o.Permit = func(p *Project) error { asked = p; return refusal } })
	_, err := c.Judge(t.Context(), Proposal{Parent: start, Tree: l.tree(f.With(files{"a.c": "2"})), Message: "chore: x"})
	if err != refusal { //nolint:errorlint // as it is, not wrapped
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(canary); err == nil || c.Count() != 0 {
		t.Error("something ran")
	}
	if asked == nil || asked.Parts()[0].Commands.Test[0] != "touch" {
		t.Errorf("asked about %+v", asked)
	}
}

// Two sets of commands never share what they measured.
func TestStory_commandsThatChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	say := func(test string) files { return files{".tdd.yaml": "ci: {test_cmd: [" + test + "]}\n", "a.c": test} }
	yes, no := l.commit("chore: yes", say("\"true\"")), l.tree(say("\"false\""))
	c := l.checker(fresh)
	j, err := c.Commit(t.Context(), string(l.commitTree("chore: no", no, yes)))
	gittest.Check(t, err)
	if !j.Verdict.Accepted() {
		t.Error(findings(j))
	}
	p, err := c.Project(t.Context(), no)
	gittest.Check(t, err)
	result, err := c.Of(t.Context(), p, no)
	gittest.Check(t, err)
	if result.Facts.Outcome != gates.Failed {
		t.Errorf("by its own commands it is %s", result.Facts.Outcome)
	}
	a := files{".tdd.yaml": "ci: {test_cmd: [\"true\"]}\nworkbench: {setup_cmd: [env], env: [\"A=1\"]}\n"}
	b := files{".tdd.yaml": "ci: {test_cmd: [\"true\"]}\nworkbench: {setup_cmd: [env, \"A=1\"], env: []}\n"}
	pa, err := c.Project(t.Context(), l.tree(a))
	gittest.Check(t, err)
	pb, err := c.Project(t.Context(), l.tree(b))
	gittest.Check(t, err)
	if pa.parts[0].measurer == pb.parts[0].measurer {
		t.Error("two setups share a measurer")
	}
}

// A command that is known by its exit code alone is not replaced by one that nothing
// makes fail, except where the old one was of that kind.
func TestStory_commandThatHearsNothing(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "sh")
	l := newLab(t)
	by := func(argv string) files {
		return files{
			".tdd.yaml": "language: generic\nci: {test_cmd: [" + argv + "]}\n", "src/sum.sh": "sum() { echo $(($1 + $2)); }\n",
			"tests/sum.sh": ". ./src/sum.sh\n[ \"$(sum 1 2)\" = 3 ]\n", "tests/other.sh": "sh tests/sum.sh\n",
		}
	}
	hears, deaf := by("sh, tests/sum.sh"), by("test, -f, tests/sum.sh")
	start := l.commit("chore: start", hears)
	l.verifies(start)
	l.refused(l.propose(l.checker(), "chore: test otherwise", deaf, start), "stay-green")
	l.must(l.checker(), "chore: test otherwise", by("sh, tests/other.sh"), start)
	young := l.commit("chore: start", deaf)
	l.verifies(young)
	l.verifies(l.must(l.checker(), "chore: test otherwise", by("test, -f, src/sum.sh"), young).commit)
	l.must(l.checker(), "chore: test at all", hears, young)
}
