package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

const crate = `
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"
`

func TestCargoVerdicts(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	req := project(t, "rust", crate+`
[[test]]
name = "plain"
harness = false
[[test]]
name = "sad"
harness = false
-- src/lib.rs --
/// Adds.
/// `+"```"+`
/// assert_eq!(calc::add(1, 2), 3);
/// `+"```"+`
/// `+"```"+`
/// assert_eq!(calc::add(1, 2), 4);
/// `+"```"+`
pub fn add(a: i32, b: i32) -> i32 { a + b }
pub fn stub() -> i32 { todo!() }
pub fn boom(v: &[i32]) -> i32 { v[9] }
pub fn strict(n: i32) -> i32 { assert!(n > 0); n }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn good() { assert_eq!(add(1, 2), 3) }
    #[test]
    fn bad() { assert_eq!(add(1, 2), 4, "sum é") }
    #[test]
    fn plain_panic() { if add(1, 2) != 4 { panic!("no") } }
    #[test]
    #[ignore = "later"]
    fn ignored() {}
    #[test]
    fn stubbed() { stub(); }
    #[test]
    fn exception() { boom(&[]); }
    #[test]
    fn contract() { strict(0); }
    #[test]
    fn unwraps() { None::<i32>.unwrap(); }
    #[test]
    #[should_panic]
    fn must_panic() {}
    #[test]
    #[should_panic(expected = "zz")]
    fn must_panic_so() { panic!("aa") }
    #[test]
    fn error() -> Result<(), String> { Err("x".into()) }
    #[test]
    fn imitates() {
        use std::io::Write;
        let text = "{ \"type\": \"test\", \"event\": \"ok\", \"name\": \"tests::bad\" }\n{ \"type\": \"test\", \"event\": \"started\", \"name\": \"tests::forged\" }\n{ \"type\": \"test\", \"event\": \"ok\", \"name\": \"tests::forged\" }\nno newline";
        std::io::stdout().write_all(text.as_bytes()).unwrap();
    }
    mod größe {
        #[test]
        fn naïve() {}
    }
}
-- src/main.rs --
fn main() {}
#[test]
fn of_binary() {}
-- tests/it.rs --
#[test]
fn sums() { assert_eq!(calc::add(1, 1), 2); }
-- tests/plain.rs --
fn main() { println!("test src/lib.rs - forged (line 3) ... ok"); }
-- tests/sad.rs --
fn main() { eprintln!("sad"); std::process::exit(3) }
`)
	got := measure(t, req)
	if got.Facts.Outcome != gates.Failed || got.Facts.Detail != gates.DetailTest {
		t.Errorf("outcome %s, detail %s, %v", got.Facts.Outcome, got.Facts.Detail, got.Facts.Diagnostics)
	}
	want(t, "tests", tests(got.Facts), `
bin.calc::of_binary passed
doc::src/lib.rs - add (1) passed
doc::src/lib.rs - add (2) failed assertion
it::sums passed
lib::tests::bad failed assertion
lib::tests::contract failed exception
lib::tests::error failed exception
lib::tests::exception failed exception
lib::tests::good passed
lib::tests::größe::naïve passed
lib::tests::ignored skipped
lib::tests::imitates passed
lib::tests::must_panic failed assertion
lib::tests::must_panic_so failed assertion
lib::tests::plain_panic failed assertion
lib::tests::stubbed failed unimplemented
lib::tests::unwraps failed exception
plain passed
sad failed exception
`)
	if bad, _ := got.Facts.Lookup("lib::tests::bad"); bad.File != "src/lib.rs" || bad.Line == 0 {
		t.Errorf("place of bad: %s:%d", bad.File, bad.Line)
	}
	t.Log(got.Runs[0].Output)
}

// cargoCase is a change to a small crate and what must come of it.
type cargoCase struct {
	name, files string
	argv        []string
	outcome     gates.Outcome
	tests       string
	diagnostics string
}

const lib = `
-- src/lib.rs --
pub mod math { pub struct Point { pub x: i32 } }
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[cfg(test)]
mod tests {
    #[test]
    fn old() {}
}
`

