package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Ruby, as far as tests and what they check are concerned.
func page() *syntax.Page {
	return &syntax.Page{
		Lexis: lexis(),
		Words: &syntax.WordBlocks{
			End: "end", Open: strings.Fields("class module begin case do def"), First: strings.Fields("if unless while until for"),
			After: strings.Fields("then else do begin and or not"), Loops: strings.Fields("while until for"), None: none, Ends: ends,
		},
		Spaced: true, Break: ends,
		Declares: func(t *syntax.Tree, i int) bool { return t.Is(i+1, "=") && t.Starts(i) },
		Changes:  shared,
		Named: func(t *syntax.Tree, i int) (string, syntax.Expr) {
			if t.Is(i, "let", "let!") && t.Is(i+1, "(") && t.Is(i+4, "{") {
				return strings.TrimPrefix(t.Word(i+2), ":"), t.Inside(i + 4)
			}
			return "", syntax.Expr{}
		},
		Values: syntax.Values{
			Literal: otherLiteral, Another: anotherValue, Far: "2**30", Makes: syntax.MadeBy(madePattern, madePattern), Rest: part, Keys: []string{"=>", ":"},
			Words: map[string]string{"true": "false", "false": "true"},
			Empty: map[string]string{"[": `["~tdd"]`, "{": `{"~tdd" => 41}`},
		},
		Checking: syntax.Checking{Functions: functions, Judges: judges, Begin: begin, Visit: visit},
		Expects: syntax.Expecting{Pattern: expectationPattern, Begins: line, Block: func(masked string) bool {
			return controlPattern.MatchString(masked) && !framePattern.MatchString(masked)
		}},
		Changing:  changing(),
		Directive: directivePattern.MatchString,
	}
}

// directivePattern is what Ruby reads in a comment.
var directivePattern = lazyregexp.New(`^#(?:!|.*coding[:=]|\s*(?:frozen_string_literal|warn_indent|shareable_constant_value)\s*:)`)

// lexis is how the comments, the words and the literals of Ruby look.
func lexis() syntax.Lexis {
	return syntax.Lexis{
		Lines: []string{"#"}, Blocks: [][2]string{{"=begin", "\n=end"}}, Letters: "$@", Literal: literal, Heredoc: heredoc,
		Signs:  strings.Fields("**= ||= &&= <=> === ... <<= >>= ** == != >= <= && || =~ !~ .. :: += -= *= /= %= |= &= ^= << >> => -> &."),
		Before: strings.Fields("return if unless elsif while until when in then do else case and or not yield"),
	}
}

var (
	namePattern    = lazyregexp.New(`^(?:\$[^\w\s]|[A-Za-z_]\w*[?!])`)
	quotePattern   = lazyregexp.New("^(?::?[\"']|`)")
	openPattern    = lazyregexp.New(`^(?:/|%[wWiIqQrsx]?[^\w\s])`)
	operandPattern = lazyregexp.New(heredocMark + `|^\?(?:\w\b|[^\w\s])|^:(?:[A-Za-z_]\w*[?!]?|\[\]=?|\*\*|<=>|===?|=~|!=|<=|>=|<<|>>|[-+*/%~&|^<>!])`)
	heredocPattern = lazyregexp.New(heredocMark)
	dataPattern    = lazyregexp.New(`^__END__\r?(?:\n|$)`)
)

const heredocMark = "^<<(?:[~-]?[\"'`]?([A-Z_]\\w*)|[~-][\"'`]?([a-z]\\w*))[\"'`]?"

