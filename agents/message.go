package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// The maximum number of items in a section.
const (
	maxRationale = 8
	maxChanges   = 50
	maxNamed     = 5
)

// StepDone is what is known of a step once its change has been measured.
type StepDone struct {
	Brief
	Goal      string       // the criterion or the kata that the step serves, on one line; may be empty
	Change    gates.Change // what really changed
	Withdrawn bool         // the step takes the disputed red back
	After     gates.Facts  // of the tree after the change
}

// Sections composes the body of a commit. Only reasons and intents are the model's words, and an
// item is one clean line of at most 200 runes.
func Sections(plan EditPlan, s StepDone) []commitmsg.Section {
	goal := s.Goal
	if strings.TrimSpace(goal) == "" {
		goal = "not named"
	}
	context := items("Role: "+title(string(s.Role)), fmt.Sprintf("Step: %d", s.Step), "Kata goal: "+goal)
	if s.Disputed != "" {
		context = append(context, items("Disputed: "+s.Disputed)...)
	}
	return []commitmsg.Section{
		{Title: "Context", Items: context},
		{Title: "Rationale", Items: rationale(plan, s.Plays)},
		{Title: "Diff summary", Items: diffSummary(plan, s)},
		{Title: "Verification", Items: verification(s.After)},
	}
}

// Note is what the model notes for the roles after it, in one line.
func Note(plan EditPlan) string { return oneLine(plan.Notes, maxItem) }

// Reason is why somebody disputes a red, in one line.
func Reason(text string) string { return oneLine(text, maxMessage) }

func items(texts ...string) []string {
	all := gates.Each(texts, func(text string) string {
		text = oneLine(text, maxItem)
		for _, bullet := range []string{"- ", "* ", "• "} {
			text = strings.TrimPrefix(text, bullet)
		}
		return text
	})
	return slices.DeleteFunc(all, func(item string) bool { return item == "" })
}

func title(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// rationale is the model's reasons, or those of its role if it gave none.
func rationale(plan EditPlan, plays gates.Role) []string {
	var given []string
	if plan.Commit != nil {
		given = items(plan.Commit.Rationale...)
	}
	if len(given) == 0 {
		given = items(plan.Notes)
	}
	if len(given) > 0 {
		return given[:min(len(given), maxRationale)]
	}
	reason := wordsOf(plays).reason
	if plan.Done && plays != gates.Tester {
		reason = "nothing is worth changing"
	}
	return []string{cmp.Or(reason, "no reason given")}
}

// usual are the words of a commit whose model gave none.
type usual struct{ summary, empty, reason string }

func wordsOf(plays gates.Role) usual {
	return map[gates.Role]usual{
		gates.Tester:      {summary: "demand the next behaviour", reason: "the next behaviour is demanded by a test before it is written"},
		gates.Implementor: {summary: "make the failing test pass", reason: "the smallest change that makes the failing test pass"},
		gates.Refactorer:  {summary: "simplify the code", empty: "leave the code as it is", reason: "the code gets simpler and does the same"},
		gates.Keeper:      {summary: "change the project", empty: "leave it as it is"},
	}[plays]
}

// diffSummary has a line for every path that really changed, with the model's intent if it named it.
func diffSummary(plan EditPlan, s StepDone) []string {
	if s.Withdrawn {
		return []string{"all that the red changed is taken back"}
	}
	intents := map[string]string{}
	if plan.Commit != nil {
		for _, d := range plan.Commit.DiffSummary {
			intents[d.Path] = d.Intent
		}
	}
	lines := gates.Each(s.Change.Files, func(file gates.FileChange) string {
		return file.Path() + ": " + cmp.Or(oneLine(intents[file.Path()], maxItem), measuredChange(file))
	})
	if len(lines) == 0 {
		return []string{"no file changed"}
	}
	return items(some(lines, maxChanges)...)
}

func measuredChange(c gates.FileChange) string {
	added, deleted := c.Source.Added+c.Test.Added, c.Source.Deleted+c.Test.Deleted
	switch {
	case c.New == nil:
		return "deleted"
	case c.Old == nil:
		return fmt.Sprintf("new, %d lines", added)
	case c.Renamed():
		return "renamed from " + c.Old.Path
	}
	return fmt.Sprintf("%d lines added, %d deleted", added, deleted)
}

func verification(f gates.Facts) []string {
	names := gates.Each(f.With(gates.StatusFailed), func(t gates.Test) string { return fmt.Sprintf("%s (%s)", t.ID, t.Class) })
	for _, d := range f.Diagnostics {
		names = append(names, strings.TrimSpace(fmt.Sprintf("%s: %s %s", location(d.File, d.Line), d.Class, d.Symbol)))
	}
	lines := append([]string{gates.TestsText(f)}, some(names, maxNamed)...)
	if len(names) == 1 {
		lines = []string{lines[0] + ": " + names[0]}
	}
	if f.Check != "" {
		lines = append(lines, "check command: "+string(f.Check))
	}
	return items(lines...)
}
