package lang_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

func TestScaffoldFiles(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"cpp":        {".gitignore", "CMakeLists.txt", "src/bank_ocr/bank_ocr.cpp", "src/bank_ocr/bank_ocr.h", "tests/README.md"},
		"java":       {".gitignore", "pom.xml", "src/main/java/bankocr/package-info.java", "src/test/java/README.md"},
		"go":         {".gitignore", "bankocr.go", "go.mod"},
		"javascript": {".gitignore", "package.json", "src/index.js", "test/README.md"},
		"python":     {".gitignore", "pyproject.toml", "src/bank_ocr.py", "tests/README.md"},
		"rust": {
			".gitignore", "Cargo.lock", "Cargo.toml", "rust-toolchain.toml", "rustfmt.toml",
			"src/lib.rs", "tests/README.md",
		},
		"typescript": {".gitignore", "package.json", "src/index.ts", "test/README.md", "tsconfig.json"},
	}
	for _, l := range lang.All() {
		language := l.Name
		if l.Scaffold.Exists() != (want[language] != nil) {
			t.Errorf("%s has a scaffold: %t", language, l.Scaffold.Exists())
		}
		if !l.Scaffold.Exists() {
			continue
		}
		files, err := l.Scaffold.Make("Bank OCR")
		gittest.Check(t, err)
		var paths []string
		for _, f := range files {
			paths = append(paths, f.Path)
			if strings.Contains(string(f.Content), "__name__") || !strings.HasSuffix(string(f.Content), "\n") {
				t.Errorf("%s: %s is\n%s", language, f.Path, f.Content)
			}
		}
		if !slices.Equal(paths, want[language]) {
			t.Errorf("%s: %q, want %q", language, paths, want[language])
		}
	}
}

func TestRustScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "cargo", "--version")
	need(t, "cargo", "clippy", "--version")
	need(t, "cargo", "fmt", "--version")
	dir, files := unpack(t, "rust", "My first kata")
	// A workspace above must not claim the project.
	gittest.Write(t, filepath.Join(filepath.Dir(dir), "Cargo.toml"), "[workspace]\nmembers = []\n")
	run(t, dir, "cargo", "test", "--locked")
	run(t, dir, "cargo", "clippy", "--locked", "--all-targets", "--", "-D", "warnings")
	run(t, dir, "cargo", "fmt", "--check")
	run(t, dir, "rustfmt", "--check", "src/lib.rs") // the way an editor calls it
	run(t, dir, "cargo", "test")                    // without --locked the lock file could change
	wantUnchanged(t, dir, files, "target")
}

func TestGoScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "go", "version")
	dir, files := unpack(t, "go", "My first kata")
	run(t, dir, "go", "test", "./...")
	run(t, dir, "go", "vet", "./...")
	if out := run(t, dir, "gofmt", "-l", "."); out != "" {
		t.Errorf("gofmt would change %s", out)
	}
	run(t, dir, "go", "mod", "tidy", "-diff")
	wantUnchanged(t, dir, files)
}

func TestPythonScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "python3", "-m", "pytest", "--version")
	dir, files := unpack(t, "python", "My first kata")
	cmd := exec.CommandContext(t.Context(), "python3", "-m", "pytest", "-p", "no:cacheprovider")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 5 { // pytest's code for no tests
		t.Errorf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
	}
	wantUnchanged(t, dir, files)
}

func TestJavaScriptScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "node", "--version")
	need(t, "npm", "--version")
	dir, files := unpack(t, "javascript", "My first kata")
	run(t, dir, "npm", "test")
	run(t, dir, "node", "--check", "src/index.js")
	wantUnchanged(t, dir, files)
}

func TestJavaScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "mvn", "--version")
	dir, _ := unpack(t, "java", "2 Übungen")
	gittest.Write(t, filepath.Join(dir, "src", "main", "java", "kata2ubungen", "One.java"),
		"package kata2ubungen;\n\nclass One {\n  static int one() {\n    return 1;\n  }\n}\n")
	gittest.Write(t, filepath.Join(dir, "src", "test", "java", "kata2ubungen", "OneTest.java"),
		"package kata2ubungen;\n\nclass OneTest {\n  @org.junit.jupiter.api.Test\n  void one() {\n"+
			"    org.junit.jupiter.api.Assertions.assertEquals(1, One.one());\n  }\n}\n")
	if out := run(t, dir, "mvn", "-B", "test"); !strings.Contains(out, "Tests run: 1, Failures: 0") {
		t.Errorf("the test did not run:\n%s", out)
	}
}

