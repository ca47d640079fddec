package gates

import (
	"fmt"
	"strings"
)

// Mutant is a small change of a source.
type Mutant struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Last int    `json:"last,omitempty"` // the last line, where several are altered
	What string `json:"what"`           // in words
	// Was and Now are the line without it and with it; of several, which they are, or the first that differs.
	Was string `json:"was,omitempty"`
	Now string `json:"now,omitempty"`
}

// lines is what a mutant makes of its line, in brackets; empty if that is not known.
func (m Mutant) lines() string {
	was, now := strings.TrimSpace(m.Was), strings.TrimSpace(m.Now)
	if was == "" {
		return ""
	}
	return fmt.Sprintf(" (%s → %s)", clip(was), clip(now))
}

// diff is what a mutant makes of its line, below a text that may name its place.
func (m Mutant) diff(named string) string {
	if m.Was == "" {
		return ""
	}
	text := "\n  - " + clip(strings.TrimSpace(m.Was)) + "\n  + " + clip(strings.TrimSpace(m.Now))
	if place := fmt.Sprintf("%s:%d", m.Path, m.Line); place != named {
		text = "\n  " + place + text
	}
	return text
}

// clip is the begin of a line.
func clip(line string) string {
	const most = 72
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}
