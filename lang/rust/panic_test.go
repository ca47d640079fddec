package rust

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// FuzzPanic reads what a failed test of Rust printed.
func FuzzPanic(f *testing.F) {
	f.Add("thread 'a' (7) panicked at src/lib.rs:3:5:\nassertion failed: x\nnote: run with `RUST_BACKTRACE=1`", "a")
	f.Add("\nthread 'main' panicked at src/lib.rs:3:5:\nnot yet implemented", "tests::a")
	f.Fuzz(func(t *testing.T, output, name string) {
		asked := 0
		if failureClass(output, name, func(string, int) testrun.Place { asked++; return testrun.InTest }) == "" {
			t.Fatal("a failure without a class")
		}
		if asked > 1 {
			t.Fatalf("asked %d times for a place", asked)
		}
	})
}

// What a crate says that only tests use is an expectation, wherever it panics.
func TestPanicOfAssertionCrate(t *testing.T) {
	t.Parallel()
	const shim = "/rustc/59807616/library/core/src/ops/function.rs"
	for _, c := range []struct {
		text string
		want gates.Class
	}{
		{"Unexpected stdout, failed diff original var\n├── original: a", gates.ClassAssertion},
		{"Unexpected failure.\ncode=1\nstderr=``````", gates.ClassAssertion},
		{"Unexpected success\ncommand=`x`", gates.ClassAssertion},
		{"Unexpected return code, failed var == 2", gates.ClassAssertion},
		{"Unexpected file, failed diff original var", gates.ClassAssertion},
		{"Command interrupted\ncommand=`x`", gates.ClassAssertion},
		{"Unexpected end of input", gates.ClassException},
		{"unexpected token", gates.ClassException},
	} {
		printed := "\nthread 'a::b' (7) panicked at " + shim + ":250:5:\n" + c.text
		got := failureClass(printed, "a::b", func(string, int) testrun.Place { return testrun.Elsewhere })
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// Whose a crate is, is what the manifest says.
func TestForTests(t *testing.T) {
	t.Parallel()
	const manifest = `[package]
name = "x"

[dependencies]
serde = "1"
both = "1"

[dependencies.clap]
version = "4"

[dev-dependencies] # for tests
both = "1"
wire-mock.workspace = true
wiremock = { version = "0.6" }

[target.'cfg(unix)'.dev-dependencies]
unix-mock = "1"

[dev-dependencies.table_mock]
version = "2"
`
	const registry = "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/"
	for file, want := range map[string]bool{
		registry + "wiremock-0.6.5/src/mock_server/exposed_server.rs": true,
		registry + "wire-mock-1.0.0-rc.1/src/lib.rs":                  true,
		registry + "unix-mock-1.2.3/src/lib.rs":                       true,
		registry + "table_mock-2.0.0/src/lib.rs":                      true,
		registry + "both-1.0.0/src/lib.rs":                            false,
		registry + "clap-4.5.0/src/lib.rs":                            false,
		registry + "serde-1.0.0/src/lib.rs":                           false,
		registry + "itself-1.0.0/src/lib.rs":                          false,
		registry + "wire-1.0.0/src/lib.rs":                            false,
		"/rustc/59807616/library/core/src/ops/function.rs":            false,
		"tests/a.rs": false,
	} {
		if got := forTests(file, manifest); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}
