package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/verify"
)

// chart is several charts over the same commits, one below the other. Across, it
// is measured in per cent, so that it fills its place; down, in pixels.
type chart struct {
	Height int
	Labels []label
	Lines  []int // where a chart stands
	Bars   []bar
	Ticks  []tick
	Foot   int // where the numbers of the steps stand
	Keys   []key

	n   int    // commits
	box string // the width of a bar
}

type label struct {
	Y     int
	Text  string
	Class string
}

// bar is one bar; the class is its colour.
type bar struct {
	X, W  string // per cent
	Y, H  int
	Class string
	Ref   string // the commit to open
	Title string
}

type tick struct{ X, Text string }

// key says what a colour means; without a colour it names the chart of those
// after it.
type key struct{ Class, Text string }

// The measures of a chart, in pixels.
const (
	laneHeight = 20
	laneBar    = 14
	plotHeight = 64
	plotGap    = 34 // room for a title
	narrowest  = 5  // a commit's place, across
	widest     = 76
)

// chartOf draws a history.
func chartOf(h History) *chart {
	c := &chart{n: len(h.Commits)}
	if c.n == 0 {
		return nil
	}
	c.box = percent(0.82 / float64(c.n))
	c.lanes(h)
	c.tests(h)
	c.size(h)
	c.steps(h)
	return c
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 3, 64) + "%" }

func (c *chart) x(i int) string { return percent((float64(i) + 0.09) / float64(c.n)) }

// lane is the kind of a commit: where it stands and what colour it has.
func (c Commit) lane() string {
	if c.Phase == "" {
		return "other"
	}
	return string(c.Phase)
}

// lanes draws which phase each commit is of, and below that what was refused
// before it, and the verdict.
func (c *chart) lanes(h History) {
	has := func(is func(Commit) bool) bool { return slices.ContainsFunc(h.Commits, is) }
	at := map[string]int{}
	for _, lane := range []struct {
		name string
		open bool
	}{
		{"red", true},
		{"green", true},
		{"refactor", true},
		{"cycle", has(func(c Commit) bool { return c.Phase == gates.PhaseCycle })},
		{"keep", has(func(c Commit) bool { return c.Phase == gates.PhaseKeep })},
		{"other", has(func(c Commit) bool { return c.Phase == "" })},
		{"refused", has(func(c Commit) bool { return len(c.Attempts) > 0 })},
		{"verdict", h.Proofs != nil},
	} {
		if lane.open {
			at[lane.name] = c.lane(lane.name)
		}
	}
	for i, commit := range h.Commits {
		lane := commit.lane()
		c.Bars = append(c.Bars, bar{X: c.x(i), W: c.box, Y: at[lane] + 3, H: laneBar, Class: lane, Ref: anchor(commit), Title: titleOf(commit)})
		if n := len(commit.Attempts); n > 0 {
			high := min(laneBar, 3+2*n)
			c.put(i, at["refused"]+3+laneBar-high, high, "refused")
		}
		if commit.Proof != nil {
			c.verdict(i, at["verdict"], commit.Proof.Verdict)
		}
	}
}

// lane opens a lane below the others, and returns where it begins.
func (c *chart) lane(name string) int {
	top := c.Height
	c.Labels = append(c.Labels, label{Y: top + laneBar, Text: name, Class: name})
	c.Height += laneHeight
	c.Lines = append(c.Lines, c.Height-3)
	return top
}

// verdict draws a low bar for what held, and a high one for what did not.
func (c *chart) verdict(i, y int, v verify.Verdict) {
	switch v {
	case verify.Held:
		c.put(i, y+laneBar-1, 4, "held")
	case verify.Refused:
		c.put(i, y+3, laneBar, "objected")
	case verify.Unjudged:
		c.put(i, y+3, laneBar, "unjudged")
	}
}

func (c *chart) put(i, y, high int, class string) {
	if high > 0 {
		c.Bars = append(c.Bars, bar{X: c.x(i), W: c.box, Y: y, H: high, Class: class})
	}
}

