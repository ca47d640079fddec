package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestCargoWorkspace(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	files := `
-- Cargo.toml --
[workspace]
members = ["a", "dir"]
resolver = "2"
-- a/Cargo.toml --
[package]
name = "a"
version = "0.1.0"
edition = "2024"
-- a/src/lib.rs --
//! ` + "```" + `
//! assert!(true);
//! ` + "```" + `

/// ` + "```" + `
/// assert!(true);
/// ` + "```" + `
/// ` + "```" + `no_run
/// loop {}
/// ` + "```" + `
/// ` + "```" + `compile_fail
/// let x: i32 = "";
/// ` + "```" + `
/// ` + "```" + `ignore
/// x
/// ` + "```" + `
/// ` + "```" + `
/// missing();
/// ` + "```" + `
pub fn f() {}
#[test]
fn t() {}
-- a/tests/it.rs --
#[test]
fn t() {}
-- dir/Cargo.toml --
[package]
name = "b"
version = "0.1.0"
edition = "2021"
-- dir/src/lib.rs --
/// ` + "```" + `
/// panic!("here");
/// ` + "```" + `
pub struct S;
-- dir/tests/it.rs --
#[test]
fn t() {}
`
	req := project(t, "rust", files)
	cargoCase{outcome: gates.Failed, tests: `
a/doc::a/src/lib.rs - (top) (1) passed
a/doc::a/src/lib.rs - f (1) passed
a/doc::a/src/lib.rs - f (2) passed
a/doc::a/src/lib.rs - f (3) passed
a/doc::a/src/lib.rs - f (4) skipped
a/doc::a/src/lib.rs - f (5) failed missing-symbol
a/it::t passed
a/lib::t passed
b/doc::dir/src/lib.rs - S (1) failed assertion
b/it::t passed
`}.check(t, measure(t, req))

	// One target that does not compile keeps all others from running.
	write(t, req.Dir, "-- dir/tests/new.rs --\n#[test]\nfn t() { b::missing() }\n")
	cargoCase{outcome: gates.Broken, diagnostics: "dir/tests/new.rs missing-symbol missing"}.check(t, measure(t, req))
}

func TestCargoCheck(t *testing.T) {
	t.Parallel()
	need(t, "cargo", "cargo-clippy")
	req := project(t, "rust", crate+"-- src/lib.rs --\npub fn one() -> i32 { return 1; }\n-- tests/it.rs --\n#[test] fn t() {}\n")
	req.Commands.Check = req.Language.Defaults.Check
	got := measure(t, req)
	if got.Facts.Check != gates.Failed || got.Facts.Outcome != gates.Passed {
		t.Errorf("check %s, tests %s", got.Facts.Check, got.Facts.Outcome)
	}
	want(t, "lint", diagnostics(got.Facts.CheckDiagnostics), "src/lib.rs compile")

	write(t, req.Dir, "-- src/lib.rs --\npub fn one() -> i32 { 1 }\n-- tests/it.rs --\n#[test] fn t() { calc::two(); }\n")
	got = measure(t, req)
	if got.Facts.Check != gates.Broken || got.Facts.Outcome != gates.Broken {
		t.Errorf("check %s, tests %s", got.Facts.Check, got.Facts.Outcome)
	}
	want(t, "missing", diagnostics(got.Facts.CheckDiagnostics), "tests/it.rs missing-symbol two")

	write(t, req.Dir, "-- tests/it.rs --\n#[test] fn t() { calc::one(); }\n")
	if got = measure(t, req); !got.Facts.Green() {
		t.Errorf("not green: %+v", got.Facts)
	}
}
