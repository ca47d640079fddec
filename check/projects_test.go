package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// house is a tree of three projects in three languages, with a file that belongs
// to none of them.
func house() files {
	return files{
		".tdd.yaml": `projects:
  backend: {language: go, check_cmd: []}
  script: {language: python}
  web: {language: javascript, test_cmd: [node, --test]}
`,
		"README.md":               "a house\n",
		"backend/go.mod":          "module example.com/calc\n\ngo 1.24\n",
		"backend/calc.go":         "package calc\n\nfunc Sum(a, b int) int { return a + b }\n",
		"backend/calc_test.go":    goTests("TestSum", "Sum(1, 2)", "3"),
		"script/pyproject.toml":   "[project]\nname = \"script\"\nversion = \"1\"\n",
		"script/calc.py":          "def double(a):\n    return 2 * a\n",
		"script/test_calc.py":     "from calc import double\n\n\ndef test_double():\n    assert double(3) == 6\n",
		"web/package.json":        `{"name": "web", "type": "module"}` + "\n",
		"web/calc.js":             "export const half = (a) => a / 2;\n",
		"web/test/calc.test.js":   jsTests("halves", "calc.half(6)", "3"),
		"shared/fixtures/one.txt": "1\n",
	}
}

func goTests(name, call, want string) string {
	return "package calc\n\nimport \"testing\"\n\nfunc " + name + "(t *testing.T) {\n\tif got := " + call + "; got != " + want +
		" {\n\t\tt.Errorf(\"" + call + " = %d, want " + want + "\", got)\n\t}\n}\n"
}

func jsTests(name, call, want string) string {
	return "import { test } from \"node:test\";\nimport assert from \"node:assert\";\nimport * as calc from \"../calc.js\";\n\ntest(\"" +
		name + "\", () => {\n  assert.strictEqual(" + call + ", " + want + ");\n});\n"
}

// houseLab is a lab with all three toolchains, and a checker that notes which
// project's commands run.
func houseLab(t *testing.T) (l *lab, c *Checker, ran func() []string) {
	t.Helper()
	for _, tool := range []string{"go", "pytest", "node"} {
		gittest.Need(t, tool)
	}
	l = newLab(t)
	var phases []string
	c = l.checker(func(o *Options) { o.Phase = func(d facts.Doing) { phases = append(phases, d.Name+" in "+d.Folder) } })
	return l, c, func() []string {
		was := slices.Compact(phases)
		phases = nil
		return was
	}
}

func outcomes(f gates.Facts) string {
	var out []string
	for _, t := range f.Tests {
		out = append(out, t.ID+" "+string(t.Status))
	}
	return strings.Join(out, "\n")
}

func TestProjects_factsOfATree(t *testing.T) {
	t.Parallel()
	l, c, ran := houseLab(t)
	tree := l.tree(house())
	p, err := c.Project(t.Context(), tree)
	gittest.Check(t, err)
	r, err := c.Of(t.Context(), p, tree)
	gittest.Check(t, err)
	want := "backend/example.com/calc.TestSum passed\nscript/test_calc.py::test_double passed\nweb/test/calc.test.js::halves passed"
	if got := outcomes(r.Facts); got != want || r.Facts.Outcome != gates.Passed || r.Facts.Tree != string(tree) || r.Facts.Detail != gates.DetailTest {
		t.Errorf("%s\n%+v", got, r.Facts)
	}
	for _, test := range r.Facts.Tests {
		if dir, _, _ := strings.Cut(test.ID, "/"); !strings.HasPrefix(test.File, dir+"/") {
			t.Errorf("%s stands in %s", test.ID, test.File)
		}
	}
	if got := strings.Join(ran(), ", "); got != "test in backend, test in script, test in web" {
		t.Errorf("ran %s", got)
	}
	// A change of one project measures that one, a change of what belongs to none all.
	for path, want := range map[string]string{
		"web/calc.js": "test in web", "script/README.md": "test in script", "backend/x/y": "test in backend",
		"shared/fixtures/one.txt": "test in backend, test in script, test in web",
	} {
		other := l.tree(house().With(files{path: "export const half = (a) => (2 * a) / 4;\n"}))
		if _, err := c.Of(t.Context(), p, other); err != nil {
			t.Error(err)
		}
		if got := strings.Join(ran(), ", "); got != want {
			t.Errorf("a change of %s runs %s, want %s", path, got, want)
		}
	}
	// What one project shows stays on record, whatever keeps another from being judged.
	if e, ok := p.Known(t.Context(), tree); !ok || len(e.Result.Facts.Tests) != 3 {
		t.Errorf("on record: %t, %+v", ok, e)
	}
}

