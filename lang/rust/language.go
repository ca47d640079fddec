package rust

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are what starts test binaries, and an empty project.
//
//go:embed reporters all:scaffold
var files embed.FS

// unfetchedPattern is what cargo says of a crate that it did not get.
var unfetchedPattern = lazyregexp.New(`no matching package|failed to (?:get|download|fetch|query|select a version)|[Uu]nable to update|download of `)

// Language is Rust with cargo.
func Language() testrun.Language {
	return testrun.Language{
		Name:    "rust",
		Markers: []string{"Cargo.toml"},
		Covers:  covers,
		Defaults: testrun.Commands{
			Fmt:   []string{"cargo", "fmt"},
			Check: []string{"cargo", "clippy", "--all-targets", "--", "-D", "warnings"},
			Test:  []string{"cargo", "test", "--all"},
		},
		Tools:        [][]string{{"cargo", "--version"}, {"rustc", "-vV"}},
		VersionFiles: []string{"rust-toolchain.toml", "rust-toolchain"},
		BuildDirs:    []string{"target"},
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindSupport, "**/*.pending-snap", "**/proptest-regressions/**"),
			testrun.PathRules(gates.KindTest, "**/tests/**/*.rs", "**/tests.rs"),
			testrun.PathRules(gates.KindSupport, "**/tests/**", "**/benches/**"),
			testrun.PathRules(gates.KindSource, "**/src/**/*.rs"), // src/build.rs is a module
			testrun.PathRules(gates.KindConfig,
				"**/Cargo.toml", "**/Cargo.lock", "**/rust-toolchain", "**/rust-toolchain.toml", "**/.cargo/**",
				"**/{,.}clippy.toml", "**/{,.}rustfmt.toml", "**/build.rs", "**/deny.toml"),
			testrun.PathRules(gates.KindSource, "**/*.rs"),
		),
		Within:   "a #[cfg(test)] module",
		Idiom:    `unit tests stand in a #[cfg(test)] module of the source, all others in tests/*.rs; assert_eq!(actual, expected) for a value, #[should_panic] for a panic.`,
		Stub:     `todo!()`,
		Raises:   "panics",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: "_"},
		Installation: testrun.Installation{
			Inherits: []string{"CARGO_HOME", "RUSTUP_HOME"}, Sets: []string{"CARGO_TERM_COLOR=never", "RUST_BACKTRACE=0"},
			Offline:  []string{"CARGO_NET_OFFLINE=true"}, // without a lock file cargo asks for newer dependencies
			Prefixes: []string{"CARGO", "RUST"}, Identify: identify,
			Caches: testrun.FoldersOf("$CARGO_HOME|~/.cargo/registry", "$CARGO_HOME|~/.cargo/git"),
			Sees: testrun.FoldersOf("$RUSTUP_HOME|~/.rustup", "$CARGO_HOME|~/.cargo/bin", "$CARGO_HOME|~/.cargo/env", // and not its keys
				"$CARGO_HOME|~/.cargo/config.toml", "$CARGO_HOME|~/.cargo/config"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#!?\[\s*cfg(?:_attr)?\s*\(\s*(?:not\s*\(\s*test|any\s*\(\s*test|all\s*\(\s*not\s*\(\s*test)|\bthread::current\(\)\s*\.\s*name\b|\bcurrent_exe\(|\bpanic::(?:set_hook|take_hook)\b|\bBacktrace::\w+|\bRUST_TEST\w*|\bprocess::abort\b|\b(?:libc|unistd)::(?:_exit|exit|abort|kill)\b|\bfn\s+_?(?:exit|Exit|abort)\s*\([^)]*\)\s*->\s*!\s*;|\bCommandExt\b|\\?"type\\?"\s*:\s*\\?"(?:test|suite)\\?"\s*,\s*\\?"event\\?"|\binclude_(?:str|bytes)!\s*\(\s*"[^"]*\btests?/`),
			Leaves:  lazyregexp.New(`\bprocess::(?:exit\b|\{[^}]*\bexit\b)|\benv::args(?:_os)?\(`),
			Program: lazyregexp.New(`(?m)^\s*(?:pub\s+)?(?:async\s+)?fn main\s*\(`),
		},
		Installs: []testrun.Install{{Run: `cargo fetch`, Lacks: unfetchedPattern.MatchString}},
		Syntax:   testrun.Syntax{Cuts: cuts, Declared: page().Declared, Assertions: page().Assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Joins: func(content string) []string { return modulePattern().FindAllString(content, -1) }, Code: page().Plain, Docs: &syntax.Documenting{Block: docPattern, Example: "```", Item: itemPattern}},
		Check:    readCheck,
		Test:     readTest,
		Cover:    cover,
		Narrow:   narrow,
	}
}

