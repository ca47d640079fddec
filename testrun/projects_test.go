package testrun_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// found says what Find takes for projects in files: folder, language, "untested".
func found(files map[string]string) string {
	src := sourcesOf(files)
	var out []string
	for _, f := range lang.All().Find(src) {
		text := "[" + f.Dir + "] " + f.Language.Name
		if !f.Tested {
			text += " untested"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func sourcesOf(files map[string]string) testrun.Sources {
	return testrun.Sources{Paths: slices.Sorted(maps.Keys(files)), Read: func(name string) string { return files[name] }}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"three languages", map[string]string{
			"backend/go.mod": "", "backend/a_test.go": "", "api/pyproject.toml": "", "api/tests/test_a.py": "", "api/tests/conftest.py": "",
			"web/package.json": "{}", "web/tsconfig.json": "{}", "web/a.test.ts": "", "web/src/tsconfig.json": "{}",
		}, "[api] python, [backend] go, [web] typescript"},
		{"samples are none", map[string]string{
			"go.mod": "", "a_test.go": "", "examples/x/go.mod": "", "examples/x/a_test.go": "", "testdata/p/package.json": "{}", "testdata/p/a.test.js": "",
		}, "[] go"},
		{"a workspace of Go", map[string]string{
			"go.work": "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": "", "a/a_test.go": "", "b/go.mod": "", "b/b_test.go": "",
		}, "[] go"},
		{"modules without a workspace", map[string]string{
			"go.mod": "", "x_test.go": "", "tools/go.mod": "", "tools/a_test.go": "", "gen/go.mod": "", "gen/gen.go": "",
		}, "[] go, [gen] go untested, [tools] go"},
		{"a workspace of cargo", map[string]string{
			"Cargo.toml": "[workspace]\nmembers = [\"a\"]\nexclude = [\"c\"]\n", "a/Cargo.toml": "[package]", "a/src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n",
			"c/Cargo.toml": "[package]", "c/tests/a.rs": "", "d/Cargo.toml": "[workspace]", "d/src/main.rs": "fn main() {}",
		}, "[] rust, [c] rust, [d] rust untested"},
		{"modules of Maven", map[string]string{
			"pom.xml": "<modules><module>a</module>\n<module>./b</module></modules>", "a/pom.xml": "<modules><module>c</module></modules>", "a/c/pom.xml": "",
			"a/c/src/test/java/XTest.java": "", "b/pom.xml": "", "other/pom.xml": "", "other/src/test/java/XTest.java": "",
		}, "[] java, [other] java"},
		{"projects of Gradle", map[string]string{
			"settings.gradle.kts": "include(\"a\")", "a/build.gradle.kts": "", "a/src/test/kotlin/XTest.kt": "", "b/settings.gradle": "", "b/src/test/java/XTest.java": "",
		}, "[] java, [b] java"},
		{"workspaces of npm", map[string]string{
			"package.json":            `{"workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"}}`,
			"packages/a/package.json": `{"name": "a", "scripts": {"test": "node --test"}}`, "packages/a/test/c.test.js": "",
			"packages/b/package.json": `{"name": "b", "scripts": {"test": "node --test"}}`, "packages/b/test/c.test.js": "",
		}, "[] javascript untested, [packages/a] javascript, [packages/b] javascript"},
		{"workspaces that one run tests", map[string]string{
			"package.json":            `{"workspaces": ["packages/*"], "scripts": {"test": "vitest run --silent"}}`,
			"packages/a/package.json": `{"name": "a", "scripts": {"test": "vitest run"}}`, "packages/a/test/c.test.js": "",
			"packages/b/package.json": `{"name": "b"}`, "packages/b/test/c.test.js": "",
		}, "[] javascript"},
		{"bats with a package.json", map[string]string{"package.json": "{}", "bin/x": "", "test/a.bats": "", "test/fixtures/b.bats": ""}, "[] shell"},
		{"tests of Python beside nothing", map[string]string{"src/a.py": "", "tests/conftest.py": "", "tests/test_a.py": ""}, "[] python"},
		{"packages of Python", map[string]string{
			"pyproject.toml": "", "tests/test_a.py": "", "packages/a/pyproject.toml": "", "packages/a/tests/test_a.py": "", "lib/requirements.txt": "", "lib/test_b.py": "",
		}, "[] python, [packages/a] python"},
	} {
		if got := found(c.files); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	src := sourcesOf(map[string]string{
		"a/package.json": `{"name": "@x/a", "dependencies": {"@x/b": "*"}}`, "a/a.test.js": "",
		"b/package.json": `{"name": "@x/b", "dependencies": {}}`, "b/b.js": `import x from "../c/src/x.js"`, "b/b.test.js": "",
		"c/package.json": `{"name": "@x/c"}`, "c/c.test.js": "// not ../ab/x and no ../a.b", "ab/package.json": `{"name": "ab"}`, "ab/d.test.js": "",
		"go/go.mod": "replace example.com/lib => ../lib/go\n", "go/x_test.go": "", "lib/go/go.mod": "", "lib/go/x_test.go": "",
	})
	want := map[string]string{"a": "ab b c", "b": "ab c", "c": "ab", "ab": "", "go": "lib/go", "lib/go": ""}
	got := testrun.Reads(src, lang.All().Find(src))
	for dir, reads := range want {
		if strings.Join(got[dir], " ") != reads {
			t.Errorf("%s reads %q, want %q", dir, got[dir], reads)
		}
	}
}

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
