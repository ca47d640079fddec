package testrun

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// narrow leaves out of cargo test what provably holds no test: where the tests
// of a package stand in tests/ alone, its sources are not built a second time
// for unit tests, nor handed to rustdoc for those in documentation, which
// together is a third of such a run. The integration tests need the library and
// the programs, so these are built as ever, and what they do not compile shows.
// Whatever is not understood completely leaves the command as it is.
func narrow(dir string, argv []string) []string {
	if !wholeTest(argv) || !plainPackage(dir) || !integrationTests(dir) || !withoutTests(dir) {
		return argv
	}
	return slices.Insert(slices.Clone(argv), 2, "--test", "*")
}

// wholeTest reports whether a command runs all tests that cargo test runs.
func wholeTest(argv []string) bool {
	if len(argv) < 2 || filepath.Base(argv[0]) != "cargo" || argv[1] != "test" && argv[1] != "t" {
		return false
	}
	own := argv[2:]
	if end := slices.Index(own, "--"); end >= 0 {
		own = own[:end]
	}
	return !slices.ContainsFunc(own, func(arg string) bool {
		switch arg {
		case "--no-fail-fast", "--message-format=json":
			return false
		}
		return arg == "--all-targets" || !slices.Contains(plainFlags(), arg)
	})
}

// plainPackage reports whether a directory holds one package, laid out as cargo
// expects, and whether all macros that its sources can use are in sight.
func plainPackage(dir string) bool {
	for _, name := range []string{"build.rs", ".cargo", "examples", "benches"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return false
		}
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "Cargo.toml"))
	return err == nil && plainManifest(string(manifest))
}

// plainManifest reports whether a manifest declares a package without targets of
// its own, other packages or dependencies. Those for tests only do no harm: the
// library must compile without them.
func plainManifest(text string) bool {
	if strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return false // a text that could look like a table
	}
	table := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			table = line
			if !plainTable(table) {
				return false
			}
		case !plainKey(table, line):
			return false
		}
	}
	return strings.Contains(text, "[package]")
}

// plainTable reports whether a table may stand in a plain manifest.
func plainTable(header string) bool {
	switch header {
	case "[package]", "[dependencies]", "[build-dependencies]", "[workspace]":
		return true
	}
	return harmlessTable(header)
}

// harmlessTable reports whether a table decides neither which targets there are
// nor what their sources may use, whatever it says.
func harmlessTable(header string) bool {
	return hasPrefix(header, "[dev-dependencies]", "[dev-dependencies.", "[lints.", "[profile.")
}

// plainKey reports whether a line of a table may stand in a plain manifest.
func plainKey(table, line string) bool {
	key, _, _ := strings.Cut(line, "=")
	return harmlessTable(table) || table == "[package]" && slices.Contains([]string{
		"name", "version", "edition", "rust-version", "publish", "description", "license", "authors",
		"repository", "homepage", "readme", "keywords", "categories",
	}, strings.TrimSpace(key))
}

// integrationTests reports whether cargo finds any in a package.
func integrationTests(dir string) bool {
	for _, pattern := range []string{"*.rs", "*/main.rs"} {
		if found, _ := filepath.Glob(filepath.Join(dir, "tests", pattern)); len(found) > 0 { // the pattern is well-formed
			return true
		}
	}
	return false
}

// withoutTests reports whether no source of a package can hold a test.
func withoutTests(dir string) bool {
	src, without := os.DirFS(dir), true
	err := fs.WalkDir(src, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".rs" && d.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(src, name)
		if !d.Type().IsRegular() || mayTest(string(content)) { // a link leads elsewhere
			without = false
			return fs.SkipAll
		}
		return err
	})
	return without && err == nil
}

// mayTest reports whether a source could hold a test, of itself or in its
// documentation, or bring in text from where nobody has looked.
func mayTest(src string) bool {
	return slices.ContainsFunc(rustTokens(src), func(t rustToken) bool {
		text := t.text(src)
		switch t.kind {
		case rustWord:
			return slices.ContainsFunc([]string{"test", "include", "path", "doc"}, func(part string) bool { return strings.Contains(text, part) })
		case rustDoc, rustComment:
			return mayExemplify(text)
		case rustSpace, rustText, rustPunct:
		}
		return false
	})
}

// mayExemplify reports whether a comment could be documentation with code in it:
// between fences, or indented by four blanks or a tab.
func mayExemplify(comment string) bool {
	if hasPrefix(comment, "/**", "/*!") {
		return true
	}
	if !hasPrefix(comment, "///", "//!") {
		return false
	}
	return hasPrefix(comment[3:], "    ") || strings.Contains(comment, "\t") ||
		strings.Contains(comment, "```") || strings.Contains(comment, "~~~")
}
