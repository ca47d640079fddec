package testrun

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// narrow leaves out of cargo test what provably holds no test: documentation
// without code is not handed to rustdoc, and where all tests of a package stand
// in tests/, its sources are not compiled and linked a second time for unit
// tests, which is a third of such a run. The library is built as ever, also for
// what only its tests could hide. Whatever is not understood completely leaves
// the command as it is.
func narrow(dir string, argv []string) (narrowed, env []string) {
	if !wholeTest(argv) || !plainPackage(dir) {
		return argv, nil
	}
	units, docs := mayTest(dir)
	switch {
	case docs:
		return argv, nil
	case units || !integrationTests(dir):
		return argv, []string{"RUSTDOC=true"} // the program that does nothing, well
	}
	return slices.Insert(slices.Clone(argv), 2, "--test", "*"), nil
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

// mayTest reports whether the sources of a package could hold unit tests, and
// tests in their documentation. Text that comes from where nobody looks could
// hold both.
func mayTest(dir string) (units, docs bool) {
	src := os.DirFS(dir)
	err := fs.WalkDir(src, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".rs" && d.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(src, name)
		foreign := !d.Type().IsRegular() || mention(string(content), "include", "path")
		units = units || foreign || mention(string(content), "test")
		docs = docs || foreign || mention(string(content), "doc") || mayExemplify(string(content))
		return err
	})
	return units || err != nil, docs || err != nil
}

// mention reports whether part of an identifier of a source is any of these.
func mention(src string, parts ...string) bool {
	return slices.ContainsFunc(rustTokens(src), func(t rustToken) bool {
		return t.kind == rustWord && slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(t.text(src), part) })
	})
}

// mayExemplify reports whether a comment of a source could be documentation with
// code in it: between fences, or indented by four blanks or a tab.
func mayExemplify(src string) bool {
	return slices.ContainsFunc(rustTokens(src), func(t rustToken) bool {
		text := t.text(src)
		switch {
		case t.kind != rustDoc && t.kind != rustComment:
			return false
		case hasPrefix(text, "/**", "/*!"):
			return true
		}
		return hasPrefix(text, "///", "//!") && (hasPrefix(text[3:], "    ") ||
			strings.Contains(text, "\t") || strings.Contains(text, "```") || strings.Contains(text, "~~~"))
	})
}