// literal measures what Ruby writes in a way of its own. A symbol is a text.
func literal(text string, at int, value bool) (syntax.Kind, int) {
	rest := text[at:min(len(text), at+200)]
	fresh := at == 0 || text[at-1] == '\n'
	switch c := rest[0]; {
	case c == '=' && !fresh && strings.HasPrefix(rest, "=begin"):
		return syntax.Sign, 1
	case c == '_' && fresh && dataPattern.MatchString(rest):
		return syntax.Text, len("__END__")
	case c == ':' && !fresh && (text[at-1] == '_' || text[at-1]|0x20 >= 'a' && text[at-1]|0x20 <= 'z'):
		return syntax.Sign, 0 // behind a key
	case strings.IndexByte(":\"'`", c) >= 0 && quotePattern.MatchString(rest):
		return syntax.Text, closed(text, at+len(quotePattern().FindString(rest))) - at
	case strings.IndexByte("/%<:?", c) >= 0 && value && !spaced(text, at):
		return syntax.Sign, 0
	case strings.IndexByte("/%", c) >= 0 && openPattern.MatchString(rest):
		return quoted(text, at, at+len(openPattern().FindString(rest)))
	case strings.IndexByte("<:?", c) >= 0:
		return syntax.Text, len(operandPattern().FindString(rest))
	}
	name := namePattern().FindString(rest)
	if strings.HasSuffix(name, "!") && strings.HasPrefix(rest[len(name):], "=") {
		name = ""
	}
	return syntax.Word, len(name)
}

// quoted measures a regular expression or a literal such as %w[a b] whose text begins at a
// place.
func quoted(text string, at, begin int) (syntax.Kind, int) {
	end := closed(text, begin)
	if text[at] == '/' || text[at+1] == 'r' {
		return syntax.Pattern, len(text) - len(strings.TrimLeft(text[end:], "imxounse")) - at
	}
	return syntax.Text, end - at
}

// spaced reports whether a sign stands as before an argument: a blank before it, none
// behind it.
func spaced(text string, at int) bool {
	return at > 0 && strings.IndexByte(" \t\n", text[at-1]) >= 0 && at+1 < len(text) && strings.IndexByte(" \t\n=", text[at+1]) < 0
}

// closed is the place behind a literal whose text begins at a place, behind its quote.
func closed(text string, i int) int {
	open, end := text[i-1], text[i-1]
	if k := strings.IndexByte("([{<", open); k >= 0 {
		end = ")]}>"[k]
	}
	for depth := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '#' && end != '\'' && strings.HasPrefix(text[i:], "#{"):
			i += lexis().Enclosed(text[i+1:])
		case c == end && depth == 0:
			return i + 1
		case c == end:
			depth--
		case c == open:
			depth++
		}
	}
	return len(text)
}

// heredoc is the line that ends the text that a mark announces. What stands behind the
// code of a file has no end.
func heredoc(mark string) (end, blanks string) {
	if hit := heredocPattern().FindStringSubmatch(mark); hit != nil {
		return hit[1] + hit[2], " \t"
	}
	return map[string]string{"__END__": "\x00"}[mark], ""
}

// ends reports whether a statement ends with the line before token i.
func ends(t *syntax.Tree, i int) bool {
	return !t.Is(i, ".", "&.") && !t.Is(i-1, "and", "or", "not") && (t.Kind(i-1) != syntax.Sign || !t.Is(i-1, strings.Fields(`
		, . &. + - * / << < > == != <= >= && || = += -= *= ||= &&= ? : => ! ( [`)...))
}

// endlessPattern is a method that is a single expression.
var endlessPattern = lazyregexp.New(`^def\s+[\w.?!]+(?:\((?:[^()]|\([^()]*\))*\))?[ \t]+=\s`)

// endless reports whether a method begins at token i that is a single expression.
func endless(t *syntax.Tree, i int) bool {
	const far = 300
	at := t.Span(syntax.Expr{From: i, To: i + 1}).Start
	return t.Is(i, "def") && endlessPattern.MatchString(t.Text[at:min(len(t.Text), at+far)])
}

// none reports whether the word at token i is only a name, of a method or an entry, or
// begins a method without an end.
func none(t *syntax.Tree, i int) bool {
	return t.Is(i-1, ".", "&.", "def") || t.Is(i+1, ":") && t.Adjacent(i+1) || endless(t, i)
}

// name is the name of the method at a def.
func name(t *syntax.Tree, def int) int {
	if t.Is(def+2, ".") {
		return def + 3
	}
	return def + 1
}

