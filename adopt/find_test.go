package adopt_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// found says what Find takes for projects in files: folder, language, "untested".
func found(files map[string]string) string {
	src := sourcesOf(files)
	var out []string
	for _, f := range adopt.Find(lang.All(), src) {
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
	got := adopt.Reads(src, adopt.Find(lang.All(), src))
	for dir, reads := range want {
		if strings.Join(got[dir], " ") != reads {
			t.Errorf("%s reads %q, want %q", dir, got[dir], reads)
		}
	}
}
