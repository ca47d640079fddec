package prove

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Verdicts lists all verdicts, the best first.
func Verdicts() []Verdict {
	return []Verdict{Proven, WithGaps, Pinned, Refactoring, Withdrawn, Unproven, Refuted, NotJudged}
}

// Sum counts the verdicts of several changes.
func Sum(reports []Report) string {
	counts := map[Verdict]int{}
	for _, r := range reports {
		counts[r.Verdict]++
	}
	var parts []string
	for _, v := range Verdicts() {
		if counts[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	return count(len(reports), "change") + ": " + strings.Join(parts, "; ")
}

// Measured says how much was measured, and how long it took.
func (r Report) Measured() string {
	text := fmt.Sprintf("%s: %s measured, %.1f s", r.Tier, count(r.Runs, "tree"), float64(r.TookMS)/1000)
	switch {
	case r.Tier == Quick:
		text += "; --full tries what the tests notice"
	case r.Left > 0:
		text += fmt.Sprintf("; %s tried, %d left for want of time", count(r.Tried, "small error"), r.Left)
	default:
		text += "; " + count(r.Tried, "small error") + " tried"
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

// Says is why a test fails without the change, if it does, and what it notices.
func (t Test) Says(tier Tier) string {
	var parts []string
	switch {
	case t.Without == gates.StatusPassed:
		parts = append(parts, "passes without the change too")
	case t.Message != "":
		parts = append(parts, fmt.Sprintf("%s (%s)", t.Message, t.Class))
	}
	if tier == Full && t.With == gates.StatusPassed {
		parts = append(parts, "notices "+count(t.Catches, "small error"))
		if t.Grade != "" {
			parts[len(parts)-1] += ", grade " + t.Grade.Says()
		}
	}
	return strings.Join(parts, "; ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
