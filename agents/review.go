package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

// TaskReview is what a reviewer is asked for.
const TaskReview = "review"

// Reviewing is what a reviewer is shown of a change that the gates have accepted.
// It holds nothing that a role said about its own work.
type Reviewing struct {
	Role, Plays    gates.Role // whose change it is
	Step           int
	Kata           string // only where it lists no criteria
	Criteria       []Criterion
	Serves         int    // the criterion that the change serves; 0 if it names none
	Diff           string // what changes
	Shown          []ShownFile
	Omitted        []string // changed files that are not shown
	Before, After  gates.Facts
	Extend, Follow string // the project's own words: beside what it is told of how to review, and in the place of that
}

// Review is what a reviewer answers. None of it is believed before its evidence
// has been found.
type Review struct {
	Accepts bool
	Points  []Point
}

// Point is one objection.
type Point struct {
	File      string
	Line      int    // from 1
	Quote     string // what stands there
	Criterion int    // 0 for none
	Kind      string // a word of the list of objections
	Reason    string // in the reviewer's words
}

// objection is a kind of point: its word, what a role is told that may not read the
// reviewer's own words, and what to do about it.
type objection struct{ Word, Means, Remedy string }

// objections are all kinds of points. The last one stands for an unknown word.
func objections() []objection {
	return []objection{
		{"unasked", "does more than this step asks for", "take out what nothing asks for"},
		{"special-case", "answers the values of a test instead of what the test is about", "write code that works for other values too"},
		{"weak", "would hold for wrong code too", "expect what only right code gives"},
		{"mistaken", "demands something else than the criterion says", "demand what the criterion says"},
		{"fragile", "depends on what may change: time, order, place, or how something is done inside", "depend on what is promised only"},
		{"behaviour", "changes what the code does", "keep what it does, where no test looks too"},
		{"duplicate", "repeats what is there already", "use what is there"},
		{"dead", "is never used", "take it out"},
		{"unclear", "misleads a reader", "say what is meant"},
		{"unsafe", "ignores an error, a limit or an input that will come", "handle it"},
		{"other", "is objected to", "look at this line again"},
	}
}

func objectionOf(word string) objection {
	all := objections()
	i := slices.IndexFunc(all, func(o objection) bool { return o.Word == word })
	if i < 0 {
		i = len(all) - 1
	}
	return all[i]
}

// Label names the request.
func (r Reviewing) Label(t Turn) string {
	return fmt.Sprintf("step %d · reviewer · %s · attempt %d", r.Step, t.Task, t.Attempt)
}

// Ask makes the prompt for the last of the turns.
func (r Reviewing) Ask(turns []Turn) (Prompt, error) {
	return consult("review", reviewView{r}, r.Label, turns, &llm.Schema{Name: "review"})
}

// Shrink leaves out what a reviewer can do without, the largest file first; false
// if nothing is left to leave out.
func (r *Reviewing) Shrink() bool {
	if len(r.Shown) == 0 {
		short := r.Diff[:len(r.Diff)/2]
		shrunk := len(short) < len(r.Diff)
		r.Diff = strings.ToValidUTF8(short, "")
		return shrunk
	}
	largest := 0
	for i, f := range r.Shown {
		if len(f.Content) > len(r.Shown[largest].Content) {
			largest = i
		}
	}
	r.Omitted = append(slices.Clone(r.Omitted), r.Shown[largest].Path)
	r.Shown = slices.Delete(slices.Clone(r.Shown), largest, largest+1)
	return true
}

// ParseReview reads a reviewer's answer. The error is a *PlanError.
func ParseReview(answer string) (Review, error) {
	var wire struct {
		Verdict string `json:"verdict"`
		Points  []struct {
			File, Quote, Kind, Reason string
			Line                      int
			Criterion                 *int
		} `json:"points"`
	}
	if err := readObject(answer, "verdict", &wire); err != nil {
		return Review{}, err
	}
	if wire.Verdict != "accept" && wire.Verdict != "reject" {
		return Review{}, refuse("verdict", `say "accept" or "reject"`, "the unknown word %q", oneLine(wire.Verdict, 40))
	}
	r := Review{Accepts: wire.Verdict == "accept"}
	for _, p := range wire.Points {
		point := Point{File: p.File, Line: p.Line, Quote: p.Quote, Kind: objectionOf(p.Kind).Word, Reason: p.Reason}
		if p.Criterion != nil {
			point.Criterion = *p.Criterion
		}
		r.Points = append(r.Points, point)
	}
	return r, nil
}

