package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

func TestByName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rust", "go", "python", "javascript", "typescript", "ruby", "php", "java", "cpp", "shell", "generic"} {
		if l, err := lang.All().ByName(name); err != nil || l.Name != name {
			t.Errorf("%s: %s, %v", name, l.Name, err)
		}
	}
	for _, name := range []string{"", "cobol"} {
		if _, err := lang.All().ByName(name); err == nil || !strings.Contains(err.Error(), "rust, go, python, ") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for paths, want := range map[string]string{
		"Cargo.toml src/lib.rs":              "rust",
		"go.mod a.go":                        "go",
		"tools/Cargo.toml go.mod":            "go",
		"tools/go.mod Cargo.toml":            "rust",
		"a/b/go.mod a/Cargo.toml":            "rust",
		"go.work a/go.mod":                   "go",
		"pyproject.toml a.py":                "python",
		"requirements.txt go.mod":            "go",
		"package.json src/index.js":          "javascript",
		"package.json tsconfig.json a.ts":    "typescript",
		"package.json pyproject.toml":        "python",
		"web/package.json Cargo.toml":        "rust",
		"Gemfile lib/a.rb":                   "ruby",
		"Makefile test/a.bats":               "shell",
		"composer.json src/A.php":            "php",
		"calc.gemspec lib/calc.rb":           "ruby",
		"pom.xml src/main/java/A.java":       "java",
		"settings.gradle.kts a/build.gradle": "java",
		"CMakeLists.txt src/a.cpp":           "cpp",
		"a.py tests/test_a.py":               "python",
		"a_test.py README.md":                "python",
		"lib/a.rb spec/a_spec.rb":            "ruby",
		"a.rb test/test_a.rb":                "ruby",
		"src/A.php tests/ATest.php":          "php",
		"tools/test_a.py go.mod":             "go",
		".venv/lib/test_a.py a.c":            "",
		"a.py b.rb":                          "",
		"":                                   "",
		"docs/Cargo.toml.md notCargo.toml ":  "",
	} {
		got, ok := lang.All().Detect(strings.Fields(paths))
		if got.Name != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", paths, got.Name, ok, want)
		}
	}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	for paths, want := range map[string]string{
		"Gemfile spec/a_spec.rb":        "bundle exec rspec",
		"x.gemspec .rspec":              "rspec",
		"Gemfile Rakefile test/a.rb":    "bundle exec rake test",
		"Rakefile test/a_test.rb":       "rake test",
		"lib/a.rb Gemfile test/a.rb":    "ruby -Ilib",
		"Cargo.toml Rakefile spec/a.c":  "cargo test",
		"pom.xml":                       "mvn -B test",
		"pom.xml mvnw":                  "./mvnw -B test",
		"a/gradlew pom.xml":             "mvn -B test",
		"gradlew build.gradle.kts":      "./gradlew --no-daemon test",
		"settings.gradle a/gradlew":     "gradle --no-daemon test",
		"a.sh tests/b/a.bats":           "bats -r tests",
		"composer.json tests/ATest.php": "vendor/bin/phpunit tests",
	} {
		l, _ := lang.All().Detect(strings.Fields(paths))
		if got := strings.Join(l.Defaults.Test, " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", paths, got, want)
		}
	}
}

// Where the program of the first way to test a project is missing, another counts that
// is here.
func TestInstead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ paths, here, want string }{
		{"Gemfile spec/a_spec.rb", "rspec rake", "rspec"},
		{"Gemfile Rakefile test/a_test.rb", "rspec rake", "rake test"},
		{"Gemfile Rakefile test/a_test.rb", "rspec", ""},
		{"pom.xml", "gradle", ""},
		{"Cargo.toml src/lib.rs", "rake", ""},
	} {
		paths, here := strings.Fields(c.paths), strings.Fields(c.here)
		l, _ := lang.All().Detect(paths)
		got := l.Instead(paths, func(program string) bool { return slices.Contains(here, program) })
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s with %s: %q, want %q", c.paths, c.here, got, c.want)
		}
	}
}

