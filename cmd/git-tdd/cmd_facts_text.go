package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// showGrades says what each passing test is worth, the weakest first.
func (p *program) showGrades(r factsReport) {
	switch {
	case !r.graded || r.Facts == nil:
		return
	case r.Grades == nil && len(r.Facts.With(gates.StatusPassed)) == 0:
		p.row("worth", "not mirrored: no test passes")
		return
	case r.Grades == nil:
		p.row("worth", "not mirrored: the tests of %s cannot be made to expect something else here", r.Language.Name)
		return
	}
	ids := slices.SortedFunc(maps.Keys(r.Grades), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Grades[a].Worth(), r.Grades[b].Worth()), cmp.Compare(a, b))
	})
	for _, id := range ids {
		p.row("worth", "%s  %s", r.Grades[id].Says(), id)
	}
	for _, t := range r.Facts.With(gates.StatusPassed) {
		if r.Grades[t.ID] == "" {
			p.row("worth", "?  not mirrored  %s", t.ID)
		}
	}
}

// row is one line of a report: what it is about, and the rest.
func (p *program) row(name, format string, args ...any) {
	const front = 10 // columns
	p.out.printf("%s %s\n", p.out.paint(bold, pad(name, front-1)), p.out.folded(fmt.Sprintf(format, args...), front))
}

// below is a line that belongs to the row above it.
func (p *program) below(text string) { p.out.printf("%s %s\n", pad("", 9), text) }

func (p *program) showProject(r factsReport) {
	p.row("tree", "%s, %s", gitx.ID(r.Tree).Short(), cmp.Or(r.Revision, "what is staged"))
	if r.Language.From == "" {
		p.row("language", "%s: no file names a language that is known", r.Language.Name)
	} else {
		p.row("language", "%s, by %s", r.Language.Name, r.Language.From)
	}
	for _, c := range r.Commands {
		in := ""
		if c.Project != "" {
			in = "  in " + c.Project
		}
		p.row(c.Name, "%s%s  (%s)%s", shell(c.Argv...), in, cmp.Or(c.From, "the default of "+r.Language.Name), ended(c))
	}
	if r.Report != "" {
		p.row("report", "%s, by ci.report", r.Report)
	}
}

// ended says how a command ended; empty if it was not run.
func ended(c factsCommand) string {
	took := time.Duration(c.DurationMS) * time.Millisecond
	switch {
	case !c.Ran:
		return ""
	case c.TimedOut:
		return fmt.Sprintf("  killed at its limit, after %s", took)
	}
	return fmt.Sprintf("  exit %d in %s", c.Exit, took)
}

func (p *program) showMeasured(r factsReport) {
	f := r.Facts
	if f == nil {
		return
	}
	p.row("facts", "%s; %s", outcome(*f), origin(r))
	p.row("detail", "%s", map[gates.Detail]string{
		gates.DetailTest:     "test: every test is known by its name",
		gates.DetailExitCode: "exit-code: only whether the test command succeeds; which test failed and why cannot be told, nor that one vanished",
	}[cmp.Or(f.Detail, gates.DetailExitCode)])
	for _, why := range r.Silent {
		p.row("toolchain", "gives no version: %s", why)
	}
	for _, t := range f.With(gates.StatusFailed) {
		p.row("failed", "%s (%s)%s", t.ID, t.Class, at(t.File, t.Line))
		p.said(gates.Cause(t.Message), failedLines)
	}
	skipped := f.With(gates.StatusSkipped)
	for i, t := range skipped {
		if i == mostSkipped && len(skipped) > i+1 {
			p.row("skipped", "and %d more; --json lists them", len(skipped)-i)
			break
		}
		p.row("skipped", "%s", t.ID)
	}
	p.showDiagnostics("because", f.Diagnostics)
	p.showDiagnostics("check", f.CheckDiagnostics)
	for _, id := range r.Flaky {
		p.row("flaky", "%s did not end the same way in each of %s", id, gates.Count(r.Runs, "run"))
	}
	for _, c := range r.Commands {
		if c.Output != "" && (c.Exit != 0 || c.TimedOut) {
			p.row("output", "of %s, its last lines:", c.Name)
			lines := strings.Split(strings.TrimRight(c.Output, "\n"), "\n")
			p.said(strings.Join(lines[max(0, len(lines)-outputLines):], "\n"), outputLines)
		}
	}
}

// outcome is how a measurement ended, in a few words.
func outcome(f gates.Facts) string {
	text := string(f.Outcome)
	if f.Complete() || f.Outcome == gates.Broken {
		text += ": " + gates.TestsText(f)
	}
	if f.Check != "" {
		text += ", check " + string(f.Check)
	}
	return text
}

// How much of a text is shown.
const (
	failedLines  = 4
	outputLines  = 20
	mostFindings = 20
	mostSkipped  = 5
)

func (p *program) showDiagnostics(name string, all []gates.Diagnostic) {
	for i, d := range all {
		if i == mostFindings {
			p.below(fmt.Sprintf("and %d more", len(all)-i))
			return
		}
		what := string(d.Class)
		if d.Symbol != "" {
			what += " " + d.Symbol
		}
		p.row(name, "%s%s: %s", what, at(d.File, d.Line), firstLine(d.Message))
	}
}

// said shows the first lines of a text.
func (p *program) said(text string, most int) {
	n := 0
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		if n++; n > most {
			p.below("…")
			return
		}
		p.below("  " + strings.TrimRight(line, "\r\n"))
	}
}

// origin says whether facts are on record, and since when.
func origin(r factsReport) string {
	switch {
	case r.Measured == nil:
		return "not kept"
	case r.Cached:
		text := "on record since " + ago(*r.Measured, time.Now())
		if !r.Facts.Green() {
			text += "; --fresh measures anew"
		}
		return text
	}
	return fmt.Sprintf("measured now in %s", time.Duration(r.Facts.DurationMS)*time.Millisecond)
}

// at is a place in a file; empty if it is not known.
func at(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return "  " + file
	}
	return fmt.Sprintf("  %s:%d", file, line)
}

// showFiles lists what the files of a tree are for.
func (p *program) showFiles(all []factsFile) {
	for _, f := range all {
		kind, what := string(f.Kind), ""
		if f.Mixed {
			kind = "mixed"
		}
		if len(f.Tests) > 0 || f.Assertions > 0 {
			what = fmt.Sprintf("  %s (%s), %s", gates.Count(len(f.Tests), "test"), strings.Join(f.Tests, ", "), gates.Count(f.Assertions, "expectation"))
		}
		p.row(kind, "%s%s", f.Path, what)
	}
}