// maxPoints is how many points of one review are looked at.
const maxPoints = 20

// Evidence is what a reviewer's points are held against.
type Evidence struct {
	Lines    map[string][]string // of each file that the reviewer may speak of
	Criteria []int               // the numbers that the kata lists; none if it lists none
}

// Sift tells the points whose evidence is there from the others, and says of these
// what is wrong with them.
func (e Evidence) Sift(points []Point) (founded []Point, others []string) {
	for i, p := range points {
		why := e.missing(p)
		if i >= maxPoints {
			why = fmt.Sprintf("is one of %d; the first %d are looked at", len(points), maxPoints)
		}
		if why == "" {
			founded = append(founded, p)
			continue
		}
		others = append(others, location(p.File, p.Line)+" "+why)
	}
	return founded, others
}

// missing says what of a point's evidence is not there; empty if all of it is.
func (e Evidence) missing(p Point) string {
	lines, ok := e.Lines[p.File]
	switch {
	case !ok:
		return "is no file that it was shown"
	case p.Line < 1 || p.Line > len(lines):
		return fmt.Sprintf("is no line of a file with %d", len(lines))
	case !stands(p.Quote, lines[p.Line-1:]):
		return "does not say " + strconv.Quote(oneLine(p.Quote, 60))
	case len(e.Criteria) > 0 && !slices.Contains(e.Criteria, p.Criterion):
		return fmt.Sprintf("is held against criterion %d, which the kata does not list", p.Criterion)
	case len(e.Criteria) == 0 && p.Criterion != 0:
		return fmt.Sprintf("is held against criterion %d, and the kata lists none", p.Criterion)
	}
	return ""
}

// stands reports whether a quote begins in the first of some lines. What could
// stand anywhere is no quote.
func stands(quote string, lines []string) bool {
	words := strings.Fields(quote)
	tells := strings.ContainsFunc(quote, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if len(strings.Join(words, "")) < 3 || !tells {
		return false
	}
	rows := strings.Count(strings.TrimSpace(quote), "\n") + 1
	text := strings.Join(strings.Fields(strings.Join(lines[:min(rows, len(lines))], " ")), " ")
	at := strings.Index(text, strings.Join(words, " "))
	return at >= 0 && at < len(strings.Join(strings.Fields(lines[0]), " "))
}

// Finding is the point as its role is told of it. In isolation that is the place,
// the line as it stands there, and one of a few fixed sentences: the reviewer knows
// what the role may not know, so none of its own words are handed on.
func (p Point) Finding(line string, mode Isolation) gates.Finding {
	o := objectionOf(p.Kind)
	f := gates.Finding{
		Gate: "review", Path: p.File, Line: p.Line,
		Seen: fmt.Sprintf("%q %s", oneLine(strings.TrimSpace(line), 120), o.Means), Remedy: o.Remedy,
	}
	if why := oneLine(p.Reason, maxMessage); why != "" && mode != Strict {
		f.Seen = fmt.Sprintf("%q: %s", oneLine(strings.TrimSpace(line), 120), why)
	}
	return f
}

// reviewView is a change as the template sees it.
type reviewView struct{ Reviewing }

func (reviewView) Objections() []objection { return objections() }

// RoleRules sums up what the role is there for.
func (v reviewView) RoleRules() string {
	return map[gates.Role]string{
		gates.Tester:      "The tester writes one failing test for the smallest behaviour that is missing, and no code.",
		gates.Implementor: "The implementor makes the failing test pass with the smallest honest change, and touches no test. Code that no test demands yet is wrong, and so is a missing feature that no test demands: that is no reason to object.",
		gates.Refactorer:  "The refactorer improves code or tests without changing what they do or demand.",
	}[v.Plays]
}

func (v reviewView) CriteriaText() string {
	var lines []string
	for _, c := range v.Criteria {
		mark := ""
		if c.ID == v.Serves {
			mark = " (this step serves it)"
		}
		lines = append(lines, fmt.Sprintf("%d. %s%s", c.ID, oneLine(c.Text, maxMessage), mark))
	}
	return strings.Join(lines, "\n")
}

func (v reviewView) FactsText() string {
	return strings.Join(append([]string{"before: " + countTests(v.Before), "with the change: " + countTests(v.After)}, describeFacts(v.After)[1:]...), "\n")
}

func (v reviewView) OmittedText() string { return pathLines(v.Omitted) }

// numbered is a file with the numbers of its lines.
func numbered(text string) string {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&out, "%4d  %s\n", n, strings.TrimRight(line, "\n"))
	}
	return out.String()
}
