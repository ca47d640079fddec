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
// asks, an operator, a constant.
func mutants(content string) []testrun.Mutant {
	_, masked := mask(content)
	var out []testrun.Mutant
	number, at := 0, 0
	for line := range strings.Lines(masked) {
		number++
		note := func(rank, start, end int, text string) {
			e := testrun.Edit{Span: testrun.Span{Start: at + start, End: at + end}, Text: text}
			out = append(out, testrun.Mutant{Line: number, Rank: rank, What: strings.ReplaceAll(text, anotherValue, "another value of ") + " for " + content[e.Start:e.End], Edit: e})
		}
		if !silentPattern.MatchString(line) && !headPattern.MatchString(line) {
			mutated(content[at:at+len(line)], line, note)
		}
		at += len(line)
	}
	return out
}

// mutated notes the mutants of a line.
func mutated(line, masked string, note func(rank, start, end int, text string)) {
	if at := returnPattern.FindStringSubmatchIndex(masked); at != nil {
		start, end := max(at[2], at[4]), max(at[3], at[5])
		if to := returned(line[start:end], masked[start:end]); to != "" {
			note(0, start, end, to)
		} else if givenPattern.MatchString(masked[start:end]) {
			note(0, start, end, anotherValue+"("+line[start:end]+")")
		}
	}
	if at := ifPattern.FindStringIndex(masked); at != nil {
		if end := scan.Closing(masked, at[1]-1); end < len(masked) {
			note(1, at[1], end-1, "!("+line[at[1]:end-1]+")")
		}
	}
	for _, at := range scan.Each(operatorPattern, masked) {
		note(2, at[0], at[1], swapped(masked[at[0]:at[1]]))
	}
	for _, at := range scan.Each(constantsPattern, masked) {
		note(3, at[0], at[1], anotherConstant(line[at[0]:at[1]]))
	}
}

// anotherConstant is another value than one that is written out.
func anotherConstant(was string) string {
	switch {
	case was == "true":
		return "false"
	case was == "false":
		return "true"
	case was[0] == '\'':
		return "(" + was + " . '~')"
	}
	return "(" + was + " + 1)"
}

var (
	choicePattern  = lazyregexp.New(`\?|&&|\|\||\bfn\b|\bfunction\b|\bnew\b|\bmatch\b`)
	equalsPattern  = lazyregexp.New(`^[^=(]+ (?:===|!==|==|!=|<=|>=|<|>) |^!`)
	givenPattern   = lazyregexp.New(`^\$\w+(?:->\w+)*$|^[^(\[]* \. [^(\[]*$`)
	numericPattern = lazyregexp.New(`^[^'"\[]+ [-+*/%] |^\d[\d_]*$`)
)

// anotherValue is another value of the type of the value that it is called with.
const anotherValue = `(fn ($v) => is_bool($v) ? !$v : (is_int($v) || is_float($v) ? $v + 1 : (is_string($v) ? $v . '~' : (is_array($v) ? [...$v, null] : null))))`

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
