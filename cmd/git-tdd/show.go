package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

// show tells a person what the loop does.
type show struct {
	p      *program
	doing  loop.Doing
	budget *llm.Budget // nil before the first role is asked
}

// phase is called by the measurement before each command of the project.
func (s *show) phase(d facts.Doing) {
	if s.doing.Step == 0 {
		return
	}
	if !s.p.err.live {
		s.p.err.status("  " + measuring(d, "the tests"))
		return
	}
	s.doing.What = command(d)
	s.onDoing(s.doing)
}

// waiting says what is measured while a command of the project runs.
func (p *program) waiting(what string) facts.Observer {
	return facts.Observer{Phase: func(d facts.Doing) { p.err.phase(measuring(d, what), command(d)) }}
}

// measuring is the phase to which a command belongs.
func measuring(d facts.Doing, what string) string {
	if d.Altered {
		return "asking what the tests notice"
	}
	return "measuring " + what
}

// command is what runs, and before it how long such a run took last time.
func command(d facts.Doing) string {
	text := d.Name + inFolder(d.Folder)
	if d.Last >= time.Second {
		text = fmt.Sprintf("(last time %s)  %s", d.Last.Round(time.Second), text)
	}
	return text + ": " + shell(d.Argv...)
}

// onDoing shows every phase on a terminal's live line, and one line per attempt in a pipe.
func (s *show) onDoing(d loop.Doing) {
	news := d.Step != s.doing.Step || d.Attempt != s.doing.Attempt
	s.doing = d
	text := fmt.Sprintf("step %d  %s", d.Step, d.Role)
	if d.Attempt > 0 {
		text += fmt.Sprintf("  %s  attempt %d/%d", d.Model, d.Attempt, d.MaxAttempts)
	}
	switch {
	case s.p.err.live:
		s.p.err.status(text + "  " + d.What)
	case news && d.Attempt > 0:
		s.p.err.status(text)
	}
}

func (s *show) onRefused(a loop.Attempt) {
	p := s.p
	p.err.printf("%s attempt %d refused\n", p.err.paint(red, "✗"), a.Number)
	for _, f := range a.Findings {
		p.err.below("    ", f)
	}
}

func (s *show) onAccepted(a loop.Accepted) {
	s.p.err.quiet()
	s.p.out.printf("%s\n", s.p.summary(a))
}

// spent says what each role has used, where more than one request was made.
func (s *show) spent() {
	if s.budget == nil || s.budget.Spent().Requests < 2 {
		return
	}
	for _, share := range s.budget.Shares() {
		cached := ""
		if share.Usage.Cached > 0 {
			cached = fmt.Sprintf(" (%d cached)", share.Usage.Cached)
		}
		s.p.err.printf("spent  %s  %s · %d tokens in%s, %d out · %s\n", pad(share.Who, 11), gates.Count(share.Requests, "request"),
			share.Usage.Prompt, cached, share.Usage.Completion, share.Time.Round(100*time.Millisecond))
	}
}

func (s *show) waiting(w llm.Waiting) {
	s.p.err.printf("waiting for an answer to %s\n  read   %s\n  write  %s\n", w.Label, w.Request, w.Response)
}

// summary is one line about an accepted step.
func (p *program) summary(a loop.Accepted) painted {
	parts := append([]string{a.Subject, a.Step.Tests}, gates.Each(a.Step.Red, gates.Red.String)...)
	if a.Step.Outcome != gates.Ordinary {
		parts = append(parts, string(a.Step.Outcome))
	}
	files, lines := len(a.Change.Files), 0
	for _, f := range a.Change.Files {
		lines += f.Source.Total() + f.Test.Total()
	}
	parts = append(parts, fmt.Sprintf("%s, %s", gates.Count(files, "file"), gates.Count(lines, "line")))
	if a.Step.Review.Given() {
		parts = append(parts, "review: "+string(a.Step.Review.Opinion))
	}
	if a.Attempts > 1 {
		parts = append(parts, gates.Count(a.Attempts, "attempt"))
	}
	parts = append(parts, fmt.Sprintf("%d tokens", a.Tokens.Total()), a.Took.Round(100*time.Millisecond).String())
	step := fmt.Sprintf(" step %-2d ", a.Step.Number)
	const phase = 8 // columns
	return p.out.paint(green, "✓") + painted(step) + p.phase(a.Step.Phase) +
		painted(" "+p.out.folded(clean.Text(strings.Join(parts, " · ")), 1+columns(step)+phase+1))
}

// phase is a phase in its own colour, padded to a common width.
func (p *program) phase(ph gates.Phase) painted {
	return p.out.paint(colourOf(ph), fmt.Sprintf("%-8s", cmp.Or(ph, "–")))
}

// colourOf is the one colour of a phase; dim for what has none.
func colourOf(ph gates.Phase) string {
	return cmp.Or(map[gates.Phase]string{gates.PhaseRed: red, gates.PhaseGreen: green, gates.PhaseCycle: green, gates.PhaseRefactor: cyan}[ph], dim)
}

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
		return text + ", " + gates.Count(int(age.Minutes()), "minute") + " ago"
	case age < 48*time.Hour:
		return text + ", " + gates.Count(int(age.Hours()), "hour") + " ago"
	}
	const day = 24 * time.Hour
	return text + ", " + gates.Count(int(age/day), "day") + " ago"
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

// findings prints each cause of some findings below what they are about.
func (t *terminal) findings(indent string, all []gates.Finding) {
	for _, line := range gates.Tell(all) {
		t.below(indent, line)
	}
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