// plot opens a chart below the others, with its name, what its top means, and its
// colours. It returns where it stands.
func (c *chart) plot(name, top string, keys ...key) int {
	c.Keys = append(append(c.Keys, key{Text: name}), keys...)
	c.Labels = append(c.Labels, label{Y: c.Height + plotGap, Text: name, Class: "name"}, label{Y: c.Height + plotGap + 16, Text: top})
	c.Height += plotGap - 10 + plotHeight
	c.Lines = append(c.Lines, c.Height)
	return c.Height
}

// stack draws bars on top of each other. Their heights are shares of the plot's.
func (c *chart) stack(i, foot int, shares []float64, classes []string) {
	for k, share := range shares {
		high := int(math.Round(share * plotHeight))
		if share > 0 {
			high = max(high, 1)
		}
		high = min(high, plotHeight)
		foot -= high
		c.put(i, foot, high, classes[k])
	}
}

// tests draws how many tests passed, failed and were skipped: by facts where
// they are on record, and otherwise as the trailers claim.
func (c *chart) tests(h History) {
	most, skipped := 0, 0
	for _, commit := range h.Commits {
		t := commit.tally()
		most, skipped = max(most, total(t)), skipped+t.Skipped
	}
	if most == 0 {
		return
	}
	keys := []key{{"passed", "passed"}, {"failed", "failed"}}
	if skipped > 0 {
		keys = append(keys, key{"skipped", "skipped"})
	}
	foot := c.plot("tests", fmt.Sprintf("of %d", most), keys...)
	for i, commit := range h.Commits {
		t, whole := commit.tally(), float64(most)
		c.stack(i, foot, []float64{float64(t.Passed) / whole, float64(t.Skipped) / whole, float64(t.Failed) / whole}, []string{"passed", "skipped", "failed"})
	}
}

func total(t gates.Tally) int { return t.Passed + t.Failed + t.Skipped }

// tally counts a commit's tests.
func (c Commit) tally() gates.Tally {
	if c.Facts != nil {
		return gates.TallyOf(*c.Facts)
	}
	return gates.ParseTally(c.Step.Tests)
}

// size draws the lines that each commit touches.
func (c *chart) size(h History) {
	most, others := 0, 0
	for _, commit := range h.Commits {
		others += commit.Other.Total()
		if commit.Phase != "" || h.steps() == 0 {
			most = max(most, commit.lines())
		}
	}
	if most == 0 {
		return
	}
	keys := []key{{"sources", "sources"}, {"in-tests", "tests"}}
	if others > 0 {
		keys = append(keys, key{"other", "other files"})
	}
	foot := c.plot("lines", fmt.Sprintf("of %d", most), keys...)
	for i, commit := range h.Commits {
		whole := float64(max(most, commit.lines())) // a commit outside the loop may be larger than any step
		c.stack(i, foot, []float64{
			float64(commit.Source.Total()) / whole, float64(commit.Test.Total()) / whole, float64(commit.Other.Total()) / whole,
		}, []string{"sources", "in-tests", "other"})
	}
}

// lines counts the lines that a commit touches.
func (c Commit) lines() int { return c.Source.Total() + c.Test.Total() + c.Other.Total() }

// ran is how long the commands of the project took, by facts on record.
func (c Commit) ran() time.Duration {
	if c.Facts == nil {
		return 0
	}
	return time.Duration(c.Facts.DurationMS) * time.Millisecond
}

// steps numbers the steps below the charts, as many as there is room for.
func (c *chart) steps(h History) {
	c.Height += 18
	c.Foot = c.Height - 4
	// Room for a number on a narrow page, and on one that scrolls.
	every := nice((c.n + 13) / max(14, c.n*narrowest/60))
	for i, commit := range h.Commits {
		if number := commit.Step.Number; number > 0 && (number%every == 0 || every == 1) {
			c.Ticks = append(c.Ticks, tick{X: percent((float64(i) + 0.5) / float64(c.n)), Text: strconv.Itoa(number)})
		}
	}
}

// nice is the next round number.
func nice(n int) int {
	for scale := 1; ; scale *= 10 {
		for _, round := range []int{1, 2, 5} {
			if round*scale >= n {
				return round * scale
			}
		}
	}
}