// end is the place behind the statement that token i begins, or before what it depends on
// there, as an if.
func end(t *syntax.Tree, i int) int {
	at := t.ListEnd(i)
	for k := i; k < at; k = t.Group(k) {
		if t.Is(k, "if", "unless", "while", "until", "then", "rescue") && !none(t, k) && !t.Opens(k) {
			return k
		}
	}
	return at
}

// shared reports whether a statement gives values to the name at token i and to others.
func shared(t *syntax.Tree, i int) bool {
	from, to := i, i+1
	for ; i-from < 40 && t.Is(from-1, ",", "*") || t.Is(from, ",", "*") && t.Named(from-1); from-- {
	}
	for ; to-i < 40 && t.Is(to, ",", "*") || t.Is(to-1, ",", "*") && t.Named(to); to++ {
	}
	return to-from > 1 && t.Is(to, "=") && t.Starts(from)
}

// anotherValue is another value of the type of the value that it is called with:
// what that type is shows only at run time.
const anotherValue = `->(v) { case v; when true then false; when false then true; when Integer then v + 41; when Float then -1.5 * v - 41.5; ` +
	`when String then v + "~tdd"; when Symbol then :"#{v}~tdd"; when Array then v + ["~tdd"]; when Hash then v.merge("~tdd" => 41); else Object.new; end }.call`

// otherLiteral is another literal of the same type; empty for one that is not altered.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	switch {
	case kind == syntax.Number:
		return "(" + text + map[syntax.Way]string{syntax.Other: " + 41)", syntax.Up: " + 2**30)", syntax.Down: " - 2**30)"}[to]
	case to != syntax.Other || kind == syntax.Pattern || strings.Contains("`%s%x", text[:min(2, len(text))]) || text[0] == '`':
		return ""
	case text[0] == ':' && text[1]|0x20 >= 'a' && text[1]|0x20 <= 'z' && !strings.ContainsAny(text, "?!"):
		return text + "_tdd"
	case text[0] == ':':
		return ""
	case text[0] == '%' && strings.ContainsAny(text[1:2], "wWiI"):
		return "(" + text + ` + ["~tdd"])`
	}
	return "(" + text + ` + "~tdd")`
}

// madePattern matches what makes a value of its arguments: Point.new(1, 2).
var madePattern = lazyregexp.New(`^(?:(?:::)?[A-Z][\w$@]*)+\.new\($`)

// part alters the literal that an expression begins with.
func part(f *syntax.Finder, e syntax.Expr, to syntax.Way) []syntax.Edit {
	if !f.Literal(e.From) || e.To == e.From+1 {
		return nil
	}
	return f.Altered(syntax.Expr{From: e.From, To: e.From + 1}, to)
}

var (
	expectationPattern = lazyregexp.New(`^(?:assert|refute|flunk|skip|pending|raise)\w*\b|^end\.|\b(?:must|wont)_\w+|\b(?:expect|is_expected|should|should_not)\b` +
		`|^x(?:it|describe|context|specify|example)\b|^(?:it_behaves_like|include_examples|let!?|subject)\b|\b(?:skip|pending|focus)(?::| =>)` +
		`|^[\w, @]+ \|?\|?= ?[-+]?(?:[\d"'\[{%:<]|true\b|false\b|nil\b)`)
	controlPattern = lazyregexp.New(`^(?:if|unless|elsif|else|case|when|in|while|until|for|begin|rescue|ensure)\b|\bdo(?: *\|.*\|)?$`)
	// Blocks that frame tests say nothing of what one expects.
	framePattern = lazyregexp.New(`^(?:RSpec\.)?[fx]?(?:describe|context|feature|it|specify|example|scenario|test|before|after|around|setup|teardown|let!?|subject|shared_\w+)\b`)
)

// line reports whether a statement begins with token i that stands in no bracket.
func line(t *syntax.Tree, i int) bool {
	at := t.Around(i)
	for ; t.Named(at); at = t.Around(at) {
	}
	return at < 0 && t.Line(i)
}
