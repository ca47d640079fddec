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
