package agents

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

// theirs are the sources of a brief's prompts.
func theirs(b Brief) Sources {
	s := Sources{Engine: b, Files: map[string][]string{}, Paths: map[string]bool{}, Redact: func(text string) string { return text }}
	for _, f := range b.Shown {
		s.Files[f.Path] = []string{f.Content}
	}
	s.Files["tests/calculator.rs"] = append(s.Files["tests/calculator.rs"], "#[test]\nfn sums_two_numbers() {\n    assert_eq!(add(\"1,2\"), 3);\n}\n")
	for _, path := range slices.Concat(b.Files, b.Omitted) {
		s.Paths[path] = true
	}
	s.Engine.Shown = nil
	return s
}

func TestTrace(t *testing.T) {
	t.Parallel()
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer} {
		b := aBrief(role)
		if role == gates.Implementor {
			b.Outlines = map[string][]string{"src/history.rs": {"fn undo()"}}
			b.Output = "noise\nerror: it failed\n"
		}
		b = b.Narrow(Strict)
		b.Planning = Separate
		s := theirs(b)
		s.Files["src/history.rs"] = []string{"fn undo() {\n}\n"}
		if role == gates.Refactorer {
			s.Files["src/lib.rs"] = append(s.Files["src/lib.rs"], "pub fn add(numbers: &str) -> i32 {\n    0\n}\n")
		}
		p, err := Ask(b, aTalk())
		gittest.Check(t, err)
		if err := s.Trace(p, aTalk()); err != nil {
			t.Errorf("%s: %v", role, err)
		}
	}
}

// Of a reviewer, who knows the kata, only those lines may come that were made without
// its own words.
func TestTraceOfReviews(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor).Narrow(Strict)
	b.Planning = Separate
	p := Point{File: "src/lib.rs", Line: 3, Quote: "0", Kind: "special-case", Reason: "the kata wants the empty string to be zero"}
	for mode, leaks := range map[Isolation]bool{Strict: false, Open: true} {
		s, talk := theirs(b), aTalk()
		s.Reviewed = gates.Tell([]gates.Finding{p.Finding("    0", Strict)})
		talk[len(talk)-1].Feedback = &Feedback{Findings: gates.Tell([]gates.Finding{p.Finding("    0", mode)})}
		prompt, err := Ask(b, talk)
		gittest.Check(t, err)
		s.Files["src/history.rs"] = []string{"fn undo() {\n}\n"}
		if err := s.Trace(prompt, talk); errors.Is(err, ErrLeak) != leaks {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// What comes from nowhere is found wherever it is put.
func TestTraceFindsWhatComesFromNowhere(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor).Narrow(Strict)
	b.Outlines = map[string][]string{"src/history.rs": {"fn undo()"}}
	s := theirs(b)
	s.Files["src/history.rs"] = []string{"fn undo() {\n}\n"}
	b.Planning, s.Engine.Planning = Separate, Separate
	talk := aTalk()
	p, err := Ask(b, talk)
	gittest.Check(t, err)
	gittest.Check(t, s.Trace(p, talk))
	const stray = "A string of numbers is summed."
	replaced := func(message int, old, now string) Prompt {
		if !strings.Contains(p.Messages[message].Content, old) {
			t.Fatalf("no %q in message %d", old, message)
		}
		q := p
		q.Messages = slices.Clone(p.Messages)
		q.Messages[message].Content = strings.Replace(q.Messages[message].Content, old, now, 1)
		return q
	}
	for name, q := range map[string]Prompt{
		"in the rules":           replaced(0, "# How to work\n", "# How to work\n\n"+stray+"\n"),
		"in a file":              replaced(1, "fn empty_is_zero() {", "fn empty_is_zero() { // "+stray),
		"less of a file":         replaced(1, "    0 // nothing is summed yet in here\n", ""),
		"another file":           replaced(1, `"src/lib.rs"`, `"kata.md"`),
		"a part of its own":      replaced(1, "# Where we stand", "# Kata (data)\n\n```text\n"+stray+"\n```\n\n# Where we stand"),
		"an unknown part":        replaced(1, "# Where we stand", "# Hints (data)\n\n```text\nhint\n```\n\n# Where we stand"),
		"in the measurements":    replaced(1, "1 passed, 1 failed", "1 passed, 1 failed\n"+stray),
		"a path":                 replaced(1, "\nkata.md\n", "\nkata.md\n"+stray+"\n"),
		"in an outline":          replaced(1, "    fn undo()\n", "    fn undo()\n    "+stray+"\n"),
		"where we stand":         replaced(1, "- Last step: ", "- Last step: "+stray+" "),
		"an answer":              replaced(2, "two numbers", stray),
		"in the findings":        replaced(len(p.Messages)-3, "still fails", stray),
		"in the output":          replaced(len(p.Messages)-3, "thread panicked", stray),
		"after the task":         replaced(len(p.Messages)-1, "Answer with the JSON object only.", "Answer with the JSON object only. "+stray),
		"one more message":       {Messages: append(slices.Clone(p.Messages), llm.Message{Role: "assistant", Content: stray})},
		"a system message later": {Messages: append(slices.Clone(p.Messages), llm.Message{Role: "system", Content: stray})},
	} {
		if err := s.Trace(q, talk); !errors.Is(err, ErrLeak) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	delete(s.Files, "src/lib.rs")
	if err := s.Trace(p, talk); !errors.Is(err, ErrLeak) {
		t.Errorf("a file that is not allowed: got %v", err)
	}
}
