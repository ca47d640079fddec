package agents

import (
	"strings"

	"github.com/git-tdd/git-tdd/llm"
)

// Part is a section of a prompt: a heading and what follows it, up to the next
// one that is not inside a fence. The parts of a message are all of it.
type Part struct {
	Role    string // whose message it is
	Heading string // without its marks; empty for what comes before the first
	Text    string // with the heading
}

// Tokens is an estimate of the part's size.
func (p Part) Tokens() int { return llm.Tokens(p.Text) }

// Parts takes a prompt apart.
func (p Prompt) Parts() []Part {
	var out []Part
	for _, m := range p.Messages {
		part := Part{Role: m.Role}
		if m.Role == "assistant" {
			part.Heading, part.Text = "answer", m.Content
			out = append(out, part)
			continue
		}
		fence := ""
		for line := range strings.Lines(m.Content) {
			heading, found := strings.CutPrefix(line, "# ")
			if found && fence == "" {
				if part.Text != "" {
					out = append(out, part)
				}
				part.Heading, part.Text = strings.TrimSpace(heading), ""
			}
			part.Text += line
			fence = within(fence, line)
		}
		out = append(out, part)
	}
	return out
}

// within is the fence that is open after a line; empty if none is. A data block
// holds no line of as many backticks as its fence has.
func within(fence, line string) string {
	line = strings.TrimRight(line, "\n")
	ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	switch {
	case fence == "" && len(ticks) >= 3 && line == ticks+"text":
		return ticks
	case fence != "" && line == fence:
		return ""
	}
	return fence
}
