package agenthook_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestEdits asks for edits in each phase: what the phase forbids is denied with
// whose turn it is, and the tests inside a source are no source.
func TestEdits(t *testing.T) {
	t.Parallel()
	claude, err := presets.ByName("claude")
	gittest.Check(t, err)
	start := newLab(t)
	red := newLab(t).red(t)
	green := newLab(t).red(t).green(t)
	for _, c := range []struct {
		at   lab
		tool string
		args object
		want string // part of the denial; empty: it may
	}{
		{start, "Write", object{"file_path": "tests/new.rs", "content": "#[test] fn x() {}"}, ""},
		{start, "Write", object{"file_path": "src/new.rs", "content": "pub fn x() {}"}, "the tester's turn"},
		{start, "Edit", object{"file_path": "src/lib.rs", "old_string": "    0\n", "new_string": "    1\n"}, "the tester's turn"},
		{start, "Edit", object{"file_path": "src/lib.rs", "old_string": "assert_eq!(super::add(), 0)", "new_string": "assert_eq!(super::add(), 1)"}, ""},
		{start, "Edit", object{"file_path": "src/lib.rs", "old_string": "not there", "new_string": "x"}, ""}, // the tool will fail by itself
		{start, "Write", object{"file_path": "README.md", "content": "x"}, ""},
		{start, "Write", object{"file_path": "Cargo.toml", "content": "x"}, ""},
		{start, "Write", object{"file_path": ".tdd.yaml", "content": "x"}, "protected"},
		{start, "Write", object{"file_path": "kata.md", "content": "x"}, "protected"},
		{start, "Write", object{"file_path": ".claude/settings.json", "content": "{}"}, "protected"},
		{start, "Write", object{"file_path": ".git/hooks/commit-msg", "content": "x"}, "belongs to git"},
		{start, "Write", object{"file_path": "sub/../.git/config", "content": "x"}, "belongs to git"},
		{start, "Write", object{"file_path": filepath.Join(start.Home, "elsewhere.rs"), "content": "x"}, ""},
		{red, "Edit", object{"file_path": "src/lib.rs", "old_string": "    0\n", "new_string": "    1\n"}, ""},
		{red, "Edit", object{"file_path": "src/lib.rs", "old_string": "assert_eq!(super::add(), 0)", "new_string": "assert!(true)"}, "makes calc::one pass"},
		{red, "Write", object{"file_path": "tests/calc.rs", "content": ""}, "the implementor's turn"},
		{red, "MultiEdit", object{"file_path": "src/lib.rs", "edits": []object{
			{"old_string": "    0\n", "new_string": "    1\n"}, {"old_string": "add(), 0)", "new_string": "add(), 1)"},
		}}, "the implementor's turn"},
		{green, "Edit", object{"file_path": "src/lib.rs", "old_string": "    0\n", "new_string": "    1\n"}, ""},
		{green, "Write", object{"file_path": "tests/new.rs", "content": "x"}, ""},
		{start, "Read", object{"file_path": "src/lib.rs"}, ""},
	} {
		a := c.at.ask(t, claude, tool(claude, c.tool, c.args))
		if c.want == "" && a.Deny != "" || !strings.Contains(a.Deny, c.want) {
			t.Errorf("%s %v: %q, want %q", c.tool, c.args, a.Deny, c.want)
		}
	}
}

// TestTells has a gate that only tells speak in a note. The rules, git's own files and
// ways around the hooks stay out of an agent's reach.
func TestTells(t *testing.T) {
	t.Parallel()
	claude, err := presets.ByName("claude")
	gittest.Check(t, err)
	l := newLab(t)
	l.Write(".tdd.yaml", "language: rust\nkata_description: kata.md\ngates: {enforce: {default: tell, protected: refuse}}\n")
	l.Commit("chore: look first")
	l.judge = judgeOf(t, l.Repo)
	for path, noted := range map[string]bool{"src/new.rs": true, "kata.md": false, ".tdd.yaml": false, ".git/config": false} {
		a := l.ask(t, claude, tool(claude, "Write", object{"file_path": path, "content": "pub fn x() {}"}))
		if (a.Deny == "") != noted || noted != strings.Contains(a.Note, "would be refused, and is let through (gates.enforce: tell)") {
			t.Errorf("%s: %+v", path, a)
		}
	}
	if a := l.ask(t, claude, shell(claude, "git commit --no-verify -m x")); a.Deny == "" {
		t.Error("an agent may go around the hooks")
	}
	l.Write("src/lib.rs", l.Read("src/lib.rs")+"pub fn one() -> i32 {\n    1\n}\n")
	if a := l.ask(t, claude, object{"session_id": "s", "hook_event_name": "Stop"}); a.Again != "" || !strings.Contains(a.Note, "not committed") {
		t.Errorf("at the end: %+v", a)
	}
}

