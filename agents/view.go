package agents

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// How much of the past a prompt shows.
const (
	maxDiffLines     = 400
	maxFiles         = 500
	maxOutputLines   = 30
	maxOutputWidth   = 500
	maxPreviousLines = 400
	maxPastRunes     = 20_000 // of a diff or an answer
)

// view is a brief as the templates see it.
type view struct {
	Brief
	Label string
	Plan  string
}

// Size is the budget of the role's step.
func (v view) Size() gates.Size {
	if size, ok := v.Policy.Size[v.Role]; ok {
		return size
	}
	return v.Policy.Size[v.plays()]
}

func (v view) StubsAllowed() bool { return v.Policy.Stubs == gates.Allow }

func (v view) CharacterizationAllowed() bool { return v.Policy.Characterization == gates.Allow }

func (v view) CoverageOn() bool { return v.Policy.Coverage == gates.CoverageOn }

// RedReasons explains each reason that the policy accepts.
func (v view) RedReasons() []string {
	explained := map[gates.Class]string{
		gates.ClassAssertion:     "assertion: the code runs, and an expectation of the test is not met",
		gates.ClassUnimplemented: "unimplemented: a stub says that it is not implemented",
		gates.ClassException:     "exception: the test runs, and the code under test raises an error",
		gates.ClassMissingSymbol: "missing-symbol: the test does not compile or import, only because a function, type or module of this project that it names does not exist yet",
	}
	var out []string
	for _, class := range v.Policy.RedReasons {
		text, ok := explained[class]
		if !ok {
			text = inline(class)
		}
		out = append(out, text)
	}
	return out
}

// CriteriaText lists the criteria: by number if the kata is shown, and in full
// if it is not.
func (v view) CriteriaText() string {
	var lines []string
	for _, c := range v.Criteria {
		state := "open"
		if c.Covered {
			state = "a passing test names it: " + oneLine(strings.Join(c.By, ", "), maxItem)
		}
		if v.Kata != "" {
			lines = append(lines, fmt.Sprintf("%d: %s", c.ID, state))
			continue
		}
		lines = append(lines, fmt.Sprintf("%d. %s [%s]", c.ID, oneLine(c.Text, maxMessage), state))
	}
	return strings.Join(lines, "\n")
}

func (v view) DiffText() string { return clip(firstLines(v.LastDiff, maxDiffLines), maxPastRunes) }

func (v view) FilesText() string { return pathLines(v.Files) }

func (v view) OmittedText() string { return pathLines(v.Omitted) }

func (v view) OffLimitsText() string {
	var lines []string
	for _, o := range v.OffLimits {
		lines = append(lines, oneLine(o.Path, maxMessage)+" – "+oneLine(o.Why, maxItem))
	}
	return strings.Join(some(lines, maxFiles), "\n")
}

func (v view) FactsText() string { return describeFacts(v.Facts) }

func (v view) PreviousText() string {
	return clip(firstLines(v.Feedback.PreviousAnswer, maxPreviousLines), maxPastRunes)
}

func (v view) OutputText() string {
	return lastLines(v.Feedback.Output, maxOutputLines, maxOutputWidth)
}

func (v view) FindingsText() string {
	var lines []string
	for _, f := range v.Feedback.Findings {
		lines = append(lines, "- "+oneLine(f, 3*maxMessage))
	}
	return strings.Join(lines, "\n")
}

// pathLines lists paths, one a line.
func pathLines(paths []string) string {
	var lines []string
	for _, p := range paths {
		lines = append(lines, oneLine(p, maxPath))
	}
	return strings.Join(some(lines, maxFiles), "\n")
}
