package shell

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of shell: its tokens are words, as the shell reads them, and signs.
func page() *syntax.Page {
	return &syntax.Page{
		Lexis:    syntax.Lexis{Lines: []string{"#"}, Literal: literal, Heredoc: heredoc},
		Words:    &syntax.WordBlocks{Ends: func(t *syntax.Tree, i int) bool { return !t.Is(i-1, "|", "&&", "||") }},
		Checking: syntax.Checking{Functions: functions},
		Expects:  syntax.Expecting{Pattern: expectationPattern, Begins: (*syntax.Tree).Line, Block: controlPattern.MatchString},
	}
}

var (
	heredocPattern = lazyregexp.New(`^<<(-?)[ \t]*["']?([A-Za-z_]\w*)["']?`)
	signPattern    = lazyregexp.New(`^(?:&&|\|\||;;|<<<|>>|>&|<&|&>|[;|&()<>])`)
	pairPattern    = lazyregexp.New(`^'[^'\n]*'`)
	bracePattern   = lazyregexp.New(`^[{}](?:[\s;)&|]|$)`)
)

// literal measures a here-document's mark, a sign or a word, which is a text if there are
// quotes in it.
func literal(text string, at int, _ bool) (syntax.Kind, int) {
	rest := text[at:min(len(text), at+100)]
	switch c := rest[0]; {
	case c == '#':
		return syntax.Sign, 0
	case c == '<' && heredocPattern.MatchString(rest):
		return syntax.Text, len(heredocPattern().FindString(rest))
	case strings.IndexByte(";|&()<>", c) >= 0:
		return syntax.Sign, len(signPattern().FindString(rest))
	case bracePattern.MatchString(rest):
		return syntax.Sign, 1
	}
	size := behind(text, at, ' ') - at
	if strings.ContainsAny(text[at:at+size], `'"`) {
		return syntax.Text, size
	}
	return syntax.Word, size
}

// behind is the place behind what begins before a place and ends with a sign: a word, of
// which a blank is none, a text in double quotes, or what is put into one.
func behind(text string, at int, end byte) int {
	for at < len(text) {
		switch c := text[at]; {
		case end == ' ' && strings.IndexByte(" \t\n;|&()<>", c) >= 0:
			return at
		case c == end:
			return at + 1
		case c == '\\':
			at += 2
		case end == '\'':
			at++
		case strings.HasPrefix(text[at:], "$("), c == '(' && end == ')':
			at = behind(text, at+1+strings.IndexByte("($", c), ')')
		case strings.HasPrefix(text[at:], "${"):
			at = behind(text, at+2, '}')
		case c == '"':
			at = behind(text, at+1, '"')
		case strings.HasPrefix(text[at:], "$'") && end != '"':
			at = behind(text, at+2, '\'')
		case c == '\'' && (end != '"' && end != '}' || end == '}' && pairPattern.MatchString(text[at:min(len(text), at+40)])):
			quoted, _, _ := strings.Cut(text[at+1:], "'")
			at += 2 + len(quoted)
		default:
			at++
		}
	}
	return len(text)
}

// heredoc is the line that ends the text that a mark announces.
func heredoc(mark string) (end, blanks string) {
	if hit := heredocPattern().FindStringSubmatch(mark); hit != nil {
		return hit[2], map[string]string{"-": "\t"}[hit[1]]
	}
	return "", ""
}

var (
	namePattern = lazyregexp.New(`^[\w:-]+$`)
	markPattern = lazyregexp.New(`^[ \t]*#[ \t]*@test[ \t]*(?:\n|$)`)
)

// functions lists the tests and functions of a file.
func functions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	for i := 0; i < t.Len(); i++ {
		fn, open := head(t, i)
		if open < 0 || !t.Starts(i) {
			continue
		}
		fn.Head, fn.Body = syntax.Expr{From: i, To: t.Group(open)}, t.Inside(open)
		if span := t.Span(syntax.Expr{From: open, To: open + 1}); fn.Test == "" && markPattern.MatchString(t.Text[span.End:]) {
			fn.Test = fn.Name
		}
		i = fn.Body.To
		out = append(out, fn)
	}
	return out
}

// head is the function that token i begins, and the brace that opens its body; -1 if none
// begins there.
func head(t *syntax.Tree, i int) (fn syntax.Function, open int) {
	if t.Is(i, "@test") && t.Is(i+2, "{") {
		title := t.Word(i + 1)
		if t.Literal(i + 1) {
			title = strings.TrimSpace(t.Title(i + 1))
		}
		return syntax.Function{Name: title, Test: title}, i + 2
	}
	name := i
	if t.Is(i, "function") {
		name++
	}
	open = name + 1
	if t.Is(open, "(") && t.Is(open+1, ")") {
		open += 2
	}
	if open == i+1 || !t.Is(open, "{") || !namePattern.MatchString(t.Word(name)) {
		return fn, -1
	}
	return syntax.Function{Name: t.Word(name)}, open
}

var (
	expectationPattern = lazyregexp.New(`^(?:!|\[|\(\(|(?:test|run|skip|fail|false|grep|diff|cmp|assert\w*|refute\w*|return|exit|bats_require_minimum_version)\b)` +
		`|^(?:local |declare |export |readonly )?\w+\+?=["'\d(]`)
	controlPattern = lazyregexp.New(`^(?:if|elif|else|for|while|until|case)\b`)
)

// code is a source without its comments, blank lines and white space at ends of lines.
func code(content string) string {
	bare, _ := page().Mask(content)
	lines := strings.FieldsFunc(bare, func(r rune) bool { return r == '\n' })
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}