// Commands that fetch what they need themselves have nothing to install, but for what
// they could not fetch.
func TestInstallLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ paths, said, want string }{
		{"package.json a.test.js", "Cannot find module 'x'", "npm install"},
		{"go.mod a.go", "a.go:3:8: example.org/x@v1.1.0: reading https://proxy.example.org/x.zip: 403 Forbidden", "go mod download"},
		{"go.mod a.go", "example.org/x@v1.1.0: Get \"https://p/x.zip\": dial tcp: lookup p on 10.0.0.1:53: no such host", "go mod download"},
		{"go.mod a.go", "go: go.mod requires go >= 9.9 (running go 1.26)", ""},
		{"Cargo.toml src/lib.rs", "error: failed to download from `https://crates.io/x`", "cargo fetch"},
		{"Cargo.toml src/lib.rs", "error: failed to run custom build command for `x`", ""},
		{"pom.xml mvnw", "Could not transfer artifact junit:junit:pom:4.13 from/to central", "./mvnw dependency:go-offline"},
		{"pom.xml", "Could not resolve dependencies for project a:b:jar:1", "mvn dependency:go-offline"},
		{"pom.xml", "Detected Maven Version: 3.8.7 is not in the allowed range [3.9,)", ""},
		{"build.gradle gradlew", "Could not GET 'https://repo.maven.apache.org/x.pom'", "./gradlew testClasses"},
		{"build.gradle", "Could not resolve all files for configuration ':testCompileClasspath'", "gradle testClasses"},
	} {
		l, _ := lang.All().Detect(strings.Fields(c.paths))
		if got := l.InstallLine(strings.Fields(c.paths), c.said); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.paths, c.said, got, c.want)
		}
	}
}

