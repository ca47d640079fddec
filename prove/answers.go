package prove

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// answers finds the added lines that hold what a check gives and expects, value by value,
// if that goes for every check that the change adds, and there are several: then its tests
// cannot tell a rule from a table of their answers.
func (p *proof) answers() []Lines {
	var asked [][]string
	for _, f := range p.Change.Files {
		for _, check := range f.NewAssertions() {
			if values := gates.Literals(check); len(values) > 1 {
				asked = append(asked, values)
			}
		}
	}
	switch rows := p.rows(); {
	case len(rows) >= telling:
		return p.allHeld(rows)
	case len(asked) < 2:
		return nil
	}
	return p.allHeld(asked)
}

// rowPattern matches a row of a table, all of it literals: {"1k", 1024},.
var rowPattern = lazyregexp.New(`^[\[({]?\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?\d[\w.]*)(?:\s*(?:,|:|=>)\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|-?\d[\w.]*))+\s*[\])}]?,?$`)

// rows are the values of each row that the tests of the change add to a table.
func (p *proof) rows() (out [][]string) {
	for _, f := range p.Change.Files {
		added := addedToTests(f)
		for _, n := range slices.Sorted(maps.Keys(added)) {
			if values := gates.Literals(added[n]); len(values) > 1 && rowPattern.MatchString(strings.TrimSpace(added[n])) {
				out = append(out, values)
			}
		}
	}
	return out
}

// allHeld are the added lines that hold some lists of values, each all of one, if that goes
// for every list.
func (p *proof) allHeld(asked [][]string) (out []Lines) {
	for _, values := range asked {
		at, found := p.holding(values)
		if !found {
			return nil
		}
		out = gates.Union(out, []Lines{at})
	}
	slices.SortFunc(out, func(a, b Lines) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First)) })
	return out
}

// holding is the first added line that holds all of some values, by itself or with the one
// below it.
func (p *proof) holding(values []string) (at Lines, found bool) {
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		lines := p.added[path]
		holds := func(text string) bool {
			there := gates.Literals(strings.ToLower(text))
			return !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(there, strings.ToLower(v)) })
		}
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			l := Lines{Path: path, First: n, Last: n, Text: lines[n]}
			if holds(lines[n]) {
				return l, true
			}
			if !found && holds(lines[n]+"\n"+lines[n+1]) {
				at, found = l, true
			}
		}
	}
	return at, found
}

var (
	// amongPattern matches a list of numbers that something is looked for in.
	amongPattern = lazyregexp.New(`\bin\s*[(\[{]((?:\s*\d+\s*,){2,}\s*\d+)|[\[({]((?:\s*\d+\s*,){2,}\s*\d+)\s*[\])}]\s*\.\s*(?:includes|include\?|contains|has)\b|\bin_array\([^,]+,\s*\[((?:\s*\d+\s*,){2,}\s*\d+)`)
	// comparedPattern matches a comparison with a number, keyPattern a row or a case of one or
	// of several.
	comparedPattern = lazyregexp.New(`\w\s*(?:==|===|-eq)\s*(\d+)\b`)
	keyPattern      = lazyregexp.New(`^\s*(?:(?:case|when)\s+(\d+(?:\s*,\s*\d+)+)\s*(?:->|=>|:|then\b)|(?:case\s+|when\s+)?[\[({]?\s*(\d+(?:\s*\|\s*\d+)*)\s*(?:->|=>|:|,|\)|then\b))\s*\S`)
	keysPattern     = lazyregexp.New(`[\[({,]\s*(\d+)\s*(?:=>|:)`) // of a table in one line
	numberPattern   = lazyregexp.New(`\d+`)
	// derivedPattern matches what is asked for a part or a kind of a number, and not for itself.
	derivedPattern = lazyregexp.New(`%|\bmod\b`)
)

// singled finds the added lines that single out several numbers, in a condition or row by row,
// all of which the tests of the change give, and hardly one beside them: what holds for these
// may be a rule that nobody wrote. Of limits a good test gives what lies beside them, too.
func (p *proof) singled() (out []Lines) {
	if p.Verdict != Proven || len(p.Answers) > 0 {
		return nil
	}
	given := p.given()
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		lines := p.added[path]
		var rows []int
		first := 0
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			key := keyPattern().FindStringSubmatch(lines[n])
			if rows != nil && (key == nil || lines[n-1] == "") {
				out, rows = append(out, p.among(given, path, first, rows)...), nil
			}
			switch {
			case key == nil:
				out = append(out, p.among(given, path, n, compared(lines[n]))...)
				continue
			case rows == nil && derivedPattern().MatchString(lines[n-1]):
				rows = []int{-1} // which no test gives
			case rows == nil:
				first = n
			}
			rows = append(rows, numbers(key[1]+key[2])...)
		}
		out = append(out, p.among(given, path, first, rows)...)
	}
	return out
}

// given are the numbers in what the change adds to tests.
func (p *proof) given() map[int]bool {
	out := map[int]bool{}
	for _, f := range p.Change.Files {
		for _, line := range addedToTests(f) {
			for _, n := range numbers(line) {
				out[n] = true
			}
		}
	}
	return out
}

// numbers are the numbers in a text.
func numbers(text string) (out []int) {
	for _, digits := range numberPattern().FindAllString(text, -1) {
		if n, err := strconv.Atoi(digits); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// compared are the numbers that a line asks for, one by one.
func compared(line string) (out []int) {
	if derivedPattern().MatchString(line) {
		return nil
	}
	for _, hit := range amongPattern().FindAllStringSubmatch(line, -1) {
		out = append(out, numbers(strings.Join(hit[1:], " "))...)
	}
	for _, hit := range append(comparedPattern().FindAllStringSubmatch(line, -1), keysPattern().FindAllStringSubmatch(line, -1)...) {
		out = append(out, numbers(hit[1])...)
	}
	return out
}

// among is a place that singles out some numbers, if all of them are given, and most that stand
// alone are no limits. Numbers of one digit say nothing, and neither do those from one on.
func (p *proof) among(given map[int]bool, path string, line int, numbers []int) []Lines {
	alone, limits := 0, 0
	for _, n := range numbers {
		if !given[n] {
			return nil
		}
		if !slices.Contains(numbers, n-1) && !slices.Contains(numbers, n+1) {
			alone++
			if given[n-1] || given[n+1] {
				limits++
			}
		}
	}
	if len(numbers) < telling || 2*limits > alone || slices.Max(numbers) <= max(9, len(numbers)) {
		return nil
	}
	return []Lines{{Path: path, First: line, Last: line, Text: p.added[path][line]}}
}
