package rust

import (
	"embed"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are an empty project.
//
//go:embed all:scaffold
var files embed.FS

// unfetchedPattern is what cargo says of a crate that it did not get.
var unfetchedPattern = lazyregexp.New(`no matching package|failed to (?:get|download|fetch|query)|[Uu]nable to update|download of `)

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
		Wants:        []testrun.Want{{Tool: "rustc", File: "Cargo.toml", Pattern: lazyregexp.New(`(?m)^rust-version\s*=\s*"([\d.]+)"`), AtLeast: true}},
		VersionFiles: []string{"rust-toolchain.toml", "rust-toolchain"},
		BuildDirs:    []string{"target"},
		Rules: slices.Concat(
			testrun.SharedConfig(),
			testrun.SharedSupport(),
			testrun.PathRules(gates.KindSupport, "**/*.pending-snap", "**/proptest-regressions/**"),
			testrun.PathRules(gates.KindTest, "**/tests/**/*.rs", "**/tests.rs"),
			testrun.PathRules(gates.KindSupport, "**/tests/**", "**/benches/**"),
			testrun.PathRules(gates.KindSource, "**/src/**/*.rs"), // src/build.rs is a module
			testrun.PathRules(gates.KindConfig,
				"**/Cargo.toml", "**/Cargo.lock", "**/rust-toolchain", "**/rust-toolchain.toml", "**/.cargo/**",
				"**/{,.}clippy.toml", "**/{,.}rustfmt.toml", "**/build.rs", "**/deny.toml"),
			testrun.PathRules(gates.KindSource, "**/*.rs"),
		),
		Idiom:    `unit tests stand in a #[cfg(test)] module of the source, all others in tests/*.rs; assert_eq!(actual, expected) for a value, #[should_panic] for a panic.`,
		Stub:     `todo!()`,
		Raises:   "panics",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: "_"},
		Installation: testrun.Installation{
			Caches: caches, Sees: sees, Inherits: []string{"CARGO_HOME", "RUSTUP_HOME"}, Sets: []string{"CARGO_TERM_COLOR=never", "RUST_BACKTRACE=0"}, Prefixes: []string{"CARGO", "RUST"}, Identify: identify,
		},
		Awareness: testrun.Awareness{
			Asks:    new(lazyregexp.New(`\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#!?\[\s*cfg(?:_attr)?\s*\(\s*(?:not\s*\(\s*test|any\s*\(\s*test|all\s*\(\s*not\s*\(\s*test)|\bthread::current\(\)\s*\.\s*name\b|\bcurrent_exe\(|\bpanic::(?:set_hook|take_hook)\b|\bBacktrace::\w+|\bRUST_TEST\w*|\bprocess::abort\b|\b(?:libc|unistd)::(?:_exit|exit|abort|kill)\b|\bCommandExt\b|\\?"type\\?"\s*:\s*\\?"(?:test|suite)\\?"\s*,\s*\\?"event\\?"|\binclude_(?:str|bytes)!\s*\(\s*"[^"]*\btests?/`)),
			Leaves:  new(lazyregexp.New(`\bprocess::(?:exit\b|\{[^}]*\bexit\b)|\benv::args(?:_os)?\(`)),
			Program: new(lazyregexp.New(`(?m)^\s*(?:pub\s+)?(?:async\s+)?fn main\s*\(`)),
		},
		Installs: []testrun.Install{{Run: `cargo fetch`, Lacks: unfetchedPattern.MatchString}},
		Syntax:   testrun.Syntax{Cuts: cuts, Declared: declared, Assertions: assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Joins: joins, Code: page().Plain},
		Check:    readCheck,
		Ends:     lazyregexp.New(`^test .* \.\.\. (?:ok|FAILED|ignored)`).MatchString,
		Test:     readTest,
		Cover:    cover,
		Narrow:   narrow,
	}
}
