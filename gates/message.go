package gates

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
)

func messageGate() Gate {
	return Gate{
		Name: "message", Who: "all", Still: true, Judges: always,
		Doc: `The message is a conventional commit: "type(scope): summary", at most 100
characters, lower-case type. An agent's message also has the sections Context,
Rationale, Diff summary and Verification. The trailers of a step stand in the
last paragraph, number the step one above the previous, and name the role, the
cycle and the phase that the type and the history imply.

Why: role and step are read from these lines; history is the only state.

To satisfy it: write "test: …" for a failing test, "feat: …" or "fix: …" to make
it pass, "refactor: …" to tidy up, and leave the trailers to git-tdd. A breaking
change is announced as "BREAKING-CHANGE:" with a hyphen, because git reads no
trailer in a paragraph that has a line it cannot read.`,
		Run: func(c *Case) []Finding {
			var out []Finding
			for _, v := range c.Message.Check(commitmsg.Rules{RequireSections: c.Agent}) {
				out = append(out, Finding{Seen: v.Seen, Remedy: v.Remedy})
			}
			return append(out, numbering(c)...)
		},
	}
}

// numbering holds the trailers of a step, where the message has them, against
// the position.
func numbering(c *Case) []Finding {
	step, ok := ParseStep(c.Message)
	if _, claims := c.Message.Get(KeyStep); !ok {
		if claims {
			return []Finding{{Seen: KeyStep + " is not a positive number", Remedy: "leave the trailers to git-tdd"}}
		}
		return nil
	}
	if !inLoop(c) {
		return []Finding{{
			Seen:   fmt.Sprintf("a commit outside the loop carries %s: %d", KeyStep, step.Number),
			Remedy: "take the trailer away, or give the commit the type of a role",
		}}
	}
	want := c.Position.Following(c.Role, c.Plays)
	var out []Finding
	differ := func(key string, seen, expected any) {
		if seen != expected {
			out = append(out, Finding{
				Seen:   fmt.Sprintf("%s is %v, but the history implies %v", key, seen, expected),
				Remedy: "leave the trailers to git-tdd, or number the step by the one before it",
			})
		}
	}
	differ(KeyStep, step.Number, want.Number)
	differ(KeyRole, step.Role, want.Role)
	differ(KeyCycle, step.Cycle, want.Cycle)
	if step.Outcome != Characterization {
		differ(KeyPhase, step.Phase, want.Phase)
	}
	return out
}

// claims holds what the trailers say of the tests against the facts.
func claims(c *Case, reds []Red) []Finding {
	step, ok := ParseStep(c.Message)
	if !ok {
		return nil
	}
	var out []Finding
	if text := TestsText(c.After); step.Tests != "" && step.Tests != text {
		out = append(out, Finding{
			Seen:   fmt.Sprintf("%s claims %q, but measured was %q", KeyTests, step.Tests, text),
			Remedy: "leave the trailers to git-tdd",
		})
	}
	have := map[string]bool{}
	for _, r := range reds {
		have[r.String()] = true
	}
	for _, r := range step.Red {
		if !have[r.String()] {
			out = append(out, Finding{
				Test:   r.ID,
				Seen:   fmt.Sprintf("%s claims %q, but that is not what failed", KeyRed, r),
				Remedy: "leave the trailers to git-tdd",
			})
		}
	}
	return out
}

func turnGate() Gate {
	return Gate{
		Name: "turn", Who: "all in the loop", Still: true, Judges: inLoop,
		Doc: `The role fits the phase: on red only an implementor may work; on green a tester
writes the next failing test or a refactorer tidies up. Agents follow the
rotation strictly; people may leave the refactoring out.

Why: code without a failing test that asks for it is a guess, and a second red
on a red hides which of the two the next change answers.

To satisfy it: on red, commit "feat:" or "fix:"; on green, "test:" or
"refactor:". "git tdd status" says where you are.`,
		Run: turn,
	}
}

func turn(c *Case) []Finding {
	var out []Finding
	switch red := c.OnRed(); {
	case red && c.Plays == Tester:
		out = append(out, Finding{
			Seen:   "the tests are red already" + failures(c.Before),
			Remedy: "make them pass first (feat: or fix:), then write the next failing test",
		})
	case red && c.Plays == Refactorer:
		out = append(out, Finding{
			Seen:   "the tests are red" + failures(c.Before),
			Remedy: "refactor on green only: make them pass first (feat: or fix:)",
		})
	case !red && c.Plays == Implementor:
		out = append(out, Finding{
			Seen:   "no test is failing, so nothing asks for this change",
			Remedy: "write the failing test first (test: …), or call the commit refactor: or chore:",
		})
	}
	if c.Agent && c.Expected != "" && c.Role != c.Expected {
		out = append(out, Finding{
			Seen:   fmt.Sprintf("it is the turn of the %s, not of the %s", c.Expected, c.Role),
			Remedy: "follow the rotation",
		})
	}
	return out
}

// symbolNamed reports whether a missing symbol is named in what a change adds
// to the tests.
func symbolNamed(c *Case, symbol string) bool {
	if symbol == "" {
		return false
	}
	for _, f := range c.Change.Files {
		if f.New != nil && hasWord(addedLines(f), symbol) {
			return true
		}
	}
	return false
}

// addedLines are the lines of the test part that were not there before.
func addedLines(f FileChange) string {
	old := map[string]bool{}
	if f.Old != nil {
		for line := range strings.Lines(f.Old.Test) {
			old[strings.TrimSpace(line)] = true
		}
	}
	var b strings.Builder
	for line := range strings.Lines(f.New.Test) {
		if !old[strings.TrimSpace(line)] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// hasWord reports whether text holds word with no word character around it.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		if !wordEnds(text[:i]) && !wordStarts(text[i+len(word):]) {
			return true
		}
		at = i + len(word)
	}
}

func wordEnds(s string) bool   { return s != "" && wordByte(s[len(s)-1]) }
func wordStarts(s string) bool { return s != "" && wordByte(s[0]) }

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
