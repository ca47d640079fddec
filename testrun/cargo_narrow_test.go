package testrun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// narrowable is a package whose tests stand in tests/ alone.
const narrowable = `
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"

[dependencies]

[dev-dependencies]
# rstest = "1"

[lints.rust]
unsafe_code = "forbid"

[workspace]
-- src/lib.rs --
//! Sums, one test at a time.

/// Adds "#[test]": what a test calls.
pub fn add(a: i32, b: i32) -> i32 {
    // test me
    a + b
}
-- tests/calc.rs --
#[test]
fn adds() {
    assert_eq!(calc::add(1, 2), 3);
}
`

func TestNarrow(t *testing.T) {
	t.Parallel()
	const quiet = "RUSTDOC=true"
	for name, c := range map[string]struct{ command, files, want, env string }{
		"as it is":                    {"cargo test", "", "cargo test --test *", ""},
		"flags of ours":               {"cargo test --no-fail-fast --message-format=json --all", "", "cargo test --test * --no-fail-fast --message-format=json --all", ""},
		"arguments of the tests":      {"cargo test -- --nocapture", "", "cargo test --test * -- --nocapture", ""},
		"a program as well":           {"cargo test", "-- src/main.rs --\nfn main() {}\n", "cargo test --test *", ""},
		"a folder of a test":          {"cargo test", "-- tests/calc.rs --\n-- tests/more/main.rs --\n#[test]\nfn more() {}\n", "cargo test --test *", ""},
		"other targets":               {"cargo test --lib", "", "", ""},
		"all targets":                 {"cargo test --all-targets", "", "", ""},
		"one name":                    {"cargo test adds", "", "", ""},
		"another manifest":            {"cargo test --manifest-path x/Cargo.toml", "", "", ""},
		"a toolchain":                 {"cargo +nightly test", "", "", ""},
		"another program":             {"make test", "", "", ""},
		"nextest":                     {"cargo nextest run", "", "", ""},
		"no tests folder":             {"cargo test", "-- tests/calc.rs --\n", "", quiet},
		"only modules of tests":       {"cargo test", "-- tests/calc.rs --\n-- tests/common/mod.rs --\n", "", quiet},
		"unit tests":                  {"cargo test", "-- src/unit.rs --\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn unit() {}\n}\n", "", quiet},
		"a test by another name":      {"cargo test", "-- src/unit.rs --\nuse core::prelude::v1::test as t;\n#[t]\nfn unit() {}\n", "", quiet},
		"a raw name":                  {"cargo test", "-- src/unit.rs --\n#[r#test]\nfn unit() {}\n", "", quiet},
		"a test in a program":         {"cargo test", "-- src/bin/a.rs --\nfn main() {}\n#[test]\nfn unit() {}\n", "", quiet},
		"text from elsewhere":         {"cargo test", "-- src/unit.rs --\ninclude!(\"unit.in\");\n", "", ""},
		"a module from elsewhere":     {"cargo test", "-- src/unit.rs --\n#[path = \"../unit.in\"]\nmod unit;\n", "", ""},
		"documentation with code":     {"cargo test", "-- src/unit.rs --\n/// ```\n/// assert!(true)\n/// ```\npub fn a() {}\n", "", ""},
		"code between tildes":         {"cargo test", "-- src/unit.rs --\n//! ~~~\n//! assert!(true)\n//! ~~~\n", "", ""},
		"code by indentation":         {"cargo test", "-- src/unit.rs --\n/// It holds:\n///\n///     assert!(true)\npub fn a() {}\n", "", ""},
		"code behind a tab":           {"cargo test", "-- src/unit.rs --\n/// It holds:\n///\n///\tassert!(true)\npub fn a() {}\n", "", ""},
		"documentation in a block":    {"cargo test", "-- src/unit.rs --\n/** ```\nassert!(true)\n``` */\npub fn a() {}\n", "", ""},
		"documentation at the top":    {"cargo test", "-- src/unit.rs --\n/*! ```\nassert!(true)\n``` */\n", "", ""},
		"documentation as attribute":  {"cargo test", "-- src/unit.rs --\n#![doc = \"```\\nassert!(true)\\n```\"]\n", "", ""},
		"an example":                  {"cargo test", "-- examples/e.rs --\nfn main() {}\n", "", ""},
		"a bench":                     {"cargo test", "-- benches/b.rs --\n", "", ""},
		"a build script":              {"cargo test", "-- build.rs --\nfn main() {}\n", "", ""},
		"flags of its own":            {"cargo test", "-- .cargo/config.toml --\n", "", ""},
		"another package":             {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[workspace]\nmembers = [\"x\"]\n", "", ""},
		"a dependency":                {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[dependencies]\nquick = \"1\"\n", "", ""},
		"a dependency by table":       {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[dependencies.quick]\n", "", ""},
		"a dependency of a target":    {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[target.'cfg(unix)'.dependencies]\nquick = \"1\"\n", "", ""},
		"a dependency above":          {"cargo test", "-- Cargo.toml --\ndependencies.quick = \"1\"\n[package]\nname = \"calc\"\n", "", ""},
		"a target of its own":         {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[[test]]\nname = \"a\"\npath = \"b.rs\"\n", "", ""},
		"a library elsewhere":         {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\n[lib]\npath = \"lib/calc.rs\"\n", "", ""},
		"a key that decides":          {"cargo test", "-- Cargo.toml --\n[package]\nname = \"calc\"\nautotests = false\n", "", ""},
		"a text over many lines":      {"cargo test", "-- Cargo.toml --\n[package]\ndescription = \"\"\"\n[profile.dev]\n\"\"\"\nautotests = false\n", "", ""},
		"a text over lines, unquoted": {"cargo test", "-- Cargo.toml --\n[package]\ndescription = '''\n[profile.dev]\n'''\nautotests = false\n", "", ""},
		"no manifest":                 {"cargo test", "-- Cargo.toml --\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "rust", overlaid(narrowable, c.files))
			argv := strings.Fields(c.command)
			want := argv
			if c.want != "" {
				want = strings.Fields(c.want)
			}
			got, env := narrow(req.Dir, argv)
			if !slices.Equal(got, want) || strings.Join(env, " ") != c.env {
				t.Errorf("%q %q, want %q %q", env, got, c.env, want)
			}
		})
	}
}

func TestNarrowFollowsNoLink(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"unit", "unit.rs"} {
		req := project(t, "rust", overlaid(narrowable, "-- elsewhere/mod.rs --\n#[test]\nfn unit() {}\n"))
		if err := os.Symlink("../elsewhere", filepath.Join(req.Dir, "src", name)); err != nil {
			t.Fatal(err)
		}
		if got, env := narrow(req.Dir, []string{"cargo", "test"}); len(got) > 2 || env != nil {
			t.Errorf("%s: %q %q", name, env, got)
		}
	}
}

