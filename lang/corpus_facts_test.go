package lang_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// factLine is one line of expected facts, or of those that were found.
type factLine struct {
	text     string
	messages []string // of what was found: its message; of what is expected: parts of it
	place    string
}

// factLines writes facts as a corpus file does.
func factLines(f gates.Facts) []factLine {
	outcome := string(f.Outcome)
	if f.Detail != gates.DetailTest {
		outcome += " " + string(f.Detail)
	}
	out := []factLine{{text: outcome}}
	if f.Check != "" {
		out = append(out, factLine{text: "check " + string(f.Check)})
	}
	for _, t := range f.Tests {
		text := string(t.Status) + " " + t.ID
		if t.Status == gates.StatusFailed {
			text += " (" + string(t.Class) + ")"
		}
		out = append(out, factLine{text: text, messages: []string{t.Message}, place: fmt.Sprintf("%s:%d", t.File, t.Line)})
	}
	note := func(mark string, all []gates.Diagnostic) {
		for _, d := range all {
			place := d.File
			if d.Line > 0 {
				place += ":" + strconv.Itoa(d.Line)
			}
			text := strings.Join(strings.Fields(mark+" "+string(d.Class)+" "+d.Symbol+" "+place), " ")
			out = append(out, factLine{text: text, messages: []string{d.Message}})
		}
	}
	note("!", f.Diagnostics)
	note("check!", f.CheckDiagnostics)
	return out
}

// readFactLines reads expected facts. An indented line belongs to the one before
// it: "| part of its message", "@ file:line".
func readFactLines(text string) []factLine {
	var out []factLine
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		part, isPart := strings.CutPrefix(line, "  | ")
		place, isPlace := strings.CutPrefix(line, "  @ ")
		switch {
		case strings.TrimSpace(line) == "":
		case isPart:
			out[len(out)-1].messages = append(out[len(out)-1].messages, part)
		case isPlace:
			out[len(out)-1].place = place
		default:
			out = append(out, factLine{text: line})
		}
	}
	return out
}

var manyPattern = regexp.MustCompile(`(?m)^(.+ )\*\d+$`)

// compareFacts says where facts differ from what is expected. Order does not
// matter. "passed *5000" stands for so many lines that begin like this.
func compareFacts(f gates.Facts, expected string) string {
	got, missing := factLines(f), readFactLines(expected)
	for _, many := range manyPattern.FindAllStringSubmatch(expected, -1) {
		count := len(got)
		got = slices.DeleteFunc(got, func(l factLine) bool { return strings.HasPrefix(l.text, many[1]) })
		got = append(got, factLine{text: fmt.Sprintf("%s*%d", many[1], count-len(got))})
	}
	var diff strings.Builder
	for _, line := range got {
		at := slices.IndexFunc(missing, line.meets)
		if at < 0 {
			fmt.Fprintf(&diff, "unexpected: %s\n    %s\n    %s\n", line.text, line.place, strings.Join(line.messages, "\n"))
			continue
		}
		missing = slices.Delete(missing, at, at+1)
	}
	for _, line := range missing {
		fmt.Fprintf(&diff, "missing: %s %s %q\n", line.text, line.place, line.messages)
	}
	return diff.String()
}

// meets reports whether a line that was found is the one that is expected.
func (l factLine) meets(expected factLine) bool {
	for _, part := range expected.messages {
		if !slices.ContainsFunc(l.messages, func(m string) bool { return strings.Contains(m, part) }) {
			return false
		}
	}
	return l.text == expected.text && (expected.place == "" || l.place == expected.place)
}