func TestCppScaffoldWorks(t *testing.T) {
	t.Parallel()
	need(t, "cmake", "--version")
	need(t, "c++", "--version")
	need(t, "test", "-e", "/usr/include/gtest/gtest.h")
	for _, project := range []string{"test", "2 Übungen", "Strings", "main"} {
		t.Run(project, func(t *testing.T) {
			t.Parallel()
			dir, files := unpack(t, "cpp", project)
			name := scaffoldOf(t, "cpp").Identifier(project)
			run(t, dir, "cmake", "-S", ".", "-B", "build")
			run(t, dir, "cmake", "--build", "build")
			wantUnchanged(t, dir, files, "build")
			gittest.Write(t, filepath.Join(dir, "src", name, name+".h"), "#pragma once\n\nnamespace "+name+" {\nint one();\n}\n")
			gittest.Write(t, filepath.Join(dir, "src", name, name+".cpp"), "#include \""+name+"/"+name+".h\"\n\nint "+name+"::one() { return 1; }\n")
			gittest.Write(t, filepath.Join(dir, "tests", "one_test.cpp"),
				"#include <gtest/gtest.h>\n\n#include \""+name+"/"+name+".h\"\n\nTEST(One, GivesOne) { EXPECT_EQ("+name+"::one(), 1); }\n")
			run(t, dir, "cmake", "--build", "build")
			if out := run(t, dir, "ctest", "--test-dir", "build"); !strings.Contains(out, "One.GivesOne ...") {
				t.Errorf("the test did not run:\n%s", out)
			}
		})
	}
}

