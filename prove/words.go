package prove

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Sum counts the verdicts of several changes.
func Sum(reports []Report) string {
	all := gates.Each(reports, func(r Report) Verdict { return r.Verdict })
	parts := gates.Counts(all, []Verdict{Proven, WithGaps, Pinned, Refactoring, Withdrawn, Unproven, Refuted, NotJudged}, gates.Word)
	return gates.Count(len(reports), "change") + ": " + strings.Join(parts, "; ")
}

// Measured says how much was measured, and how long it took.
func (r Report) Measured() string {
	text := fmt.Sprintf("%s: %s measured, %.1f s", r.Tier, gates.Count(r.Runs, "tree"), float64(r.TookMS)/1000)
	switch {
	case r.Tier == Quick, r.Tried == 0 && !r.Verdict.Holds(): // what is not known, or what was found, says the rest
	case r.Left > 0:
		text += fmt.Sprintf("; %s tried, %d left for want of time", gates.Count(r.Tried, "small error"), r.Left)
	default:
		text += "; " + gates.Count(r.Tried, "small error") + " tried"
	}
	return text
}

// Signs says in signs how a test ends without the change, and with it.
func (t Test) Signs() string {
	sign := map[gates.Status]string{gates.StatusPassed: "✓", gates.StatusFailed: "✗", gates.StatusSkipped: "–"}
	without := cmp.Or(sign[t.Without], "·")
	if t.Fails() {
		without = "✗"
	}
	return without + " → " + sign[t.With]
}

// Says is why a test of the change fails without it, if it does, and what it notices.
func (r Report) Says(t Test) string {
	var parts []string
	switch {
	case t.With == gates.StatusSkipped:
		parts = append(parts, "skipped")
	case t.Without == gates.StatusSkipped:
		parts = append(parts, "skipped without the change")
	case t.Without == "" && !t.Fails():
		parts = append(parts, "not there without the change")
	case t.Without == gates.StatusPassed:
		parts = append(parts, "passes without the change too")
	case t.Message != "":
		parts = append(parts, fmt.Sprintf("%s (%s)", t.Message, t.Class))
	}
	if r.Tier == Full && t.With == gates.StatusPassed {
		var worth []string
		if r.Tried > 0 {
			worth = append(worth, "notices "+gates.Count(t.Catches, "small error"))
		}
		if t.Grade != "" {
			worth = append(worth, "grade "+t.Grade.Says())
		}
		if len(worth) > 0 {
			parts = append(parts, strings.Join(worth, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// mostListed is how many tests a reader is shown one by one.
const mostListed = 20

// Listed are the tests of the change to be shown one by one, and what is said of the rest:
// rows that end as their table does, old tests that pass either way, and all above twenty.
func (r Report) Listed() (shown []Test, rest []string) {
	ends, left := map[string]string{}, map[string]int{}
	for _, t := range r.Tests {
		ends[t.ID] = t.Signs()
	}
	for _, t := range r.Tests {
		row := false
		for i, c := range t.ID {
			row = row || c == '/' && ends[t.ID[:i]] == t.Signs()
		}
		switch {
		case !t.New && !t.Fails() && t.With == gates.StatusPassed:
			left[t.Signs()+"  %s, rewritten|old test"]++
		case row || len(shown) == mostListed:
			left[t.Signs()+"  %s|more test"]++
		default:
			shown = append(shown, t)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(left)) {
		format, noun, _ := strings.Cut(text, "|")
		rest = append(rest, fmt.Sprintf(format, gates.Count(left[text], noun)))
	}
	return shown, rest
}
