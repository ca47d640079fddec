package agents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Sources are what the prompt of a role in isolation may be made of. They are
// gathered apart from the prompt, so that it can be held against them.
type Sources struct {
	// Engine is what git-tdd itself says: position, policy, measurements. Of the
	// kata, its criteria, messages and notes it has what the role may know.
	Engine Brief
	Files  map[string][]string // the texts that each allowed file has now, and had before the last change
	Paths  map[string]bool     // every path of the project
	// Reviewed are the lines in which a reviewer may have spoken to the role.
	Reviewed []string
	Redact   func(string) string // what was applied to the prompt
}

// Trace follows every line of a prompt to one of its sources. The error wraps
// ErrLeak and names the first that comes from nowhere.
func (s Sources) Trace(p Prompt, turns []Turn) error {
	fixed, err := s.fixed(turns)
	if err != nil {
		return err
	}
	t := tracer{Sources: s, fixed: fixed, turns: turns}
	for i, m := range p.Messages {
		if m.Role == "assistant" {
			if !slices.ContainsFunc(turns, func(turn Turn) bool { return s.Redact(defang(turn.Answer)) == m.Content }) {
				return fmt.Errorf("%w %s: an answer that it did not give (message %d)", ErrLeak, s.Engine.Role, i+1)
			}
			continue
		}
		if err := t.message(m.Content); err != nil {
			return err
		}
	}
	return nil
}

// fixed are the lines outside fences that a prompt without any material has.
func (s Sources) fixed(turns []Turn) (map[string]bool, error) {
	bare := s.Engine
	bare.Kata, bare.LastCommit, bare.LastDiff, bare.Disputed, bare.Output = "", "", "", "", ""
	bare.Plan = Plan{}
	bare.Shown, bare.Files, bare.Omitted, bare.OffLimits, bare.Notes = nil, nil, nil, nil, nil
	var asked []Turn
	for _, t := range turns {
		t.Answer = ""
		if t.Feedback != nil {
			t.Feedback = &Feedback{}
		}
		asked = append(asked, t)
	}
	p, err := Ask(bare, asked)
	out := map[string]bool{}
	for _, m := range p.Messages {
		for line := range strings.Lines(s.Redact(m.Content)) {
			out[strings.TrimRight(line, "\n")] = true
		}
	}
	return out, err
}

// tracer traces one prompt.
type tracer struct {
	Sources
	fixed map[string]bool
	turns []Turn
}

// message traces one message: what stands between fences by the heading before
// it, all else by what is fixed.
func (t tracer) message(text string) error {
	var fence, heading string
	var block []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		was := fence
		fence = within(fence, line)
		switch {
		case was == "" && fence != "":
			block = nil
		case was != "" && fence == "":
			if bad, ok := t.block(heading, block); !ok {
				return fmt.Errorf("%w %s: under %q: %q", ErrLeak, t.Engine.Role, heading, oneLine(bad, 60))
			}
		case was != "":
			block = append(block, line)
		case strings.HasPrefix(line, "#") && strings.HasSuffix(line, " (data)"):
			heading = line
		case !t.fixed[line]:
			return fmt.Errorf("%w %s: outside the material: %q", ErrLeak, t.Engine.Role, oneLine(line, 60))
		}
	}
	return nil
}

// block traces the lines of a data block and returns the first that fails.
func (t tracer) block(heading string, lines []string) (string, bool) {
	v := view{Brief: t.Engine}
	switch name := strings.TrimSuffix(strings.TrimLeft(heading, "# "), " (data)"); {
	case strings.HasPrefix(name, "File "):
		return t.file(name, lines)
	case name == "Kata":
		return all(lines, t.linesOf(t.Engine.Kata))
	case strings.HasPrefix(name, "Plan: "):
		return all(lines, t.linesOf(t.Engine.Plan.Requirements, t.Engine.Plan.Tests, t.Engine.Plan.Analysis))
	case strings.HasPrefix(name, "Other files"):
		return all(lines, t.path)
	case strings.HasPrefix(name, "Relevant files"):
		return t.outline(lines)
	case strings.HasPrefix(name, "Off limits"):
		return all(lines, t.linesOf(v.OffLimitsText()))
	case strings.HasPrefix(name, "Acceptance criteria"):
		return all(lines, t.linesOf(v.CriteriaText()))
	case strings.HasPrefix(name, "Message of"):
		return all(lines, t.linesOf(t.Engine.LastCommit))
	case strings.HasPrefix(name, "Change of"):
		return t.change(lines)
	case strings.HasPrefix(name, "Notes of"):
		return all(lines, t.linesOf(v.NotesText()))
	case strings.HasPrefix(name, "Why the failing test"):
		return all(lines, t.linesOf(t.Engine.Disputed))
	case strings.HasPrefix(name, "Measurements"):
		return all(lines, t.linesOf(t.measured()))
	case strings.HasPrefix(name, "Output"), strings.HasPrefix(name, "Why it was refused"):
		return all(lines, t.feedback())
	}
	return heading, false
}

