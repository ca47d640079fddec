package php

import (
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of PHP, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis = syntax.Lexis{
		Lines: []string{"//", "#"}, Blocks: [][2]string{{"/*", "*/"}}, Forms: []syntax.Form{{Begins: "\" ' `"}}, Letters: `$\`, Literal: literal,
		Signs:  strings.Fields("<=> === !== **= ??= ?-> == != <= >= && || ?? += -= .= *= /= %= => -> :: ++ -- **"),
		Before: strings.Fields("return case throw new else do echo print as instanceof yield"),
	}
	p.Declares = func(t *syntax.Tree, i int) bool { return variable(t, i) || t.Is(i-1, "const") || t.Is(i-2, "const") }
	p.Changes = changes
	p.Values = syntax.Values{
		Literal: otherLiteral, Another: another, Far: "1e15", Makes: syntax.MadeBy(madePattern, madePattern), Core: core, Keys: []string{"=>"}, Joins: ".", Self: []string{"self", "static"},
		Words: map[string]string{"true": "false", "false": "true", "TRUE": "false", "FALSE": "true", "null": "'~tdd'", "NULL": "'~tdd'"},
		Empty: map[string]string{"[": "['~tdd']", "array": "['~tdd']"},
	}
	p.Checking = syntax.Checking{Functions: functions, Judges: judges, Begin: fromProviders, Visit: visit, Fails: syntax.FailingBy("if try", failing)}
	p.Expects = syntax.Expecting{Pattern: expectationPattern, Begins: line, Block: controlPattern.MatchString}
	c := &p.Changing
	c.Inert, c.Type, c.Returns, c.Returned, c.Constant = inert, nil, returns, returned, constant
	c.Close = []string{
		`(function ($v) { return is_int($v) ? $v + 1 : (is_float($v) ? $v + 0.05 * abs($v) + 0.05 : (is_string($v) ` +
			`? (strtolower($v) ^ strtoupper($v) ^ $v) : (is_array($v) ? array_reverse($v) : $v))); })`,
		`(function ($v) { return is_int($v) ? $v - 1 : (is_float($v) ? $v - 0.05 * abs($v) - 0.05 : (is_string($v) ` +
			`? "\n" . $v : (is_array($v) && $v ? array_replace($v, [array_keys($v)[0] => null]) : $v))); })`,
	}
	c.Ties = map[string]string{"$1 = array_reverse($1); ": "usort", "$1 = array_reverse($1, true); ": "uasort"}
	c.Errors = [2]string{`\LengthException`, `\DomainException`}
	c.Handled = map[string]string{}
	for all := range strings.FieldsSeq(`Exception \Exception Throwable \Throwable`) {
		c.Handled[all] = `\RuntimeException \LogicException`
	}
	c.Angles, c.Typed, c.Bodies = nil, false, false
	maps.Copy(c.Swaps, map[string]string{
		"===": "!==", "!==": "===", "??": "&&", "^": "", "|=": "", "&=": "", "^=": "", "++": "", "--": "", "*=": "", "/=": "", "%=": "",
	})
	p.Directive = func(comment string) bool {
		return strings.HasPrefix(comment, "/**") && annotatedPattern.MatchString(describingPattern().ReplaceAllString(comment, ""))
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
	hit := heredocPattern().FindStringSubmatch(text)
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

// otherLiteral is another literal.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	switch {
	case kind == syntax.Number:
		return "(" + text + map[syntax.Way]string{syntax.Other: " * 3 + 41)", syntax.Up: " + 1e15)", syntax.Down: " - 1e15)"}[to]
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

// madePattern matches what makes a value of its arguments: new Point(1, 2), array(1, 2).
var madePattern = lazyregexp.New(`^(?:new\s+[\w\\$]+|array)\s*\($`)

var testMarkPattern = lazyregexp.New(`@test\b|#\[(?:\w+\\)*Test\b`)

// functions lists the methods of a file: tests by their name, or by what stands before
// them.
func functions(t *syntax.Tree) []syntax.Function {
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
	for _, hit := range providerPattern().FindAllStringSubmatch(f.Lead(fn), -1) {
		for _, provider := range functions(f.Tree) {
			if provider.Name == hit[1]+hit[2] {
				rows = append(rows, table(f, provider.Body)...)
			}
		}
	}
	for n, param := range f.Split(fn.Params, ",") {
		if i := param.Where(func(i int) bool { return variable(f.Tree, i) }); i >= 0 && len(rows) > 0 {
			f.Bind(f.Word(i), append(f.Column(rows, strconv.Itoa(n)), f.Column(rows, f.Word(i)[1:])...))
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

// line reports whether a statement begins with token i that stands in blocks alone.
func line(t *syntax.Tree, i int) bool {
	around := t.Around(i)
	for t.Is(around, "{") && t.Broken(around+1) {
		around = t.Around(around)
	}
	return around < 0 && t.Broken(i) && !t.Is(i, "->") && (t.Is(i, "}") || t.Is(i-1, ";", "{", "}", "]"))
}

// assertions lists what the tests expect, and the marks in comments that decide how a test
// is run.
func assertions(test string) []string {
	out := page().Assertions(test)
	for _, mark := range annotationPattern().FindAllString(test, -1) {
		out = append(out, strings.TrimSpace(mark))
	}
	return out
}

var annotationPattern = lazyregexp.New(`@(?:dataProvider|depends|requires|group|testWith|doesNotPerformAssertions|expectedException)\b[^\n*]*`)

// inert is the place behind what does nothing that a test could notice: declarations,
// what is printed, errors, the heads of loops, which might never end.
func inert(t *syntax.Tree, i int) int {
	switch {
	case t.Is(i, "#") && t.Is(i+1, "["):
		return t.Group(i + 1)
	case !t.Named(i) || t.Is(i-1, "->", "::", "?->"):
	case t.Is(i, "use", "namespace", "declare", "throw", "echo", "print"):
		return t.End(i)
	case t.Is(i, "for", "foreach", "while") && t.Is(i+1, "("):
		return t.Group(i + 1)
	case t.Is(i, "class", "interface", "trait", "enum", "function"):
		for i < t.Len() && !t.Is(i, "{", ";") {
			i = t.Group(i)
		}
	}
	return i
}

// returns is what a return or the arrow of a function returns.
func returns(t *syntax.Tree, i int) syntax.Expr {
	if t.Is(i, "return") || t.Is(i, "=>") && t.Opening(i-1) < i-1 && t.Is(t.Opening(i-1)-1, "fn") {
		return syntax.Expr{From: i + 1, To: t.End(i + 1)}
	}
	return syntax.Expr{}
}

// anotherValue is another value of the type of the value that it is called with.
const anotherValue = `(fn ($v) => is_bool($v) ? !$v : (is_int($v) ? $v + 1 : (is_float($v) ? 2 * $v + 1 : (is_string($v) ? $v . '~' : (is_array($v) ? [...$v, null] : ($v === null ? '~' : null))))))`

// returned are other values than one that a function returns.
func returned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	text := t.Source(e)
	switch {
	case t.Find(e, "fn", "function", "new") >= 0, t.Is(e.From, "["), text[0] == '\'' && e.To == e.From+1:
		return nil
	case t.Find(e, "?", "&&", "||", "match") >= e.From:
	case t.Is(e.From, "!"), t.Find(e, "===", "!==", "==", "!=", "<=", ">=", "<", ">") > e.From:
		return []syntax.Result{{Text: "!(" + text + ")"}}
	case t.Kind(e.From) == syntax.Number && e.To == e.From+1,
		t.Find(e, "-", "+", "*", "/", "%") > e.From && t.Kind(e.From) != syntax.Text && !t.Is(e.From, "["):
		return []syntax.Result{{Text: "(" + text + " + 1)"}}
	}
	return []syntax.Result{{Text: anotherValue + "(" + text + ")", What: "another value"}}
}

// constant is another value than one that is written out.
func constant(t *syntax.Tree, i int) string {
	switch was := t.Word(i); {
	case t.Kind(i) == syntax.Number:
		return "(" + was + " + 1)"
	case was[0] == '\'' && expressionPattern.MatchString(was):
		end := strings.LastIndexByte(was, was[1])
		return was[:end] + "~" + was[end:]
	case was[0] == '\'':
		return "(" + was + " . '~')"
	}
	return ""
}

// expressionPattern matches a regular expression between its delimiters: behind them nothing
// but letters may stand that it knows.
var expressionPattern = lazyregexp.New(`^'(?:/.+/|#.+#|@.+@|!.+!|%.+%)[imsxuADJUX]*'$`)

var (
	annotatedPattern = lazyregexp.New(`@[\w\\]`)
	// describingPattern matches the annotations of phpDocumentor, which only describe.
	describingPattern = lazyregexp.New(`@(?:param|returns?|throws|var|see|link|since|deprecated|author|copyright|license|version|package|subpackage|internal|todo|api|example|inherit[dD]oc|method|mixin|property(?:-read|-write)?|template(?:-covariant)?|extends|implements|use|(?:psalm|phpstan)-[\w-]+)\b`)
	openingPattern    = lazyregexp.New(`^(?:#![^\n]*\n)?<\?php\s`)
)

// code is a source without its comments and its layout. Comments that say something
// with an annotation may be read when it runs, and what stands outside the tags is
// printed as it is.
func code(content string) string {
	if _, masked := page().Mask(content); !openingPattern.MatchString(content) || strings.Contains(masked, "?>") {
		return content
	}
	return page().Plain(content)
}
