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

// key says what a colour means; without a colour it names the chart of those after it.
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

// lanes draws which phase each commit is of, and below that what was refused before it, and the verdict.
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

// part is what a bar of a plot is made of.
type part struct {
	class, name string
	of          func(Commit) int
	usual       bool // it has a key even if no commit has it
}

// stacked draws, on top of each other, the parts of each commit, as shares of the most
// that a commit has. Other commits may have more, and fill the plot.
func (c *chart) stacked(h History, name string, most int, parts ...part) {
	if most == 0 {
		return
	}
	var keys []key
	for _, p := range parts {
		if p.usual || slices.ContainsFunc(h.Commits, func(commit Commit) bool { return p.of(commit) > 0 }) {
			keys = append(keys, key{p.class, p.name})
		}
	}
	foot := c.plot(name, fmt.Sprintf("of %d", most), keys...)
	for i, commit := range h.Commits {
		whole, at := 0, foot
		for _, p := range parts {
			whole += p.of(commit)
		}
		for _, p := range parts {
			high := int(math.Round(float64(p.of(commit)) / float64(max(most, whole)) * plotHeight))
			if p.of(commit) > 0 {
				high = max(high, 1)
			}
			at -= high
			c.put(i, at, high, p.class)
		}
	}
}

// tests draws how many tests passed, failed and were skipped: by facts that are on
// record, and otherwise as the trailers claim.
func (c *chart) tests(h History) {
	most := 0
	for _, commit := range h.Commits {
		most = max(most, total(commit.tally()))
	}
	c.stacked(h, "tests", most,
		part{"passed", "passed", func(c Commit) int { return c.tally().Passed }, true},
		part{"skipped", "skipped", func(c Commit) int { return c.tally().Skipped }, false},
		part{"failed", "failed", func(c Commit) int { return c.tally().Failed }, true})
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
	most := 0
	for _, commit := range h.Commits {
		if commit.Phase != "" || h.steps() == 0 {
			most = max(most, commit.lines())
		}
	}
	c.stacked(h, "lines", most,
		part{"sources", "sources", func(c Commit) int { return c.Source.Total() }, true},
		part{"in-tests", "tests", func(c Commit) int { return c.Test.Total() }, true},
		part{"other", "other files", func(c Commit) int { return c.Other.Total() }, false})
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