// identify adds the state of an installed toolchain, or of rustup if the program
// is a proxy of it: a link to it, or a copy beside it.
func identify(f testrun.Fingerprint, tool, path string) bool {
	if tool != "cargo" && tool != "rustc" {
		return false
	}
	f.File(filepath.Join(filepath.Dir(filepath.Dir(path)), "lib"))
	beside := filepath.Join(filepath.Dir(path), "rustup")
	f.File(beside)
	_, err := os.Stat(beside)
	switch {
	case err == nil || filepath.Base(path) == "rustup":
		identifyRustup(f)
	case filepath.Base(path) != tool:
		f.Incomplete()
	}
	return true
}

// identifyRustup adds which toolchains there are and how the user chooses among them.
func identifyRustup(f testrun.Fingerprint) {
	home := cmp.Or(f.Value("RUSTUP_HOME"), filepath.Join(f.Value("HOME"), ".rustup"))
	byPath := func(choice string) bool { return strings.Contains(choice, "path") || strings.ContainsAny(choice, `/\`) }
	if !filepath.IsAbs(home) || slices.ContainsFunc(append(f.Chosen(), f.Value("RUSTUP_TOOLCHAIN")), byPath) {
		f.Incomplete()
	}
	f.Content(filepath.Join(home, "settings.toml"))
	f.Content("/etc/rustup/settings.toml")
	all := filepath.Join(home, "toolchains")
	f.File(all)
	installed, err := os.ReadDir(all)
	if err != nil || runtime.GOOS == "windows" {
		f.Incomplete()
	}
	for _, toolchain := range installed {
		path, err := filepath.EvalSymlinks(filepath.Join(all, toolchain.Name()))
		f.Add(toolchain.Name(), path, fmt.Sprint(err == nil))
		for _, part := range []string{"", "lib", "bin/cargo", "bin/rustc"} {
			f.File(filepath.Join(path, part))
		}
	}
}

var (
	workspacePattern = lazyregexp.New(`(?m)^\s*\[workspace(?:\.[\w-]+)*\]`)
	excludePattern   = lazyregexp.New(`(?m)^\s*exclude\s*=\s*\[[^\]]*`)

	// cratePattern finds a crate that cargo downloaded in the path of one of its files.
	cratePattern = lazyregexp.New(`/registry/src/[^/]+/([\w-]+?)-\d[^/]*/`)

	tablePattern = lazyregexp.New(`(?m)^[ \t]*\[`)
)

// covers reports whether the workspace of a Cargo.toml has the package in a folder.
// Cargo itself refuses one inside that neither belongs to it nor is excluded.
func covers(p testrun.Sources, dir string) bool {
	outer := p.Read("Cargo.toml")
	if !workspacePattern.MatchString(outer) || workspacePattern.MatchString(p.Read(dir+"/Cargo.toml")) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(excludePattern().FindString(outer), ","), func(one string) bool {
		one = strings.Trim(one[strings.IndexByte(one, '[')+1:], "]/\"' \t\r\n")
		return one != "" && strings.HasPrefix(dir+"/", one+"/")
	})
}

// forTests reports whether a file belongs to a crate on which, by a Cargo.toml, the
// tests depend and the sources do not. What it panics with is the expectation of a
// test, because nothing else can have called it.
func forTests(file, manifest string) bool {
	hit := cratePattern().FindStringSubmatch(file)
	if hit == nil {
		return false
	}
	name := strings.NewReplacer("_", "[-_]", "-", "[-_]").Replace(regexp.QuoteMeta(hit[1]))
	named := regexp.MustCompile(`(?m)^[ \t]*"?` + name + `"?[ \t]*[.=]|dependencies\."?` + name + `"?\]`)
	tests, sources := false, false
	for _, table := range tablePattern().Split(manifest, -1) {
		head, _, _ := strings.Cut(table, "]")
		if strings.Contains(head, "dependencies") && named.MatchString(table) {
			dev := strings.Contains(head, "dev-dependencies")
			tests, sources = tests || dev, sources || !dev
		}
	}
	return tests && !sources
}
