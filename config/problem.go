package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Error is everything that is wrong with the settings of a project.
type Error struct {
	// File is the file the problems are in: FileName, unless the caller sets it to
	// AltFileName.
	File     string
	Problems []Problem // by line; those of the environment last
}

// Problem is one thing that is wrong.
type Problem struct {
	Key    string // the setting's path, or the variable; empty for the file as a whole
	Line   int    // 1-based; 0 if the problem is not in the file
	Seen   string // what was found there, safe to show: never a key or a password
	Remedy string // what to write instead
}

// Error lists the problems, one per line.
func (e *Error) Error() string {
	const most = 20
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.File, count(len(e.Problems), "problem"))
	for _, p := range e.Problems[:min(len(e.Problems), most)] {
		b.WriteString("\n  " + p.String())
	}
	if more := len(e.Problems) - most; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// String is the problem on one line: place, key, what was seen, the remedy.
func (p Problem) String() string {
	var parts []string
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	if p.Key != "" {
		parts = append(parts, printable(p.Key))
	}
	return strings.Join(append(parts, p.Seen+"; "+p.Remedy), ": ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printable is s, quoted unless a terminal can show it as it is, and cut if it
// is long.
func printable(s string) string {
	s = short(s)
	if q := strconv.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}

// short cuts what is too long for one line of a problem.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// inOrder sorts problems by line and key, those without a line last.
func inOrder(problems []Problem) []Problem {
	line := func(p Problem) int { return cmp.Or(p.Line, math.MaxInt) }
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(line(a), line(b)), strings.Compare(a.Key, b.Key))
	})
	return problems
}
