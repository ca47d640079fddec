package gates

import (
	"cmp"
	"fmt"
	"slices"
)

// Coverage is how much of a tree's sources its tests execute. Lines of tests
// and test support are not part of it.
type Coverage struct {
	// Files has one entry for each source file, ordered by path.
	Files []FileCoverage `json:"files"`
	// Unknown says why it could not be measured; empty if it was.
	Unknown string `json:"unknown,omitempty"`
}

// FileCoverage is how much of one source file the tests execute.
type FileCoverage struct {
	Path    string `json:"path"`
	Lines   int    `json:"lines"`            // that can be executed
	Reached int    `json:"reached"`          // that the tests executed
	Missed  []int  `json:"missed,omitempty"` // the lines that they did not, in order
	Ran     []int  `json:"-"`                // the lines that they did, in order; not on record
}

// missed is how many lines no test executed.
func (f FileCoverage) missed() int { return f.Lines - f.Reached }

// total adds up all files.
func (c Coverage) total() FileCoverage {
	var sum FileCoverage
	for _, f := range c.Files {
		sum.Lines += f.Lines
		sum.Reached += f.Reached
	}
	return sum
}

// share is the proportion of lines that is executed, in words.
func (f FileCoverage) share() string {
	return fmt.Sprintf("%.1f%% (%d of %d lines)", 100*float64(f.Reached)/float64(max(f.Lines, 1)), f.Reached, f.Lines)
}

func coverageGate() Gate {
	return Gate{
		Name: "coverage", Who: "refactorer, by option",
		Judges: func(c *Case) bool { return c.Preserves() && c.Policy.Coverage == On },
		Doc: `With "gates.coverage: on", line coverage of the sources does not drop: a
refactoring is refused if after it the share of the lines that tests reach is
smaller and more lines are not reached than before. Taking lines away that tests
reached is no drop: nothing got untested by it. Lines of tests do not count.

It is measured for Go, JavaScript, TypeScript and Ruby, for Python with coverage.py
and for Rust with llvm-tools. Where it cannot be (the tool is missing, or the
language or the test command has none) the gate says so and objects to nothing; but
a commit after which it cannot be measured any more is not judged.

Why: a line that no test reaches is one that nobody asked for, or one whose test
was lost; a refactoring is no occasion for either.

To satisfy it: move code without adding to it, or pin what is new down first
(test: … with "Tdd-Outcome: characterization").`,
		Run: coverageDrops,
	}
}

func coverageDrops(c *Case) []Finding {
	if c.Special == Skipped || len(c.Change.Files) == 0 || !c.After.Complete() {
		return nil // the other gates say what needs to be said
	}
	if why := unknown(c.Before.Coverage); why != "" {
		return []Finding{note(Test{}, "line coverage before this commit is not known: "+why,
			"nothing is refused for it; git tdd explain coverage says what it takes")}
	}
	if why := unknown(c.After.Coverage); why != "" {
		return []Finding{{
			Seen:   "line coverage was known before this commit, and is not any more: " + why,
			Remedy: "keep it measurable, or switch gates.coverage off in a commit of its own (chore: …)", Unjudged: true,
		}}
	}
	before, after := c.Before.Coverage.total(), c.After.Coverage.total()
	if after.Reached*before.Lines >= before.Reached*after.Lines || after.missed() <= before.missed() {
		return nil
	}
	at, more := c.fell()
	seen := fmt.Sprintf("line coverage of the sources drops from %s to %s; in this file the lines that no test reaches are %d more than before",
		before.share(), after.share(), more)
	return []Finding{about(Test{File: at.Path}, seen, "leave out what no test needs, or pin it down first (test: … with "+KeyOutcome+": characterization)")}
}

// unknown says why coverage is not known; empty if it is.
func unknown(c *Coverage) string {
	if c == nil {
		return "it was not measured"
	}
	return c.Unknown
}

// fell is the file that lost the most executed lines, and how many.
func (c *Case) fell() (at FileCoverage, more int) {
	was := map[string]int{}
	moved := c.Change.Renames()
	for _, f := range c.Before.Coverage.Files {
		was[cmp.Or(moved[f.Path], f.Path)] += f.missed()
	}
	growth := func(f FileCoverage) int { return f.missed() - was[f.Path] }
	at = slices.MaxFunc(c.After.Coverage.Files, func(a, b FileCoverage) int { return growth(a) - growth(b) })
	return at, growth(at)
}
