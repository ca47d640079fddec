package testrun_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// The ids of two projects never meet, whatever their runners call a test, and lead
// back to the project.
func TestFolder_ID(t *testing.T) {
	t.Parallel()
	folders := []testrun.Folder{{Inner: []string{"a", "a/b", "c"}}, {Dir: "a", Inner: []string{"a/b"}}, {Dir: "a/b"}, {Dir: "c"}}
	seen := map[string]int{}
	for n, f := range folders {
		for _, id := range []string{"x", "a/x", "a/b/x", "b/x", "c/x", "./x", "./a/x", "./b/x", "././x"} {
			got := f.ID(id)
			if other, twice := seen[got]; twice {
				t.Errorf("%q is of folder %d and %d", got, other, n)
			}
			seen[got] = n
			for m, g := range folders {
				if g.Holds(got) != (m == n) {
					t.Errorf("%q of folder %d is said to be in %d", got, n, m)
				}
			}
			if local := f.Local([]gates.Test{{ID: got}})[0].ID; local != id {
				t.Errorf("%q becomes %q becomes %q", id, got, local)
			}
		}
	}
	if whole := (testrun.Folder{}); whole.ID("./x") != "./x" || whole.ID("a/x") != "a/x" {
		t.Error("the only project of a tree gets other ids than its runner gives")
	}
}

// What a path is for is said by the project in which it lies, and of what lies in
// none the strictest counts.
func TestProjects_Language(t *testing.T) {
	t.Parallel()
	of := func(name string) testrun.Language { l, _ := lang.All().ByName(name); return l }
	l := testrun.Projects{
		{Folder: testrun.Folder{Dir: "go[1]", Inner: []string{"go[1]/web"}}, Language: of("go")},
		{Folder: testrun.Folder{Dir: "go[1]/web"}, Language: of("typescript")},
		{Folder: testrun.Folder{Dir: "py"}, Language: of("python")},
	}.Language()
	for path, want := range map[string]gates.Kind{
		"go[1]/a_test.go": gates.KindTest, "go[1]/a.go": gates.KindSource, "go[1]/a.py": gates.KindOther, "go1/a.py": gates.KindSource,
		"go[1]/web/a.test.ts": gates.KindTest, "go[1]/web/a_test.go": gates.KindOther, "go[1]/web/package.json": gates.KindConfig, "go[1]/package.json": gates.KindOther,
		"py/docs/a.py": gates.KindSource, "py/test_a.py": gates.KindTest, "test_a.py": gates.KindTest, "package.json": gates.KindConfig, "lib/a.go": gates.KindSource,
		"README.md": gates.KindOther, ".tdd.yaml": gates.KindOther, "testdata/x": gates.KindSupport,
	} {
		if got := l.Kind(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if l.Name != "go, typescript, python" || l.At("go[1]/web/x.ts").Name != "typescript" || l.At("test_a.py").Name != "python" || l.Inline() {
		t.Errorf("%s; %s; %s; %t", l.Name, l.At("go[1]/web/x.ts").Name, l.At("test_a.py").Name, l.Inline())
	}
}

// A module that takes the place of a runner's own is configuration, except in the project
// that it is of.
func TestShadows(t *testing.T) {
	t.Parallel()
	of := func(name string, paths ...string) testrun.Language {
		l, _ := lang.All().ByName(name)
		return l.For(paths)
	}
	for _, c := range []struct {
		language testrun.Language
		path     string
		want     gates.Kind
	}{
		{of("python", "src/pluggy_more.py", "coverage/index.html"), "src/pluggy/_hooks.py", gates.KindConfig},
		{of("python", "src/pluggy_more.py", "coverage/index.html"), "coverage/__init__.py", gates.KindConfig},
		{of("python", "src/pluggy/__init__.py"), "src/pluggy/_hooks.py", gates.KindSource},
		{of("python", "src/pluggy/__init__.py"), "src/pytest.py", gates.KindConfig},
		{of("python", "src/pluggy/__init__.py"), "_pytest/main.py", gates.KindConfig},
		{of("python", "pytest.py"), "pytest.py", gates.KindSource},
		{of("ruby", "lib/calc.rb"), "lib/minitest/calc_plugin.rb", gates.KindConfig},
		{of("ruby", "lib/minitest/reporters.rb"), "lib/minitest/reporters/html.rb", gates.KindSource},
	} {
		if got := c.language.Kind(c.path); got != c.want {
			t.Errorf("%s is %s, want %s", c.path, got, c.want)
		}
	}
}

// A project may have files of another language, which are read as what they are.
func TestAtDialect(t *testing.T) {
	t.Parallel()
	says := func(name string) testrun.Syntax {
		return testrun.Syntax{Declared: func(string) []string { return []string{name} }}
	}
	l := testrun.Language{
		Idiom: "j", Rules: testrun.PathRules(gates.KindSource, "**/*.{java,kt}"),
		Syntax: says("java"), Dialects: map[string]testrun.Dialect{".kt": {Idiom: "k", Syntax: says("kotlin")}},
	}
	all := testrun.Projects{{Language: l}}.Language()
	if got := append(all.At("a/B.kt").Declared(""), all.At("a/B.java").Declared("")...); !slices.Equal(got, []string{"kotlin", "java"}) {
		t.Errorf("%q", got)
	}
	if got := l.For([]string{"A.kt", "B.kt", "C.java", "README.md"}).Idiom + l.For([]string{"A.kt", "C.java"}).Idiom; got != "kj" {
		t.Errorf("%q", got)
	}
}