// TestPatches reads the patches of apply_patch, hunk by hunk.
func TestPatches(t *testing.T) {
	t.Parallel()
	codex, err := presets.ByName("codex")
	gittest.Check(t, err)
	l := newLab(t)
	head, end := "*** Begin Patch\n", "*** End Patch"
	for patch, want := range map[string]string{
		"*** Update File: src/lib.rs\n@@ fn zero\n-    fn zero() { assert_eq!(super::add(), 0); }\n+    fn zero() { assert_eq!(super::add(), 1); }\n": "",
		"*** Update File: src/lib.rs\n@@\n pub fn add() -> i32 {\n-    0\n+    1\n }\n":                                                               "the tester's turn",
		"*** Add File: tests/a.rs\n+#[test]\n+fn a() {}\n*** Add File: src/a.rs\n+fn a() {}\n":                                                        "src/a.rs",
		"*** Delete File: src/lib.rs\n":                                               "the tester's turn",
		"*** Update File: tests/calc.rs\n*** Move to: src/calc.rs\n@@\n-#[test]\n+\n": "",
	} {
		a := l.ask(t, codex, tool(codex, "apply_patch", object{"command": head + patch + end}))
		if want == "" && a.Deny != "" || !strings.Contains(a.Deny, want) {
			t.Errorf("%s: %q, want %q", patch, a.Deny, want)
		}
	}
}

// TestStop sends a turn back that leaves something unproven, twice at most, and
// never for what the agent did not write.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, p := range hooked(t) {
		l := newLab(t)
		stops := object{"session_id": "s", "sessionId": "s", "sessionID": "s", "conversation_id": "s"}
		l.Write("src/lib.rs", "pub fn add() -> i32 { 7 }\n")
		if a := l.ask(t, p, stops); a.Again != "" {
			t.Errorf("%s: sent back for what was there before: %s", p.Name, a.Again)
		}
		l.Git("checkout", "--quiet", ".")
		l.ask(t, p, shell(p, "echo > tests/calc.rs"))
		l.Write("tests/calc.rs", "#[test]\nfn one() { assert_eq!(calc::add(), 1); }\n")
		for n, want := range []string{"nothing has measured it yet", "nothing has measured it yet", ""} {
			if a := l.ask(t, p, stops); (a.Again == "") != (want == "") || !strings.Contains(a.Again, want) || (a.Note == "") != (n < 2) {
				t.Errorf("%s: time %d: %+v", p.Name, n, a)
			}
		}
		if a := l.ask(t, p, stops); a.Again != "" || a.Note != "" {
			t.Errorf("%s: the next turn: %+v", p.Name, a)
		}
	}
}

// TestStopNamesWhatIsWrong wants the finding where no role may do what was done.
func TestStopNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	claude, err := presets.ByName("claude")
	gittest.Check(t, err)
	l := newLab(t).red(t)
	l.ask(t, claude, shell(claude, "touch src/lib.rs"))
	l.Write("src/lib.rs", "pub fn add() -> i32 { 1 }\n") // its inline test is gone
	if a := l.ask(t, claude, object{"session_id": "s"}); !strings.Contains(a.Again, "the implementor changes a test") {
		t.Errorf("%+v", a)
	}
	l.Write("NOTES.md", "x")
	l.Git("checkout", "--quiet", "src")
	if a := l.ask(t, claude, object{"session_id": "s"}); a.Again != "" || a.Note != "" {
		t.Errorf("documentation is no step: %+v", a)
	}
}

// TestNothingToHoldTo lets everything pass where there is no rule.
func TestNothingToHoldTo(t *testing.T) {
	t.Parallel()
	claude, err := presets.ByName("claude")
	gittest.Check(t, err)
	l := newLab(t)
	write := tool(claude, "Write", object{"file_path": "src/lib.rs", "content": "x"})
	gittest.Write(t, l.Path(".git/MERGE_HEAD"), l.Git("rev-parse", "HEAD")+"\n")
	if a := l.ask(t, claude, write); a.Deny != "" {
		t.Errorf("in a merge: %s", a.Deny)
	}
	bare := gittest.New(t)
	bare.Commit("start")
	if a := (lab{Repo: bare, judge: judgeOf(t, bare)}).ask(t, claude, write); a.Deny != "" {
		t.Errorf("without .tdd.yaml: %s", a.Deny)
	}
}