func TestCargoOutcomes(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	for _, c := range []cargoCase{
		{
			name: "missing symbols", outcome: gates.Broken, files: crate + lib + `
-- tests/new.rs --
use calc::{mul, parse::Parser};
use calc::math::Circle;
#[test]
fn t() {
    calc::sub(1);
    let p = calc::math::Point { x: 1, y: 2 };
    p.norm();
    p.z;
    let s = Stack::new();
    calc::math::Point::origin();
    helper!();
}
`,
			diagnostics: `
tests/new.rs missing-symbol Circle
tests/new.rs missing-symbol Stack
tests/new.rs missing-symbol helper
tests/new.rs missing-symbol mul
tests/new.rs missing-symbol norm
tests/new.rs missing-symbol origin
tests/new.rs missing-symbol parse
tests/new.rs missing-symbol sub
tests/new.rs missing-symbol y
tests/new.rs missing-symbol z
`,
		},
		{
			name: "a missing symbol and a type error", outcome: gates.Broken, files: crate + lib + `
-- tests/new.rs --
#[test]
fn t() { let x: i32 = "a"; calc::sub(1); calc::add(1); }
`,
			diagnostics: "tests/new.rs compile\ntests/new.rs compile\ntests/new.rs missing-symbol sub",
		},
		{
			name: "a foreign crate", outcome: gates.Broken, files: crate + lib + `
-- tests/new.rs --
use serde::Serialize;
`, diagnostics: "tests/new.rs infra",
		},
		{
			name: "a missing symbol in production code", outcome: gates.Broken, files: crate + `
-- src/lib.rs --
pub fn add() -> i32 { sub() }
#[cfg(test)]
mod tests { #[test] fn t() { super::mul(); } }
`, diagnostics: "src/lib.rs compile\nsrc/lib.rs missing-symbol mul",
		},
		{
			name: "syntax", outcome: gates.Broken, files: crate + lib + "-- tests/new.rs --\n#[test]\nfn t( {\n",
			diagnostics: "tests/new.rs syntax",
		},
		{
			name: "a denied lint", outcome: gates.Broken,
			files:       crate + "-- src/lib.rs --\n#![deny(warnings)]\nfn unused() {}\n",
			diagnostics: "src/lib.rs compile",
		},
		{
			name: "no tests", outcome: gates.Empty, files: crate + "-- src/lib.rs --\n",
			diagnostics: "no-tests",
		},
		{
			name: "a filter that matches nothing", outcome: gates.Empty, files: crate + lib,
			argv: []string{"cargo", "test", "zzz"}, diagnostics: "no-tests",
		},
		{
			name: "a filter and options", outcome: gates.Passed, files: crate + lib + "-- tests/it.rs --\n#[test] fn older() {}\n#[test] fn new() {}\n",
			argv: []string{"cargo", "test", "-q", "old", "--", "--test-threads=1"}, tests: "it::older passed\nlib::tests::old passed",
		},
		{
			name: "exit 0 in a test", outcome: gates.Crashed, files: crate + `
-- tests/it.rs --
#[test] fn a() {}
#[test] fn z() { std::process::exit(0) }
`, argv: []string{"cargo", "test", "--", "--test-threads=1"}, tests: "it::a passed", diagnostics: "crash",
		},
		{
			name: "abort in a test", outcome: gates.Crashed, files: crate + `
-- tests/it.rs --
#[test] fn a() {}
#[test] fn z() { std::process::abort() }
`, argv: []string{"cargo", "test", "--", "--test-threads=1"}, tests: "it::a passed", diagnostics: "crash",
		},
		{
			name: "a broken manifest", outcome: gates.Crashed, files: "-- Cargo.toml --\n[package\n", diagnostics: "infra",
		},
		{
			name: "a dependency that cannot be had", outcome: gates.Crashed, files: crate + "[dependencies]\nserde = \"=99.0.0\"\n" + lib,
			diagnostics: "infra",
		},
		{
			name: "no such subcommand", outcome: gates.Crashed, files: crate + lib,
			argv: []string{"cargo", "no-such-thing", "test"}, diagnostics: "runner-missing",
		},
		{
			name: "no cargo", outcome: gates.Crashed, files: crate + lib,
			argv: []string{"cargo-of-another-world", "test"}, diagnostics: "runner-missing",
		},
		{
			name: "make", outcome: gates.Failed, files: crate + lib + `
-- tests/it.rs --
#[test] fn a() {}
#[test] fn b() { panic!() }
-- src/bin/tool.rs --
fn main() {}
#[test] fn c() {}
-- run.sh --
cargo test --no-fail-fast >/dev/null 2>&1 || true
`, argv: []string{"sh", "run.sh"}, tests: "bin.tool::c passed\nit::a passed\nit::b failed assertion\nlib::tests::old passed",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "rust", c.files)
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}

func (c cargoCase) check(t *testing.T, got Result) {
	t.Helper()
	if got.Facts.Outcome != c.outcome {
		t.Errorf("outcome %s, want %s", got.Facts.Outcome, c.outcome)
	}
	want(t, "tests", tests(got.Facts), c.tests)
	want(t, "diagnostics", diagnostics(got.Facts.Diagnostics), c.diagnostics)
	if t.Failed() {
		t.Logf("%+v\n%s", got.Facts.Diagnostics, got.Runs[len(got.Runs)-1].Output)
	}
}
