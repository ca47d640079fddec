package php

import (
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// page is the syntax of PHP, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis = syntax.Lexis{
		Lines: []string{"//", "#"}, Blocks: [][2]string{{"/*", "*/"}}, Quotes: "\"'`", Long: true, Letters: `$\`, Literal: literal,
		Signs:  strings.Fields("<=> === !== **= ??= ?-> == != <= >= && || ?? += -= .= *= /= %= => -> :: ++ -- **"),
		Before: strings.Fields("return case throw new else do echo print as instanceof yield"),
	}
	p.Declares = func(t *syntax.Tree, i int) bool { return variable(t, i) || t.Is(i-1, "const") || t.Is(i-2, "const") }
	p.Changes = changes
	p.Values = syntax.Values{
		Literal: otherLiteral, Another: another, Far: "1e15", Makes: makes, Core: core, Keys: []string{"=>"}, Joins: ".", Self: []string{"self", "static"},
		Words: map[string]string{"true": "false", "false": "true", "TRUE": "false", "FALSE": "true", "null": "'~tdd'", "NULL": "'~tdd'"},
		Empty: map[string]string{"[": "['~tdd']", "array": "['~tdd']"},
	}
	p.Checking = syntax.Checking{Functions: functions, Judges: judges, Begin: fromProviders, Visit: visit, Fails: syntax.FailingBy("if try", failing)}
	c := &p.Changing
	c.Inert, c.Type, c.Returns, c.Returned, c.Constant = inert, nil, returns, returned, constant
	c.Close = nearValues()
	c.Errors = [2]string{`\LengthException`, `\DomainException`}
	c.Angles, c.Typed, c.Bodies = nil, false, false
	maps.Copy(c.Swaps, map[string]string{"===": "!==", "!==": "===", "??": "&&"})
	for _, none := range []string{"^", "|=", "&=", "^=", "++", "--", "*=", "/=", "%="} {
		delete(c.Swaps, none)
	}
	p.Directive = func(comment string) bool {
		return strings.HasPrefix(comment, "/**") && annotatedPattern.MatchString(comment)
	}
	return &p
}

var heredocPattern = lazyregexp.New(`^<<<[ \t]*(["']?)(\w+)["']?\r?\n`)

// literal measures a heredoc, and tells an attribute from a comment.
func literal(all string, from int, _ bool) (syntax.Kind, int) {
	text := all[from:]
	if strings.HasPrefix(text, "#[") {
		return syntax.Sign, 1
	}
	hit := heredocPattern.FindStringSubmatch(text)
	if hit == nil {
		return syntax.Text, 0
	}
	end := regexp.MustCompile(`(?m)^[ \t]*` + hit[2] + `\b`).FindStringIndex(text[len(hit[0]):])
	if end == nil {
		return syntax.Text, len(text)
	}
	return syntax.Text, len(hit[0]) + end[1]
}

func variable(t *syntax.Tree, i int) bool { return strings.HasPrefix(t.Word(i), "$") }

// changes reports whether a variable is bound by a loop, is handed over as a reference, or
// whether a part of it is given a value.
func changes(t *syntax.Tree, i int) bool {
	if !variable(t, i) {
		return false
	}
	part := i + 1
	for t.Is(part, "[") {
		part = t.Group(part)
	}
	loop := t.Is(i-1, "as") || t.Is(i-1, "=>") && t.Is(i-3, "as")
	return loop || t.Is(i-1, "&") && !t.Named(i-2) && !t.Literal(i-2) || part > i+1 && t.Is(part, "=")
}

// another makes another value of one whose type shows only when the test runs.
const another = `(static fn ($v) => is_int($v) || is_float($v) ? $v * 3 + 41 : (is_string($v) ? $v . '~tdd' : (is_bool($v) ? !$v : [$v, '~tdd'])))`

// arithmetic makes another number of one.
func arithmetic(to syntax.Way) string {
	return map[syntax.Way]string{syntax.Other: " * 3 + 41", syntax.Up: " + 1e15", syntax.Down: " - 1e15"}[to]
}

// otherLiteral is another literal.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	switch {
	case kind == syntax.Number:
		return "(" + text + arithmetic(to) + ")"
	case to == syntax.Other:
		return "(" + text + " . '~tdd')"
	}
	return ""
}

// core is an argument without its name.
func core(t *syntax.Tree, e syntax.Expr) syntax.Expr {
	if t.Named(e.From) && t.Is(e.From+1, ":") {
		e.From += 2
	}
	return e
}

// makes lists the values of new Point(1, 2) and array(1, 2).
func makes(t *syntax.Tree, e syntax.Expr, _ syntax.Making) ([]syntax.Expr, bool) {
	open := t.Opening(e.To - 1)
	if open > e.From && t.Is(open, "(") && (t.Is(e.From, "new") && open == e.From+2 || t.Is(e.From, "array") && open == e.From+1) {
		return t.Args(open), true
	}
	return nil, false
}

var testMarkPattern = lazyregexp.New(`@test\b|#\[(?:\w+\\)*Test\b`)

// functions lists the methods of a file: tests by their name, or by what stands before
// them.
func functions(t *syntax.Tree, _ gates.Kind) []syntax.Function {
	out := syntax.Braced(t, func(i int) bool { return t.Is(i-1, "function") || t.Is(i-1, "&") && t.Is(i-2, "function") }, ":", "?", "|")
	for k := range out {
		if fn := &out[k]; strings.HasPrefix(fn.Name, "test") || testMarkPattern.MatchString(t.Lead(*fn)) {
			fn.Test = fn.Name
		}
	}
	return out
}

var providerPattern = lazyregexp.New(`@dataProvider\s+(\w+)|DataProvider\(\s*['"](\w+)['"]`)

// fromProviders binds the parameters of a test to what its data providers return or yield.
func fromProviders(f *syntax.Finder, fn syntax.Function) bool {
	var rows []syntax.Expr
	for _, hit := range providerPattern.FindAllStringSubmatch(f.Lead(fn), -1) {
		for _, provider := range functions(f.Tree, gates.KindTest) {
			if provider.Name == hit[1]+hit[2] {
				rows = append(rows, table(f, provider.Body)...)
			}
		}
	}
	for n, param := range f.Split(fn.Params, ",") {
		for i := param.From; i < param.To && len(rows) > 0; i++ {
			if variable(f.Tree, i) {
				f.Bind(f.Word(i), append(f.Column(rows, strconv.Itoa(n)), f.Column(rows, f.Word(i)[1:])...))
				break
			}
		}
	}
	return true
}

// table lists the rows that a provider returns or yields.
func table(f *syntax.Finder, body syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	for i := body.From; i < body.To; i++ {
		value := syntax.Expr{From: i + 1, To: f.End(i + 1)}
		switch {
		case f.Is(i, "yield") && !f.Is(i+1, "from"):
			out = append(out, f.Entry(value))
		case f.Is(i, "return") && f.Is(i+1, "["):
			for _, row := range f.Args(i + 1) {
				out = append(out, f.Entry(row))
			}
		}
	}
	return out
}

var (
	expectationPattern = lazyregexp.New(`(?:->|::)(?:assert|expect|fail|markTest|willReturn|with|method|once|never|exactly|should)\w*\(|^return\b` +
		`|^#\[|^(?:yield\b|\[)|^(?:public |private |protected |static |const |readonly |\?\w+ |\w+ )*\$?\w+ ?= ?[-+]?(?:[\d"'\[]|true\b|false\b|null\b|array\b|<<<)`)
	controlPattern = lazyregexp.New(`^\}? ?(?:if|elseif|else|foreach|for|while|do|switch|case|try|catch|finally)\b`)
)

// assertions lists what the tests expect: assertions and expectations with
// all that is chained to them, marks that switch a test off, data of tests, and
// literal values, with the conditions they stand under.
func assertions(test string) []string {
	bare, masked := page().Mask(test)
	lines := scan.Lines(bare, scan.OpenBlocks(masked), func(line, next string) bool {
		return line != "" && strings.IndexByte(";{}]", line[len(line)-1]) < 0 && next != "" && !strings.HasPrefix(next, "}") ||
			strings.HasPrefix(next, "->")
	})
	return append(scan.Expectations(lines, expectationPattern, controlPattern.MatchString), annotations(test)...)
}

var annotationPattern = lazyregexp.New(`@(?:dataProvider|depends|requires|group|testWith|doesNotPerformAssertions|expectedException)\b[^\n*]*`)

// annotations lists the marks in comments that decide how a test is run.
func annotations(test string) []string {
	var out []string
	for _, hit := range annotationPattern.FindAllString(test, -1) {
		out = append(out, strings.TrimSpace(hit))
	}
	return out
}
