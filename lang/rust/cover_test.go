package rust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// covered is a library with tests inside, a program, and an integration test
// that starts it.
const covered = `
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
//! Sums.

mod never;

/// Sum is a statement over several lines, and one that is never reached.
pub fn sum(a: i32, b: i32) -> i32 {
    let text = "{
 not code";
    // a comment
    if a > 100 {

        return [
            a,
            b,
        ]
        .iter()
        .sum();
    }
    match text.len() {
        0 => 0,
        _ => a + b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        assert_eq!(sum(1, 2), 3);
    }

    fn helper() -> i32 {
        7
    }
}
-- src/never.rs --
#[allow(dead_code)]
pub fn never() -> i32 {
    1
}
-- src/main.rs --
fn main() {
    if std::env::args().count() > 7 {
        println!("seven");
    }
    println!("{}", calc::sum(101, 2));
}
-- tests/program.rs --
use std::process::Command;

#[test]
fn prints() {
    let out = Command::new(env!("CARGO_BIN_EXE_calc")).output().unwrap();
    assert_eq!(out.stdout, b"103\n");
}
`

func TestCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cargo")
	req := projecttest.Project(t, Language(), covered)
	got := projecttest.Cover(t, req)
	if strings.HasPrefix(got.Facts.Coverage.Unknown, "for Rust install llvm-profdata") {
		gittest.Need(t, got.Facts.Coverage.Unknown)
	}
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "lib::tests::sums passed\nprogram::prints passed")
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), `
src/lib.rs 6/7
src/main.rs 3/4
src/never.rs 0/2
`)
	// Another tree in the same place: what is gone leaves nothing behind.
	for _, name := range []string{"src/main.rs", "tests/program.rs"} {
		if err := os.Remove(filepath.Join(req.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	projecttest.Write(t, req.Dir, "-- src/other.rs --\n-- tests/more.rs --\n#[test]\nfn more() {\n    assert_eq!(calc::sum(101, 1), 102);\n}\n")
	req.Commands.Test = []string{"sh", "-c", "exec cargo test -q"}
	projecttest.Want(t, "by a script", projecttest.Coverage(projecttest.Cover(t, req).Facts), "src/lib.rs 6/7\nsrc/never.rs 0/2")
}

func TestCoverage_withoutTools(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cargo")
	req := projecttest.Project(t, Language(), covered)
	req.Environ = append(req.Environ, "PATH="+fakeRustc(t))
	projecttest.Want(t, "coverage", projecttest.Coverage(projecttest.Cover(t, req).Facts),
		"unknown: for Rust install llvm-profdata and llvm-cov of LLVM 9 (rustup component add llvm-tools, or the package llvm-9)")
}

// fakeRustc is a folder with a rustc that says it uses an LLVM nobody has.
func fakeRustc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'host: none'\necho 'LLVM version: 9.0.1'\n"
	if err := os.WriteFile(filepath.Join(dir, "rustc"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStatements(t *testing.T) {
	t.Parallel()
	const text = `fn a() { // {
    let x = r#"(
"#;
    foo(|y| {
        bar(
            y,
        );
    })
    .baz();

    match x {
        1 => 2,
        3 if a
            && b => 4,
        _ => {
            "}"
        }
    }
}
/* { */
fn b() {}
`
	got := statements(text)
	for n, line := range strings.Split(text, "\n") {
		begins := n+1 == 1 || n+1 == 2 || n+1 == 4 || n+1 == 5 || n+1 == 11 || n+1 == 12 || n+1 == 15 || n+1 == 16 || n+1 == 21
		if got[n+1] != begins {
			t.Errorf("line %d begins a statement: %v: %q", n+1, got[n+1], line)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("fn a() {\n    1\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		t.Parallel()
		for line := range statements(text) {
			if line < 1 || line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d", line)
			}
		}
	})
}
