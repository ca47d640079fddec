package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// What a reviewer is asked for.
const (
	TaskReview = "review"
	TaskFinal  = "final review"
)

// Reviewing is what a reviewer is shown of a change that the gates have accepted.
// It holds nothing that a role said about its own work.
type Reviewing struct {
	Material                 // its kata only where that lists no criteria, and the changed files
	Role, Plays   gates.Role // whose change it is
	Serves        int        // the criterion that the change serves; 0 if it names none
	Diff          string     // what changes
	Before, After gates.Facts
	// Final says that it is shown all changes of a kata together, and Steps are they.
	Final bool
	// Acceptance says that the test stays red until the criterion is met.
	Acceptance bool
	Steps      []string
}

// Review is what a reviewer answers. None of it is believed before its evidence
// has been found.
type Review struct {
	Accepts bool
	Points  []Point
	Traces  []Trace // of a final review
}

// Trace says which tests and which code answer a criterion.
type Trace struct {
	Criterion int
	Tests     []string // ids
	Code      []Point  // without a reason
}

// Task is what the reviewer is asked for.
func (r Reviewing) Task() string {
	if r.Final {
		return TaskFinal
	}
	return TaskReview
}

// Evidence is what its points are held against: the files as the change leaves them.
func (r Reviewing) Evidence() Evidence {
	e := Evidence{Lines: map[string][]string{}, Criteria: gates.Each(r.Criteria, func(c Criterion) int { return c.ID })}
	for _, f := range r.Shown {
		e.Lines[f.Path] = strings.Split(strings.TrimSuffix(f.Content, "\n"), "\n")
	}
	return e
}

// Ask makes the prompt for the last of the turns.
func (r Reviewing) Ask(turns []Turn) (Prompt, error) {
	schema := "review"
	if r.Final {
		schema = "final"
	}
	see := func(q asked) any { return reviewView{r, q} }
	return question{step: r.Step, who: "reviewer", templates: []string{"adviser", "review"}, schema: schema, data: see}.ask(turns)
}

// Shrink leaves out what a reviewer can do without, the largest file first; false
// if nothing is left to leave out.
func (r *Reviewing) Shrink() bool {
	if r.Material.Shrink() {
		return true
	}
	short := r.Diff[:len(r.Diff)/2]
	shrunk := len(short) < len(r.Diff)
	r.Diff = strings.ToValidUTF8(short, "")
	return shrunk
}

// ParseReview reads a reviewer's answer. The error is a *PlanError.
func ParseReview(answer string) (Review, error) {
	var wire struct {
		Verdict string
		Points  []Point
		Traces  []Trace
	}
	if err := readObject(answer, "verdict", &wire); err != nil {
		return Review{}, err
	}
	if wire.Verdict != "accept" && wire.Verdict != "reject" {
		return Review{}, refuse("verdict", `say "accept" or "reject"`, "the unknown word %q", oneLine(wire.Verdict, 40))
	}
	for i, p := range wire.Points {
		wire.Points[i].Kind = objectionOf(p.Kind).Word
	}
	return Review{Accepts: wire.Verdict == "accept", Points: wire.Points, Traces: wire.Traces}, nil
}

type reviewView struct {
	Reviewing
	asked
}

func (reviewView) Objections() []objection { return objections() }

func (v reviewView) CriteriaText() string {
	var lines []string
	for _, c := range v.Criteria {
		mark := ""
		if c.ID == v.Serves {
			mark = " (this step serves it)"
		}
		lines = append(lines, fmt.Sprintf("%d. %s%s", c.ID, oneLine(c.Text, maxMessage), mark))
		if v.Final {
			lines = append(lines, "   tests that name it and pass: "+cmp.Or(oneLine(strings.Join(c.By, ", "), maxMessage), "none"))
		}
	}
	return strings.Join(lines, "\n")
}

func (v reviewView) FactsText() string {
	if v.Final {
		return strings.Join(append([]string{gates.TestsText(v.After)}, namePassing(v.After)...), "\n")
	}
	return strings.Join(append([]string{"before: " + gates.TestsText(v.Before), "with the change: " + gates.TestsText(v.After)}, describeFacts(v.After)[1:]...), "\n")
}

func (v reviewView) StepsText() string { return strings.Join(some(v.Steps, maxPassing), "\n") }

func numbered(text string) string {
	var out strings.Builder
	for i, line := range slices.Collect(strings.Lines(text)) {
		fmt.Fprintf(&out, "%4d  %s\n", i+1, strings.TrimRight(line, "\n"))
	}
	return out.String()
}
