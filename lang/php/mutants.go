package php

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	returnPattern    = lazyregexp.New(`(?:^|[\s;{])return\s+([^;]+);|=>\s+([^;,]+);`)
	givesPattern     = lazyregexp.New(`\breturn\s+([^;{}]+);`)
	throwsPattern    = lazyregexp.New(`\bthrow\s+new\s+([\w\\]+)\s*\(`)
	ifPattern        = lazyregexp.New(`\b(?:else)?if\s*\(`)
	operatorPattern  = lazyregexp.New(` (===|!==|==|!=|<=|>=|<|>|&&|\|\||\?\?|\+=|-=|\+|-|\*|/|%) `)
	constantsPattern = lazyregexp.New(`(?:[=(,\[]|=>|return|case|\?|:) ?(\d[\d_]*(?:\.\d+)?\b|'_+'|true\b|false\b)`)
	silentPattern    = lazyregexp.New(`^\s*(?:use|namespace|declare|throw|echo|print|#\[|(?:abstract |final |readonly )*(?:class|interface|trait|enum)\b|(?:for|foreach|while) ?\()|\bthrow new\b`)
	headPattern      = lazyregexp.New(`\bfunction\b`)
)

// mutants lists small changes of a source: what a function returns, what a condition
// asks, an operator, a constant; the first of these on each line.
func mutants(content string) []testrun.Mutant {
	_, masked := mask(content)
	var out []testrun.Mutant
	var open []int
	number, at := 0, 0
	for line := range strings.Lines(masked) {
		number++
		if e, ok := mutated(content, masked, testrun.Span{Start: at, End: at + len(line)}); ok {
			m := testrun.Mutant{Line: number, What: e.Text + " for " + content[e.Start:e.End], Edit: e}
			if len(open) > 0 {
				m.Block = open[len(open)-1]
			}
			out = append(out, m)
		}
		for i := range len(line) {
			switch {
			case line[i] == '{':
				open = append(open, at+i)
			case line[i] == '}' && len(open) > 0:
				open = open[:len(open)-1]
			}
		}
		at += len(line)
	}
	return out
}

// mutated is the mutant of a line that tells most.
func mutated(content, masked string, line testrun.Span) (testrun.Edit, bool) {
	text := masked[line.Start:line.End]
	if silentPattern.MatchString(text) || headPattern.MatchString(text) {
		return testrun.Edit{}, false
	}
	edit := func(start, end int, text string) (testrun.Edit, bool) {
		return testrun.Edit{Span: testrun.Span{Start: line.Start + start, End: line.Start + end}, Text: text}, true
	}
	if at := returnPattern.FindStringSubmatchIndex(text); at != nil {
		start, end := max(at[2], at[4]), max(at[3], at[5])
		if to := returned(content[line.Start+start:line.Start+end], text[start:end]); to != "" {
			return edit(start, end, to)
		}
	}
	if at := ifPattern.FindStringIndex(text); at != nil {
		if end := scan.Closing(text, at[1]-1); end < len(text) {
			return edit(at[1], end-1, "!("+content[line.Start+at[1]:line.Start+end-1]+")")
		}
	}
	if at := operatorPattern.FindStringSubmatchIndex(text); at != nil {
		return edit(at[2], at[3], swapped(text[at[2]:at[3]]))
	}
	if at := constantsPattern.FindStringSubmatchIndex(text); at != nil {
		was := content[line.Start+at[2] : line.Start+at[3]]
		switch {
		case was == "true":
			return edit(at[2], at[3], "false")
		case was == "false":
			return edit(at[2], at[3], "true")
		case was[0] == '\'':
			return edit(at[2], at[3], "("+was+" . '~')")
		}
		return edit(at[2], at[3], "("+was+" + 1)")
	}
	return testrun.Edit{}, false
}

var (
	choicePattern  = lazyregexp.New(`\?|&&|\|\||\bfn\b|\bfunction\b|\bnew\b|\bmatch\b`)
	equalsPattern  = lazyregexp.New(`^[^=(]+ (?:===|!==|==|!=|<=|>=|<|>) |^!`)
	numericPattern = lazyregexp.New(`^[^'"\[]+ [-+*/%] |^\d[\d_]*$`)
)

// returned is another value than one that a function returns; empty if its type
// does not show.
func returned(value, masked string) string {
	switch {
	case choicePattern.MatchString(masked) || strings.Contains(masked, " . "):
		return ""
	case equalsPattern.MatchString(masked):
		return "!(" + value + ")"
	case numericPattern.MatchString(masked):
		return "(" + value + " + 1)"
	}
	return ""
}

// swapped is the operator that takes another's place.
func swapped(operator string) string {
	return map[string]string{
		"===": "!==", "!==": "===", "==": "!=", "!=": "==", "<=": "<", ">=": ">", "<": "<=", ">": ">=", "&&": "||", "||": "&&",
		"??": "&&", "+=": "-=", "-=": "+=", "+": "-", "-": "+", "*": "+", "/": "*", "%": "*",
	}[operator]
}

var (
	annotatedPattern = lazyregexp.New(`@[\w\\]`)
	openingPattern   = lazyregexp.New(`^(?:#![^\n]*\n)?<\?php\s`)
)

// code is a source without its comments and its layout. Comments that say something
// with an annotation may be read when it runs, and what stands outside the tags is
// printed as it is.
func code(content string) string {
	bare, masked := mask(content)
	if !openingPattern.MatchString(content) || strings.Contains(masked, "?>") {
		return content
	}
	var out strings.Builder
	for _, at := range codePattern.FindAllStringIndex(masked, -1) {
		out.WriteString(bare[at[0]:at[1]])
		out.WriteByte('\n')
	}
	for _, hit := range commentPattern.FindAllStringIndex(content, -1) {
		if comment := content[hit[0]:hit[1]]; bare[hit[0]] == ' ' && annotatedPattern.MatchString(comment) {
			out.WriteString(comment)
		}
	}
	return out.String()
}

var (
	codePattern    = lazyregexp.New(`<<<_*|'_*'|"_*"|[\w$\\]+|[^\s\w]`)
	commentPattern = lazyregexp.New(`(?s)/\*\*.*?\*/`)
)

// narrow is a call of PHPUnit for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if len(argv) == 0 || filepath.Base(argv[0]) != "phpunit" || slices.ContainsFunc(argv, func(arg string) bool { return strings.HasPrefix(arg, "--filter") }) {
		return nil
	}
	var names []string
	for _, t := range tests {
		parts := strings.Split(t.ID, "::")
		if len(parts) < 3 {
			return nil
		}
		name, _, _ := strings.Cut(parts[2], " ")
		names = append(names, regexp.QuoteMeta(name))
	}
	slices.Sort(names)
	return append(slices.Clone(argv), "--filter=/::("+strings.Join(slices.Compact(names), "|")+")( .*)?$/")
}