// overlaid replaces files of a txtar text by those of another; an empty one is
// taken away, unless it is in a folder that must only exist.
func overlaid(files, over string) string {
	all := txtar.Parse([]byte(files))
	for _, f := range txtar.Parse([]byte(over)).Files {
		all.Files = slices.DeleteFunc(all.Files, func(g txtar.File) bool { return g.Name == f.Name })
		if len(f.Data) > 0 || !strings.HasPrefix(f.Name, "tests/calc") && f.Name != "Cargo.toml" {
			all.Files = append(all.Files, f)
		}
	}
	return string(txtar.Format(all))
}

// What a narrowed command leaves out changes no fact: those of a package are the
// same beside a unit that makes cargo build everything.
func TestNarrowChangesNoFact(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	ids := map[string][]string{}
	for name, over := range map[string]string{
		"narrow": "",
		"whole":  "-- src/main.rs --\nfn main() {\n    let _ = cfg!(test);\n}\n",
		"unit":   "-- src/main.rs --\nfn main() {}\n#[test]\nfn unit() {}\n",
		"doc":    "-- src/main.rs --\nfn main() {}\n-- src/lib.rs --\n//! It adds:\n//!\n//!     assert_eq!(calc::add(1, 2), 3);\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
	} {
		result := measure(t, project(t, "rust", overlaid(narrowable, over)))
		for _, test := range result.Facts.Tests {
			ids[name] = append(ids[name], test.ID)
		}
	}
	for name, want := range map[string][]string{
		"narrow": {"calc::adds"}, "whole": {"calc::adds"}, "unit": {"bin.calc::unit", "calc::adds"}, "doc": {"calc::adds", "doc::src/lib.rs - (top) (1)"},
	} {
		if !slices.Equal(ids[name], want) {
			t.Errorf("%s: %q, want %q", name, ids[name], want)
		}
	}
}
