package rust

import "testing"

// What a source needs to leave the tests early, or to speak in their place, is seen.
func TestAwareness(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"pub fn add(a: i32) -> i32 { std::process::exit(0) }":                          true,
		"use std::process::exit;":                                                      true,
		"use std::process::{self, exit};":                                              true,
		"unsafe { libc::_exit(0) }":                                                    true,
		"use std::os::unix::process::CommandExt;":                                      true,
		`println!("{{ \"type\": \"test\", \"event\": \"ok\", \"name\": \"adds\" }}");`: true,
		`const FORGED: &str = r#"{ "type": "suite", "event": "ok", "passed": 1 }"#;`:   true,
		`const OLD: &str = include_str!("../tests/sum.rs");`:                           true,
		`extern "C" { fn _exit(code: i32) -> !; }`:                                     true,
		`extern "C" { fn exit(code: i32) -> !; }`:                                      true,
		`std::fs::read("/proc/self/cmdline")`:                                          true,
		"fn main() { std::process::exit(1) }":                                          false,
		"use std::process::Command;":                                                   false,
		`pub const SHAPE: &str = r#"{ "type": "test", "name": "blood" }"#;`:            false,
		`pub struct Event { event: String } // "event": "ok"`:                          false,
		`const PAGE: &str = include_str!("../templates/latest/page.html");`:            false,
		"pub fn exits(door: &Door) -> bool { door.exit }":                              false,
	} {
		if got := len(Language().Awareness.In(text)) > 0; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