func TestKind(t *testing.T) {
	t.Parallel()
	for language, kinds := range map[string]map[gates.Kind]string{
		"rust": {
			gates.KindTest:    "tests/it.rs tests/common/mod.rs a/tests/it.rs src/tests.rs src/foo/tests.rs src/foo/tests/bar.rs a/src/tests.rs",
			gates.KindSupport: "tests/data.json tests/fixtures/Cargo.toml testdata/a.rs src/snapshots/a.snap tests/snapshots/x.snap benches/b.rs fixtures/x proptest-regressions/a.txt",
			gates.KindSource:  "src/lib.rs src/main.rs src/a/b.rs a/src/lib.rs src/build.rs examples/e.rs src/contests.rs src/attests/a.rs",
			gates.KindConfig:  "Cargo.toml Cargo.lock a/Cargo.toml rust-toolchain.toml rust-toolchain .cargo/config.toml clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml build.rs a/build.rs",
			gates.KindOther:   "README.md docs/a.md LICENSE kata.md .gitignore",
		},
		"go": {
			gates.KindTest:    "a_test.go x/y_test.go internal/z/z_test.go",
			gates.KindSupport: "testdata/a.go x/testdata/b_test.go a/fixtures/x.json x.golden",
			gates.KindSource:  "a.go cmd/x/main.go x_tester.go",
			gates.KindConfig:  "go.mod go.sum x/go.mod go.work go.work.sum",
			gates.KindOther:   "README.md LICENSE docs/x.txt",
		},
		"python": {
			gates.KindTest:    "tests/test_a.py test_a.py pkg/a_test.py pkg/tests.py tests/unit/test_b.py",
			gates.KindSupport: "conftest.py tests/conftest.py tests/__init__.py tests/helpers.py tests/data.json tests/__snapshots__/a.ambr testdata/x.py",
			gates.KindSource:  "calc.py src/calc/__init__.py src/contest.py setup_helper.py",
			gates.KindConfig:  "pyproject.toml setup.py setup.cfg pytest.ini tox.ini requirements.txt requirements-dev.txt poetry.lock sitecustomize.py .venv/bin/python tests/.tox/py/fixtures/x makefile JustFile",
			gates.KindOther:   "README.md docs/a.md LICENSE kata.md .gitignore",
		},
		"typescript": {
			gates.KindTest:    "src/a.test.ts a.spec.tsx test/a.ts src/__tests__/a.mts a_test.js test-a.mjs",
			gates.KindSupport: "test/data.json src/__mocks__/a.ts src/__snapshots__/a.snap test/fixtures/a.ts vitest.setup.ts tests/helper.ts",
			gates.KindSource:  "src/a.ts index.js lib/contest.ts src/data.json",
			gates.KindConfig:  "package.json package-lock.json tsconfig.json tsconfig.build.json vitest.config.ts jest.config.cjs .eslintrc.json .oxlintrc.json .npmrc packages/a/node_modules/b/test/c.js",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"ruby": {
			gates.KindTest:    "test/a_test.rb test/test_a.rb spec/a_spec.rb test/models/b_test.rb",
			gates.KindSupport: "test/test_helper.rb spec/spec_helper.rb spec/support/x.rb test/data.json test/fixtures/a.yml spec/rails_helper.rb",
			gates.KindSource:  "lib/calc.rb app/models/a.rb bin/calc lib/contest.rb config.ru",
			gates.KindConfig:  "Gemfile Gemfile.lock Rakefile calc.gemspec .rspec .rubocop.yml .ruby-version lib/tasks/a.rake",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"java": {
			gates.KindTest:    "src/test/java/calc/CalcTest.java a/src/test/kotlin/CalcTests.kt src/test/java/TestCalc.java src/integrationTest/java/a/CalcIT.java CalcTest.java",
			gates.KindSupport: "src/test/java/calc/Fixture.java src/test/resources/a.json src/testFixtures/java/A.java src/test/resources/fixtures/x.txt",
			gates.KindSource:  "src/main/java/calc/Calc.java src/main/resources/a.properties Calc.java src/main/java/calc/Contest.java",
			gates.KindConfig:  "pom.xml a/pom.xml build.gradle build.gradle.kts settings.gradle gradle.properties gradle/wrapper/gradle-wrapper.properties mvnw gradlew .mvn/jvm.config src/test/resources/junit-platform.properties buildSrc/src/A.java",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"php": {
			gates.KindTest:    "tests/CalcTest.php tests/Unit/BTest.php src/ATest.php tests/BaseTestCase.php",
			gates.KindSupport: "tests/bootstrap.php tests/helper.php tests/data.json tests/Fixtures/ATest.php",
			gates.KindSource:  "src/Calc.php index.php lib/a.inc bin/run src/Contest.php",
			gates.KindConfig:  "composer.json composer.lock phpunit.xml phpunit.xml.dist phpstan.neon .php-cs-fixer.dist.php",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"cpp": {
			gates.KindTest:    "tests/a.cpp test/unit/b.cc calc_test.cpp src/calc.test.cc CalcTest.cpp test_calc.c tests.cpp",
			gates.KindSupport: "tests/helper.h tests/data.json tests/fixtures/a.cpp testdata/x.c",
			gates.KindSource:  "src/a.cpp include/calc/a.h a.c src/contest.cpp src/latest.hpp config.h.in",
			gates.KindConfig:  "CMakeLists.txt tests/CMakeLists.txt cmake/Find.cmake CMakePresets.json conanfile.txt vcpkg.json .clang-format",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"shell": {
			gates.KindTest:    "test/a.bats a.bats",
			gates.KindSupport: "test/test_helper.bash test/test_helper/bats-assert/load.bash test/data.txt test/fixtures/a.sh setup_suite.bash",
			gates.KindSource:  "calc.sh lib/a.bash bin/calc libexec/x src/y.sh",
			gates.KindConfig:  "Makefile .shellcheckrc package.json",
			gates.KindOther:   "README.md LICENSE kata.md .gitignore",
		},
		"generic": {
			gates.KindTest:    "test/a.js tests/a.py spec/x_spec.rb src/a.test.ts a_test.py test_a.py x/test_b.py src/test/java/A.java a.bats",
			gates.KindSupport: "tests/fixtures/a.json conftest.py __snapshots__/a.snap",
			gates.KindSource:  "src/a.py lib/x.rb main.c index.ts",
			gates.KindConfig:  "package.json pyproject.toml Makefile pom.xml vitest.config.ts",
			gates.KindOther:   "README.md docs/a.py LICENSE logo.png",
		},
	} {
		l, err := lang.All().ByName(language)
		if err != nil {
			t.Fatal(err)
		}
		for kind, paths := range kinds {
			for path := range strings.FieldsSeq(paths) {
				if got := l.Kind(path); got != kind {
					t.Errorf("%s: %s is %s, want %s", language, path, got, kind)
				}
			}
		}
	}
}

func TestEveryPatternIsValid(t *testing.T) {
	t.Parallel()
	for _, l := range append(lang.All(), testrun.Generic()) {
		for _, r := range l.Rules {
			if !doublestar.ValidatePattern(r.Pattern) {
				t.Errorf("%s: %s", l.Name, r.Pattern)
			}
		}
	}
}

func TestSplitByKind(t *testing.T) {
	t.Parallel()
	rust, err := lang.All().ByName("rust")
	if err != nil {
		t.Fatal(err)
	}
	for path, wantSource := range map[string]bool{"src/lib.rs": true, "tests/a.rs": false, "testdata/x": false, "Cargo.toml": true, "README.md": true} {
		source, test := rust.Split(path, []byte("x"))
		if (source == "x") != wantSource || source+test != "x" {
			t.Errorf("%s: %q %q", path, source, test)
		}
	}
}

func TestEveryLanguageHasWordsForPrompts(t *testing.T) {
	t.Parallel()
	others := map[string]string{"javascript": "t.is(actual, expected) with AVA", "typescript": "t.is(actual, expected) with AVA", "ruby": `it "name" in minitest/spec`}
	for _, l := range lang.All() {
		if l.Idiom == "" || l.Stub == "" || !strings.Contains(l.Idiom, others[l.Name]) {
			t.Errorf("%s: idiom %q, stub %q", l.Name, l.Idiom, l.Stub)
		}
	}
}
