package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/verify"
)

// cycle is the commits of one cycle, or those outside any.
type cycle struct {
	Title, Aim string
	Commits    []*commit
}

// commit is a commit as the list shows it.
type commit struct {
	Anchor, Short, Number string
	Phase, Class          string // the class is that of its colour
	Subject, Tests        string
	Aside                 string // what is special, in few words
	Verdict, Mark         string
	When, Stamp           string
	Facts                 []row
	Blocks                []*block
}

// row is one line of what is known: what it is about, and the rest.
type row struct{ Name, Value string }

func anchor(c Commit) string { return "c" + string(c.ID[:min(len(c.ID), 12)]) }

// titleOf names a commit in a few words.
func titleOf(c Commit) string {
	if c.Step.Number == 0 {
		return c.ID.Short() + " " + short(c.Message.Subject, 80)
	}
	return fmt.Sprintf("%d %s: %s", c.Step.Number, c.lane(), short(c.Message.Subject, 80))
}

// cycles groups a history by cycle.
func cycles(h History) []cycle {
	texts := map[int]string{}
	for _, c := range h.Criteria {
		texts[c.ID] = c.Text
	}
	var out []cycle
	current := -1
	for _, c := range h.Commits {
		number := c.Step.Cycle
		if c.Step.Number == 0 {
			number = max(current, 0)
		}
		if number != current {
			current = number
			title := ""
			switch {
			case number > 0:
				title = "Cycle " + strconv.Itoa(number)
			case slices.ContainsFunc(h.Commits, func(c Commit) bool { return c.Step.Number > 0 }):
				title = "Before the first step"
			}
			out = append(out, cycle{Title: title})
		}
		in := &out[len(out)-1]
		if len(c.Step.Criteria) > 0 && in.Aim == "" {
			in.Aim = short(texts[c.Step.Criteria[0]], 200)
		}
		in.Commits = append(in.Commits, commitOf(c))
	}
	return out
}

func commitOf(c Commit) *commit {
	v := &commit{
		Anchor: anchor(c), Short: c.ID.Short(), Phase: c.lane(), Class: c.lane(),
		Subject: cmp.Or(short(c.Message.Subject, 200), "(no subject)"), Tests: testsOf(c), Aside: aside(c), Facts: factsOf(c), Blocks: blocks(c),
	}
	if c.Step.Number > 0 {
		v.Number = strconv.Itoa(c.Step.Number)
	}
	if !c.When.IsZero() {
		v.When, v.Stamp = c.When.Format("2006-01-02 15:04:05 UTC"), c.When.Format("2006-01-02T15:04:05Z")
	}
	if c.Proof != nil {
		v.Verdict = string(c.Proof.Verdict)
		v.Mark = cmp.Or(map[verify.Verdict]string{verify.Held: "✓", verify.Refused: "✗"}[c.Proof.Verdict], "?")
	}
	return v
}

// testsOf is what the tests showed: measured, or claimed.
func testsOf(c Commit) string {
	if c.Facts != nil {
		return gates.TestsText(*c.Facts)
	}
	return short(c.Step.Tests, 80)
}

func aside(c Commit) string {
	attempts := ""
	if n := max(len(c.Attempts)+1, c.Step.Attempts); c.Step.Number > 0 && n > 1 {
		attempts = gates.Count(n, "attempt")
	}
	return joined(" · ", short(string(c.Step.Outcome), 20), attempts, lasted(c.ran()))
}

// factsOf is what is known of a commit.
func factsOf(c Commit) []row {
	var out []row
	add := func(name, value string) {
		if value != "" {
			out = append(out, row{name, value})
		}
	}
	add("Commit", string(c.ID))
	add("By", by(c))
	add("After", lasted(c.Since))
	if c.ByType {
		add("Phase", "by its type; no trailer says it")
	}
	switch {
	case c.Facts == nil && c.Step.Tests != "":
		add("Tests", "not measured here; its trailers claim "+short(c.Step.Tests, 80))
	case c.Facts != nil && c.Step.Tests != "" && c.Step.Tests != gates.TestsText(*c.Facts):
		add("Tests", gates.TestsText(*c.Facts)+"; its trailers claim "+short(c.Step.Tests, 80))
	case c.Facts != nil:
		add("Tests", gates.TestsText(*c.Facts)+", measured in "+cmp.Or(lasted(c.ran()), "no time"))
	}
	reds := gates.Each(c.Step.Red[:min(len(c.Step.Red), 5)], func(r gates.Red) string { return short(r.String(), 160) })
	add("Red", strings.Join(reds, ", "))
	for _, r := range c.Step.Acceptance {
		add("Acceptance", short(r.String(), 160))
	}
	add("Accepted", short(strings.Join(c.Step.Accepted, ", "), 200))
	add("Size", sizeOf(c))
	add("Tokens", short(c.Step.Tokens, 60))
	add("Review", short(c.Step.Review.String(), 120))
	add("Evidence", grades(c))
	add("Flaky", short(strings.Join(c.Flaky, ", "), 200))
	add("Note", short(c.Step.Note, 300))
	return out
}

func sizeOf(c Commit) string {
	parts := []string{gates.Count(len(c.Patch), "file")}
	for _, part := range []struct {
		name  string
		lines gates.Lines
	}{{"sources", c.Source}, {"tests", c.Test}, {"other", c.Other}} {
		if part.lines.Total() > 0 {
			parts = append(parts, fmt.Sprintf("%s +%d −%d", part.name, part.lines.Added, part.lines.Deleted))
		}
	}
	return strings.Join(parts, ", ")
}

func by(c Commit) string {
	who, _, _ := strings.Cut(c.Author, " <")
	return joined(", ", short(who, 60), short(string(c.Step.Role), 30), short(c.Step.Model, 60))
}

// grades counts the tests of each grade, and names those that notice nothing.
func grades(c Commit) string {
	var hollow []string
	for id, g := range c.Grades {
		if g.Worth() <= gates.GradeNone.Worth() {
			hollow = append(hollow, short(id, 80))
		}
	}
	kinds := []gates.Grade{gates.GradeValue, gates.GradeSense, gates.GradeGuard, gates.GradeNone, gates.GradeHollow}
	parts := gates.Counts(slices.Collect(maps.Values(c.Grades)), kinds, gates.Grade.Says)
	slices.Sort(hollow)
	if len(hollow) > 0 {
		parts = append(parts, "namely "+strings.Join(hollow[:min(len(hollow), 5)], ", "))
	}
	return strings.Join(parts, "; ")
}
