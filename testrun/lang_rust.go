package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// rustLanguage is Rust with cargo.
func rustLanguage() Language {
	return Language{
		Name:    "rust",
		Markers: []string{"Cargo.toml"},
		Defaults: Commands{
			Fmt:   []string{"cargo", "fmt"},
			Check: []string{"cargo", "clippy", "--all-targets", "--", "-D", "warnings"},
			Test:  []string{"cargo", "test", "--all"},
		},
		Tools:        [][]string{{"cargo", "--version"}, {"rustc", "-vV"}},
		VersionFiles: []string{"rust-toolchain.toml", "rust-toolchain"},
		BuildDirs:    []string{"target"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindSupport, "**/*.pending-snap", "**/proptest-regressions/**"),
			rules(gates.KindTest, "**/tests/**/*.rs", "**/tests.rs"),
			rules(gates.KindSupport, "**/tests/**", "**/benches/**"),
			rules(gates.KindSource, "**/src/**/*.rs"), // src/build.rs is a module
			rules(gates.KindConfig,
				"**/Cargo.toml", "**/Cargo.lock", "**/rust-toolchain", "**/rust-toolchain.toml", "**/.cargo/**",
				"**/{,.}clippy.toml", "**/{,.}rustfmt.toml", "**/build.rs", "**/Makefile", "**/deny.toml"),
			rules(gates.KindSource, "**/*.rs"),
		),
		syntax: syntax{cuts: rustCuts, declared: rustDeclared, assertions: rustAssertions},
		check:  readCargoCheck,
		test:   readCargoTest,
		cover:  coverRust,
	}
}