func TestProjects_redGreenRefactor(t *testing.T) {
	t.Parallel()
	l, c, ran := houseLab(t)
	start := l.commit("chore: start", house())
	_ = ran()
	red := house().With(files{"web/test/calc.test.js": house()["web/test/calc.test.js"] + strings.ReplaceAll(jsTests("quarters", "calc.quarter(8)", "2"), "import ", "// import ")})
	s := l.must(c, "test: quarters", red, start)
	if got := s.j.Step.Red; len(got) != 1 || got[0].ID != "web/test/calc.test.js::quarters" {
		t.Errorf("red: %+v", got)
	}
	_ = ran()
	green := red.With(files{"web/calc.js": "export const half = (a) => a / 2;\nexport const quarter = (a) => a / 4;\n"})
	g := l.must(c, "feat: quarters", green, s.commit)
	if got := slices.DeleteFunc(ran(), func(p string) bool { return strings.HasSuffix(p, " in web") }); len(got) > 0 {
		t.Errorf("a green in web runs %q", got)
	}
	if g.j.Case.Evidence == nil || len(g.j.Case.Evidence.Trials) == 0 || g.j.Case.Evidence.After["web/test/calc.test.js::quarters"] == "" {
		t.Errorf("evidence: %+v", g.j.Case.Evidence)
	}
	tidy := green.With(files{"web/calc.js": "export const half = (a) => a / 2;\nexport const quarter = (a) => half(half(a));\n"})
	r := l.must(c, "refactor: quarter is half of half", tidy, g.commit)
	for _, commit := range []gitx.ID{s.commit, g.commit, r.commit} {
		l.verifies(commit)
	}
	// Cheats in another project than that of the red.
	weaker := strings.Replace(house()["script/test_calc.py"], "== 6", "> 0", 1)
	l.refused(l.propose(c, "feat: quarters", green.With(files{"script/test_calc.py": weaker}), s.commit), "scope")
	l.refused(l.propose(c, "test: quarters", red.With(files{"backend/calc.go": house()["backend/calc.go"] + "\n// Half halves.\nfunc Half(a int) int { return a / 2 }\n"}), start), "scope")
	l.refused(l.propose(c, "refactor: weaken", tidy.With(files{"script/test_calc.py": weaker}), g.commit), "strength")
	l.refused(l.propose(c, "chore: weaken", tidy.With(files{"script/test_calc.py": weaker}), r.commit), "strength")
	l.refused(l.propose(c, "feat: quarters, and no Sum", green.With(files{"backend/calc.go": "package calc\n\nfunc Sum(a, b int) int { return a - b }\n"}), s.commit), "green")
	l.refused(l.propose(c, "chore: no script", without(tidy, "script/test_calc.py"), r.commit), "stay-green")
}

func without(f files, gone ...string) files {
	out := f.With(nil)
	for _, name := range gone {
		delete(out, name)
	}
	return out
}

