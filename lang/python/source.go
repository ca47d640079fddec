package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	testPattern        = lazyregexp.New(`^(?:async )?def (test\w*) ?\(`)
	expectationPattern = lazyregexp.New(`^assert\b|\bself\.(?:assert|fail|skip)\w*\(|\bpytest\.(?:raises|warns|fail|skip|xfail|approx|importorskip|param)\b` +
		`|^@(?:pytest\.mark\.(?:parametrize|skip|xfail)|unittest\.(?:skip|expectedFailure)|given|example)|\bassert_\w+\(` +
		`|^[\w, ]+ ?= ?[-+]?(?:[\d"'\[({]|[rbf]["']|True\b|False\b|None\b)`)
	blockPattern = lazyregexp.New(`(?s)^(?:if|elif|else|for|while|try|except|finally|with|async (?:for|with))\b.*:$`)
)

// declared names the test functions and methods, in order.
func declared(test string) []string {
	var out []string
	for _, line := range lines(page().Mask(test)) {
		if hit := testPattern.FindStringSubmatch(folded(line.Masked)); hit != nil {
			out = append(out, hit[1])
		}
	}
	return out
}

// assertions lists what the tests expect: assertions with the conditions they
// stand under, parameters, marks that switch a test off, and literal values.
func assertions(test string) []string {
	return scan.Expectations(lines(page().Mask(test)), expectationPattern, blockPattern.MatchString)
}

// folded is a text with its white space folded.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines cuts a masked text into logical lines.
func lines(bare, masked string) []scan.Line {
	return scan.Lines(bare, masked, func(line, _ string) bool { return strings.HasSuffix(line, "\\") })
}

// directivePattern finds comments that are read when the code runs or is built: what
// runs a file, its encoding, and what Cython and type checkers are told.
var directivePattern = lazyregexp.New(`^#(?:!|.*coding[:=]|\s*(?:cython|distutils|type)\s*:)`)

// code is a source without its comments and its layout. What a line is indented by
// counts only as being more or less than the line before.
func code(content string) string {
	t := page().Parse(content)
	out := directives(t)
	var indents []int
	read := docReadPattern.MatchString(content)
	for i := range t.Len() {
		if t.Kind(i) == syntax.Text && t.Begins(i) && (i+1 == t.Len() || t.Begins(i+1)) && !read {
			continue // a docstring
		}
		if t.Begins(i) {
			if i > 0 {
				out = append(out, ";")
			}
			indent := t.Indent(i)
			for len(indents) > 0 && indents[len(indents)-1] > indent {
				indents = indents[:len(indents)-1]
				out = append(out, "}")
			}
			if len(indents) == 0 || indents[len(indents)-1] < indent {
				indents = append(indents, indent)
				out = append(out, "{")
			}
		}
		out = append(out, t.Word(i))
	}
	return strings.Join(out, "\n")
}

// directives are the comments that count.
func directives(t *syntax.Tree) []string {
	var out []string
	for _, c := range t.Comments() {
		comment := strings.TrimSpace(t.Text[c.Start:c.End])
		kind := directivePattern.FindString(comment)
		if kind != "" && (strings.Count(t.Text[:c.Start], "\n") < 2 || strings.HasSuffix(kind, ":")) {
			out = append(out, comment)
		}
	}
	return out
}

// docReadPattern matches what shows that docstrings are read when the program runs: as
// its usage, or as tests.
var docReadPattern = lazyregexp.New(`__doc__|docopt|>>>`)