// all returns the first line that does not pass.
func all(lines []string, passes func(string) bool) (string, bool) {
	for _, line := range lines {
		if !passes(line) {
			return line, false
		}
	}
	return "", true
}

// linesOf passes the lines of some texts, and what says that more were left out.
func (t tracer) linesOf(texts ...string) func(string) bool {
	known := map[string]bool{}
	for _, text := range texts {
		for line := range strings.Lines(t.Redact(defang(strings.ToValidUTF8(text, "\uFFFD")))) {
			known[strings.TrimRight(line, "\n")] = true
		}
	}
	return func(line string) bool { return known[line] || gapPattern.MatchString(line) }
}

// gapPattern finds the lines that say what is not shown.
var gapPattern = lazyregexp.New(`^\s*\(\d+ (?:more left out|lines left out|more)\)$|^\(cut here\)$`)

func (t tracer) path(line string) bool {
	return t.Paths[line] || gapPattern.MatchString(line)
}

// file traces a file that is shown whole.
func (t tracer) file(name string, lines []string) (string, bool) {
	for path, texts := range t.Files {
		if !strings.HasPrefix(name, "File "+quoted(path)+", ") {
			continue
		}
		want := strings.TrimSuffix(t.Redact(defang(strings.ToValidUTF8(texts[0], "\uFFFD"))), "\n")
		if got := strings.Join(lines, "\n"); got != want {
			return name + " with other content", false
		}
		return "", true
	}
	return name, false
}

// outline traces paths and, below them, declarations of those that are allowed.
func (t tracer) outline(lines []string) (string, bool) {
	var of func(string) bool
	return all(lines, func(line string) bool {
		declared, indented := strings.CutPrefix(line, "    ")
		if !indented {
			texts := strings.Join(t.Files[line], "\n")
			of = func(s string) bool {
				return gapPattern.MatchString(s) || strings.Contains(defang(texts), strings.TrimSuffix(strings.TrimSpace(s), "…"))
			}
			return t.path(line)
		}
		return of != nil && of(declared)
	})
}

// change traces a diff: its files are allowed ones, its lines theirs.
func (t tracer) change(lines []string) (string, bool) {
	known := func(string) bool { return false }
	return all(lines, func(line string) bool {
		if path, header := strings.CutPrefix(line, "+++ b/"); header {
			texts, ok := t.Files[strings.TrimRight(path, "\t")]
			known = t.linesOf(texts...)
			return ok
		}
		switch {
		case gapPattern.MatchString(line), strings.HasPrefix(line, `\ No newline`), strings.HasPrefix(line, "@@ "):
			return true
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"):
			return known(line[1:])
		}
		return diffPattern.MatchString(line)
	})
}

// diffPattern finds the lines of a diff's header that say nothing of its content.
var diffPattern = lazyregexp.New(`^(?:deleted file mode|old mode|new mode|similarity index|rename (?:from|to)|\+\+\+ /dev/null)\b?`)

// measured are all lines that the measurements could have.
func (t tracer) measured() string {
	lines := append(describeFacts(t.Engine.Facts), namePassing(t.Engine.Facts)...)
	short := t.Engine.Facts
	short.Tests = short.With("failed")
	lines = append(lines, describeFacts(short)...)
	if t.Engine.Before != nil {
		lines = append(lines, "before the failing test was added: "+countTests(*t.Engine.Before))
	}
	return strings.Join(lines, "\n")
}

// ownWords are findings but for those in a reviewer's own words: it knows what the
// role may not know.
func (t tracer) ownWords(findings []string) []string {
	return slices.DeleteFunc(slices.Clone(findings), func(f string) bool {
		return strings.HasPrefix(f, "review: ") && !slices.Contains(t.Reviewed, f)
	})
}

// feedback passes what the failing run or a refused attempt of the role's own said.
func (t tracer) feedback() func(string) bool {
	said := []string{t.Engine.Output}
	for _, turn := range t.turns {
		if turn.Feedback != nil {
			said = append(said, turn.Feedback.Output)
			said = append(said, t.ownWords(turn.Feedback.Findings)...)
		}
	}
	plain := map[string]bool{}
	var text strings.Builder
	for line := range strings.Lines(strings.Join(said, "\n")) {
		line = t.Redact(defang(visible(strings.TrimRight(line, "\r\n"))))
		plain[line] = true
		text.WriteString(line + "\n" + oneLine(line, len(line)) + "\n")
	}
	return func(line string) bool {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "- "), "…")
		return plain[line] || gapPattern.MatchString(line) || strings.Contains(text.String(), line)
	}
}