func TestProjects_whichThereAreIsConfiguration(t *testing.T) {
	t.Parallel()
	l, c, _ := houseLab(t)
	start := l.commit("chore: start", house())
	listed := func(lines ...string) files {
		return house().With(files{".tdd.yaml": "projects:\n" + strings.Join(lines, "\n") + "\n"})
	}
	const backend, script, web = "  backend: {language: go, check_cmd: []}", "  script: {language: python}", "  web: {language: javascript, test_cmd: [node, --test]}"
	l.refused(l.propose(c, "chore: drop web", listed(backend, script), start), "stay-green")
	l.refused(l.propose(c, "chore: test nothing in web", listed(backend, script, `  web: {language: javascript, test_cmd: ["true"]}`), start), "stay-green")
	l.refused(l.propose(c, "chore: web is elsewhere", listed(backend, script, "  shared: {language: javascript, test_cmd: [node, --test]}"), start), "stay-green")
	// A red may not bring its own list along either.
	red := jsTests("quarters", "calc.half(8)", "2")
	l.refused(l.propose(c, "test: halves", listed(backend, web).With(files{"web/test/calc.test.js": red}), start), "scope")
	l.refused(l.propose(c, "chore: one that tells no tests apart", listed(backend, script, web, "  shared: {language: generic, test_cmd: [\"true\"]}"), start), "stay-green")
	l.must(c, "chore: one more", listed(backend, script, web, "  shared: {language: javascript, test_cmd: [node, --test]}").
		With(files{"shared/one.test.js": strings.Replace(jsTests("one", "1", "1"), "import * as calc", "// ", 1)}), start)
}

// A tree whose only project becomes several still has all of its tests.
func TestProjects_oneBecomesSeveral(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	one := files{
		".tdd.yaml":   "language: go\nci: {check_cmd: [], test_cmd: [sh, -c, \"cd calc && go test ./...\"]}\n",
		"calc/go.mod": "module example.com/calc\n\ngo 1.24\n", "calc/calc.go": "package calc\n\nfunc Sum(a, b int) int { return a + b }\n",
		"calc/calc_test.go": goTests("TestSum", "Sum(1, 2)", "3"),
	}
	start := l.commit("chore: start", one)
	if p, err := c.Project(t.Context(), l.tree(one)); err != nil || len(p.parts) != 1 {
		t.Fatal(err)
	}
	two := one.With(files{
		".tdd.yaml":   "projects:\n  calc: {language: go, check_cmd: []}\n  more: {language: go, check_cmd: []}\n",
		"more/go.mod": "module example.com/calc\n\ngo 1.24\n", "more/calc_test.go": goTests("TestSum", "1", "1"),
	})
	s := l.must(c, "chore: two projects", two, start)
	r, err := c.Of(t.Context(), mustProject(t, c, l.tree(two)), l.tree(two))
	gittest.Check(t, err)
	if got := outcomes(r.Facts); got != "calc/example.com/calc.TestSum passed\nmore/example.com/calc.TestSum passed" {
		t.Error(got)
	}
	l.verifies(s.commit)
}

func mustProject(t *testing.T, c *Checker, tree gitx.ID) *Project {
	t.Helper()
	p, err := c.Project(t.Context(), tree)
	gittest.Check(t, err)
	return p
}

// What is left is formatted where all of another project goes.
func TestFormat_projectGone(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	all := files{".tdd.yaml": "projects:\n  a: {language: go, check_cmd: []}\n  b: {language: go, check_cmd: []}\n"}
	for _, name := range []string{"a", "b"} {
		all[name+"/go.mod"], all[name+"/x.go"] = "module "+name+"\n\ngo 1.24\n", "package x\nvar  X = 1\n"
	}
	p, err := c.Project(t.Context(), l.tree(all))
	gittest.Check(t, err)
	delete(all, "b/go.mod")
	delete(all, "b/x.go")
	tree, _, err := c.Format(t.Context(), p, l.tree(all), []string{"a/x.go", "b/x.go"})
	gittest.Check(t, err)
	if text, err := c.text(t.Context(), tree, "a/x.go"); err != nil || text != "package x\n\nvar X = 1\n" {
		t.Errorf("got %q, %v", text, err)
	}
}
