package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/gates"
)

// Point is one objection.
type Point struct {
	File      string
	Line      int    // from 1
	Quote     string // what stands there
	Criterion int    // 0 for none
	Kind      string // a word of the list of objections
	Reason    string // in the reviewer's words
}

// objection is a kind of point: its word, its meaning for a role in isolation, and the remedy.
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
	o, _ := gates.Find(all, func(o objection) bool { return o.Word == word })
	return cmp.Or(o, all[len(all)-1])
}

// maxPoints is how many points of one review are looked at.
const maxPoints = 20

// Evidence is what a reviewer's points are held against.
type Evidence struct {
	Lines    map[string][]string // of each file that the reviewer may speak of
	Criteria []int               // the numbers that the kata lists; none if it lists none
}

// Sift tells the points whose evidence exists from the others, and why those do not count.
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

// Existing are the places among some that are there.
func (e Evidence) Existing(places []Point) []Point {
	return slices.DeleteFunc(slices.Clone(places), func(p Point) bool { return e.misplaced(p) != "" })
}

func (e Evidence) missing(p Point) string {
	switch misplaced := e.misplaced(p); {
	case misplaced != "":
		return misplaced
	case len(e.Criteria) > 0 && !slices.Contains(e.Criteria, p.Criterion):
		return fmt.Sprintf("is held against criterion %d, which the kata does not list", p.Criterion)
	case len(e.Criteria) == 0 && p.Criterion != 0:
		return fmt.Sprintf("is held against criterion %d, and the kata lists none", p.Criterion)
	}
	return ""
}

// misplaced says why a point names no place.
func (e Evidence) misplaced(p Point) string {
	lines, ok := e.Lines[p.File]
	switch {
	case !ok:
		return "is no file that it was shown"
	case p.Line < 1 || p.Line > len(lines):
		return fmt.Sprintf("is no line of a file with %d", len(lines))
	case !beginsWith(p.Quote, lines[p.Line-1:]):
		return "does not say " + strconv.Quote(oneLine(p.Quote, 60))
	}
	return ""
}

// beginsWith reports whether a quote that says something begins in the first of some lines.
func beginsWith(quote string, lines []string) bool {
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

// Finding is the point as its role is told of it; without a reason, what its kind means.
func (p Point) Finding(line string) gates.Finding {
	o := objectionOf(p.Kind)
	f := gates.Finding{
		Gate: "review", Path: p.File, Line: p.Line,
		Seen: fmt.Sprintf("%q %s", oneLine(strings.TrimSpace(line), 120), o.Means), Remedy: o.Remedy,
	}
	if why := oneLine(p.Reason, maxMessage); why != "" {
		f.Seen = fmt.Sprintf("%q: %s", oneLine(strings.TrimSpace(line), 120), why)
	}
	return f
}

// Hidden is the point as a role in isolation is told of it that may not know the file.
func (p Point) Hidden() gates.Finding {
	o := objectionOf(p.Kind)
	f := gates.Finding{Gate: "review", Seen: "something in the code " + o.Means, Remedy: "write a failing test where one can show it"}
	if p.Criterion > 0 {
		f.Seen = fmt.Sprintf("criterion %d: %s", p.Criterion, f.Seen)
	}
	return f
}
