package main

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// columns is how many columns of a terminal a text takes. Tabs and line ends are no matter of one line.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// cut is a text on one line, and at most so many columns of it. Less than one is no limit.
func cut(text string, most int) string {
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	if most < 1 || columns(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += columnsOf(r); n > most-1 {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// pad fills a text up to a number of columns.
func pad(text string, to int) string { return text + strings.Repeat(" ", max(0, to-columns(text))) }

// ago is a moment and how long it is past.
func ago(then, now time.Time) string {
	age := now.Sub(then)
	text := then.Local().Format(time.DateTime)
	switch {
	case age < time.Minute:
		return text + ", just now"
	case age < time.Hour:
		return text + ", " + count(int(age.Minutes()), "minute") + " ago"
	case age < 48*time.Hour:
		return text + ", " + count(int(age.Hours()), "hour") + " ago"
	}
	const day = 24 * time.Hour
	return text + ", " + count(int(age/day), "day") + " ago"
}

// folded breaks a text between words, so that no line takes more than so many
// columns; every line after the first is indented. Less than one is no limit.
func folded(text string, most int, indent string) string {
	if most < 1 {
		return strings.ReplaceAll(text, "\n", "\n"+indent)
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		if columns(paragraph) <= most || strings.HasPrefix(paragraph, "  - ") || strings.HasPrefix(paragraph, "  + ") {
			lines = append(lines, cut(paragraph, most)) // a line of a diff stays one
			continue
		}
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			switch {
			case line == "":
				line = word
			case columns(line)+1+columns(word) > most:
				lines, line = append(lines, line), word
			default:
				line += " " + word
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"+indent)
}

// folded is a text that stands behind so many columns, folded on a terminal.
func (t *terminal) folded(text string, behind int) string {
	return folded(text, t.width()-behind, pad("", behind))
}

// below prints a text on lines of its own, indented, and folded on a terminal. What
// follows its first line may be a diff, which has its colours.
func (t *terminal) below(indent, text string) {
	lines := strings.Split(indent+t.folded(text, len(indent)), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, indent+"  - "):
			lines[i] = string(t.paint(red, line))
		case strings.HasPrefix(line, indent+"  + "):
			lines[i] = string(t.paint(green, line))
		default:
			lines[i] = clean.Text(line)
		}
	}
	t.printf("%s\n", painted(strings.Join(lines, "\n")))
}
