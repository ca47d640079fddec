package agenthook_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// lab is a repository in which agents work, with a judge that must not measure.
type lab struct {
	*gittest.Repo

	judge agenthook.Judge
}

// newLab makes a Rust project, whose sources may hold tests, at the start.
func newLab(t *testing.T) lab {
	t.Helper()
	r := gittest.New(t)
	r.Write(".tdd.yaml", "language: rust\nkata_description: kata.md\n")
	r.Write("kata.md", "# Kata\n")
	r.Write("Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\n")
	r.Write("src/lib.rs", "pub fn add() -> i32 {\n    0\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn zero() { assert_eq!(super::add(), 0); }\n}\n")
	r.Write("tests/calc.rs", "#[test]\nfn zero() { assert_eq!(calc::add(), 0); }\n")
	r.Commit("chore: start")
	return lab{Repo: r, judge: judgeOf(t, r)}
}

func judgeOf(t *testing.T, r *gittest.Repo) agenthook.Judge {
	t.Helper()
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	checker := check.New(check.Options{
		Repo: repo, Dirs: facts.Dirs{Cache: filepath.Join(r.Home, "cache"), State: filepath.Join(r.Home, "state")}, Environ: r.Env, Languages: lang.All(),
		Fresh: check.Recorded, Evidence: gates.EvidenceOff, Permit: func(*check.Project) error { return check.ErrNotRecorded },
	})
	return agenthook.Judge{Repo: repo, Checker: checker}
}

// red goes to the position after a red.
func (l lab) red(t *testing.T) lab {
	t.Helper()
	l.Write("tests/calc.rs", l.Read("tests/calc.rs")+"#[test]\nfn one() { assert_eq!(calc::add(), 1); }\n")
	l.Commit("test: one\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\nTdd-Red: calc::one (assertion)")
	return lab{Repo: l.Repo, judge: judgeOf(t, l.Repo)}
}

// green goes on to the position after the green.
func (l lab) green(t *testing.T) lab {
	t.Helper()
	l.Commit("feat: one\n\nTdd-Step: 2\nTdd-Role: implementor\nTdd-Cycle: 1\nTdd-Phase: green")
	return lab{Repo: l.Repo, judge: judgeOf(t, l.Repo)}
}

// ask puts an agent's JSON to the judge.
func (l lab) ask(t *testing.T, p presets.Preset, input any) agenthook.Answer {
	t.Helper()
	text, err := json.Marshal(input)
	gittest.Check(t, err)
	call, err := agenthook.Parse(p, text)
	gittest.Check(t, err)
	call.Dir = l.Dir
	a, err := l.judge.Answer(t.Context(), p.Name, call)
	gittest.Check(t, err)
	return a
}

type object = map[string]any

// shell is a call of an agent's shell in its own form.
func shell(p presets.Preset, command string) object {
	return tool(p, p.Tools.Shell[0], object{"command": command})
}

// tool is a call of one of an agent's tools in its own form.
func tool(p presets.Preset, name string, args object) object {
	switch p.Name {
	case "copilot":
		text, _ := json.Marshal(args) //nolint:errchkjson // strings alone
		return object{"sessionId": "s", "timestamp": 1, "toolName": name, "toolArgs": string(text)}
	case "opencode":
		return object{"sessionID": "s", "tool": name, "args": args}
	case "cursor":
		return object{"conversation_id": "s", "hook_event_name": "preToolUse", "tool_name": name, "tool_input": args}
	}
	return object{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": args}
}

// hooked lists the agents that have hooks.
func hooked(t *testing.T) (all []presets.Preset) {
	t.Helper()
	known, err := presets.All()
	gittest.Check(t, err)
	for _, p := range known {
		if p.Answers.Deny != nil {
			all = append(all, p)
		}
	}
	return all
}