// TypeScript needs a node that strips types, and a compiler for the check:
// TDD_NODE_MODULES names a folder with typescript and @types/node.
func TestTypeScriptScaffoldWorks(t *testing.T) {
	t.Parallel()
	needStripping(t)
	dir, files := unpack(t, "typescript", "My first kata")
	run(t, dir, "npm", "test")
	wantUnchanged(t, dir, files)
	gittest.Write(t, filepath.Join(dir, "src", "one.ts"), "export const one = (): string => '1';\n")
	gittest.Write(t, filepath.Join(dir, "src", "index.ts"), "export { one } from './one.ts';\n")
	gittest.Write(t, filepath.Join(dir, "test", "one.test.ts"), "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n"+
		"import { one } from 'my-first-kata';\n\ntest('gives one', () => assert.equal(one(), '1'));\n")
	if out := run(t, dir, "npm", "test"); !strings.Contains(out, "gives one") {
		t.Errorf("the test did not run:\n%s", out)
	}
	modules := os.Getenv("TDD_NODE_MODULES")
	for _, pkg := range []string{"typescript", "@types/node"} {
		if _, err := os.Stat(filepath.Join(modules, pkg, "package.json")); modules == "" || err != nil {
			gittest.Missing(t, "a folder TDD_NODE_MODULES that holds "+pkg)
		}
	}
	gittest.Check(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	run(t, dir, "npx", "--no-install", "tsc", "--pretty", "false")
}

// needStripping skips the test if node does not strip types by itself.
func needStripping(t *testing.T) {
	t.Helper()
	err := exec.CommandContext(t.Context(), "node", "-e", "process.exit(process.features.typescript ? 0 : 1)").Run()
	if err != nil {
		t.Skipf("node 22.18 or newer is missing: %v", err)
	}
}

// The first cycle of a project must work whatever its folder is called: a test
// outside it imports it by name.
func TestFirstTestPassesUnderAnyName(t *testing.T) {
	t.Parallel()
	for _, project := range []string{"test", "2 Übungen", "Strings", "main"} {
		t.Run("rust "+project, func(t *testing.T) {
			t.Parallel()
			need(t, "cargo", "--version")
			dir, _ := unpack(t, "rust", project)
			name := scaffoldOf(t, "rust").Identifier(project)
			gittest.Write(t, filepath.Join(dir, "src", "lib.rs"), "//! Kata.\npub fn one() -> &'static str {\n    \"1\"\n}\n")
			gittest.Write(t, filepath.Join(dir, "tests", "one.rs"),
				"use "+name+"::one;\n\n#[test]\nfn gives_one() {\n    assert_eq!(one(), String::from(\"1\"));\n}\n")
			out := run(t, dir, "cargo", "test", "--locked")
			if !strings.Contains(out, "test gives_one ... ok") {
				t.Errorf("the test did not run:\n%s", out)
			}
		})
		t.Run("python "+project, func(t *testing.T) {
			t.Parallel()
			need(t, "python3", "-m", "pytest", "--version")
			dir, _ := unpack(t, "python", project)
			name := scaffoldOf(t, "python").Identifier(project)
			gittest.Write(t, filepath.Join(dir, "src", name+".py"), "def one():\n    return '1'\n")
			gittest.Write(t, filepath.Join(dir, "tests", "test_one.py"), "from "+name+" import one\n\n\ndef test_one():\n    assert one() == '1'\n")
			if out := run(t, dir, "python3", "-m", "pytest", "-v"); !strings.Contains(out, "test_one PASSED") {
				t.Errorf("the test did not run:\n%s", out)
			}
		})
		t.Run("javascript "+project, func(t *testing.T) {
			t.Parallel()
			need(t, "npm", "--version")
			dir, _ := unpack(t, "javascript", project)
			gittest.Write(t, filepath.Join(dir, "src", "index.js"), "export const one = () => '1';\n")
			gittest.Write(t, filepath.Join(dir, "test", "one.test.js"), "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n"+
				"import { one } from '"+scaffoldOf(t, "javascript").Identifier(project)+"';\n\ntest('gives one', () => assert.equal(one(), '1'));\n")
			if out := run(t, dir, "npm", "test"); !strings.Contains(out, "gives one") {
				t.Errorf("the test did not run:\n%s", out)
			}
		})
		t.Run("go "+project, func(t *testing.T) {
			t.Parallel()
			need(t, "go", "version")
			dir, _ := unpack(t, "go", project)
			name := scaffoldOf(t, "go").Identifier(project)
			gittest.Write(t, filepath.Join(dir, "one.go"), "package "+name+"\n\nfunc One() string { return \"1\" }\n")
			gittest.Write(t, filepath.Join(dir, "one_test.go"), "package "+name+"_test\n\nimport (\n\t\"strings\"\n\t\"testing\"\n\n\t\""+name+
				"\"\n)\n\nfunc TestOne(t *testing.T) {\n\tif !strings.Contains("+name+".One(), \"1\") {\n\t\tt.Fail()\n\t}\n}\n")
			out := run(t, dir, "go", "test", "-v", "./...")
			if !strings.Contains(out, "--- PASS: TestOne") {
				t.Errorf("the test did not run:\n%s", out)
			}
		})
	}
}

// need is gittest.Need for a tool that must answer: a shim of one that is not
// installed does not.
func need(t *testing.T, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = t.TempDir()
	if err := cmd.Run(); err != nil {
		gittest.Missing(t, strings.Join(command, " "))
	}
}

// scaffoldOf is the empty project of a language.
func scaffoldOf(t *testing.T, language string) scaffold.Template {
	t.Helper()
	l, err := lang.All().ByName(language)
	gittest.Check(t, err)
	return l.Scaffold
}

// unpack writes a scaffold to a folder of that name.
func unpack(t *testing.T, language, project string) (string, []scaffold.File) {
	t.Helper()
	files, err := scaffoldOf(t, language).Make(project)
	gittest.Check(t, err)
	dir := filepath.Join(t.TempDir(), project)
	for _, f := range files {
		gittest.Write(t, filepath.Join(dir, filepath.FromSlash(f.Path)), string(f.Content))
	}
	return dir, files
}

// run is gittest.Run without a network.
func run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"CARGO_NET_OFFLINE=true", "CARGO_TARGET_DIR="+filepath.Join(dir, "target"), "RUSTUP_AUTO_INSTALL=0",
		"GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
	return gittest.Run(t, cmd)
}

// wantUnchanged demands that the tools left the scaffold as it was: every file
// the same, none added but in the directories named.
func wantUnchanged(t *testing.T, dir string, files []scaffold.File, ignore ...string) {
	t.Helper()
	want := gittest.Files{}
	for _, f := range files {
		want[f.Path] = string(f.Content)
	}
	if got := gittest.Snapshot(t, dir, ignore...); !maps.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}
