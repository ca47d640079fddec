package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// asksDebug is a package whose one test passes where it is built without debug
// information.
const asksDebug = `
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"
-- build.rs --
fn main() {
    println!("cargo:rustc-env=HAS={}", std::env::var("DEBUG").unwrap());
}
-- src/lib.rs --
#[test]
fn lean() {
    assert_eq!(env!("HAS"), "false");
}
`

func TestDebugInfo(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	for name, c := range map[string]struct {
		over string
		env  []string
		want gates.Outcome
	}{
		"nobody asks for it":        {"", nil, gates.Passed},
		"the package asks for it":   {"-- Cargo.toml --\n[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[profile.dev]\ndebug = 1\n", nil, gates.Failed},
		"cargo is told to":          {"-- .cargo/config.toml --\nprofile.dev.debug = true\n", nil, gates.Failed},
		"cargo is told the old way": {"-- .cargo/config --\nprofile.dev.debug = true\n", nil, gates.Failed},
		"the project declares it":   {"", []string{"CARGO_PROFILE_DEV_DEBUG=line-tables-only"}, gates.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "rust", overlaid(asksDebug, c.over))
			req.Env = append(req.Env, c.env...)
			if got := measure(t, req); got.Facts.Outcome != c.want {
				t.Errorf("%s, want %s: %v", got.Facts.Outcome, c.want, got)
			}
		})
	}
}
