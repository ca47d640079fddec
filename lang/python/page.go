package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Python, as far as tests and what they check are concerned.
func page() *syntax.Page {
	return &syntax.Page{
		Lexis: syntax.Lexis{
			Lines: []string{"#"}, Literal: literal,
			Signs:  strings.Fields("... **= //= >>= <<= -> := == != <= >= += -= *= /= %= &= |= ^= @= ** // << >>"),
			Before: strings.Fields("and or not in is if elif else return yield lambda await assert for while del raise import from as with except case"),
		},
		Keywords: true,
		Heads:    heads(),
		Within:   "lambda",
		Declares: declares,
		Changes:  changes,
		Values: syntax.Values{
			Literal: otherLiteral, Another: anotherValue, Far: "2**30", Core: core, Makes: makes, Keys: []string{":", "="}, Rest: part, Asked: asked,
			Words: map[string]string{"True": "False", "False": "True"}, Nothing: "None",
			Empty: map[string]string{"[": `["~tdd"]`, "{": `{"~tdd": 41}`, "(": `("~tdd",)`},
		},
		Expects:   syntax.Expecting{Pattern: expectationPattern, Begins: (*syntax.Tree).Begins, Block: blockPattern.MatchString},
		Checking:  syntax.Checking{Functions: functions, Judges: judges, Begin: begin, Visit: visit, End: end},
		Directive: directivePattern.MatchString,
		Break:     (*syntax.Tree).Begins,
		Changing:  changing(),
	}
}

// literal measures a string with its prefix. One that is not closed ends with its line, or
// with the text.
func literal(text string, at int, _ bool) (syntax.Kind, int) {
	quote := at
	for quote < len(text) && quote < at+3 && strings.IndexByte("rbfutRBFUT", text[quote]) >= 0 {
		quote++
	}
	if quote == len(text) || text[quote] != '"' && text[quote] != '\'' {
		return syntax.Text, 0
	}
	return syntax.Text, stringEnd(text, at, quote) - at
}

// stringEnd is the place behind the string whose quote stands at a place, behind the letters
// that say of which kind it is.
func stringEnd(text string, letters, start int) int {
	quote := text[start : start+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[start:], triple) {
		quote = triple
	}
	formatted := strings.ContainsAny(text[letters:start], "fFtT")
	for at := start + len(quote); at < len(text); at++ {
		switch {
		case strings.HasPrefix(text[at:], quote):
			return at + len(quote)
		case text[at] == '\\':
			at++
		case text[at] == '\n' && len(quote) == 1:
			return at
		case formatted && strings.HasPrefix(text[at:], "{{"):
			at++
		case formatted && text[at] == '{':
			at = replacementEnd(text, at, quote) - 1
		}
	}
	return len(text)
}

// replacementEnd is the place behind the part of a formatted string that begins
// with a brace at a place. Strings within it may be in the same quotes.
func replacementEnd(text string, at int, quote string) int {
	depth := 0
	for ; at < len(text) && (text[at] != '\n' || len(quote) == 3); at++ {
		switch text[at] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"', '\'':
			line, _, _ := strings.Cut(text[at+1:], "\n")
			closed := strings.IndexByte(line, text[at])
			if closed < 0 {
				return at // the string ends here, and the brace was text
			}
			at += closed + 1
		}
	}
	return at
}

// isBytes reports whether a string is one of bytes.
func isBytes(text string) bool {
	return strings.ContainsAny(text[:max(0, strings.IndexAny(text, `"'`))], "bB")
}

// heads are the words that begin a compound statement.
func heads() []string {
	return strings.Fields("if elif else for while try except finally with def class async match case")
}

// declares reports whether a statement gives a value to the name at token i.
func declares(t *syntax.Tree, i int) bool {
	return t.Around(i) < 0 && (t.Begins(i) || t.Is(i-1, ";", ":")) && t.Is(i+1, "=", ":") && !chained(t, i)
}

// chained reports whether a statement gives its value to more than one name.
func chained(t *syntax.Tree, i int) bool {
	end := t.LineEnd(i)
	first := t.Find(syntax.Expr{From: i, To: end}, "=")
	return first >= 0 && t.Find(syntax.Expr{From: first + 1, To: end}, "=") >= 0
}

// changes reports whether a name is bound by a loop, by "as" or with others, or whether a
// part of it is given a value.
func changes(t *syntax.Tree, i int) bool {
	const far = 40
	from := i
	for from > 0 && !t.Begins(from) && !t.Is(from-1, ";", "for", "=") && i-from < far {
		from--
	}
	switch in := t.Find(syntax.Expr{From: from, To: t.Len()}, "in"); {
	case t.Is(i-1, "as"):
		return true
	case t.Is(from-1, "for"):
		return i < in
	case t.Is(i-1, "."), t.Is(i+1, ":"), t.Around(i) >= 0 && !t.Is(t.Around(i), "("):
		return false
	}
	at := i + 1
	for at < min(t.Len(), i+far) && !t.Begins(at) && (t.Named(at) || t.Is(at, ",", ".", "*", "[", ")")) {
		at = t.Group(at)
	}
	return t.Is(at, "=") && !t.Begins(at) && (at > i+1 || chained(t, i))
}

// anotherValue is another value of the type of the value that it is called with:
// what that type is shows only at run time.
const anotherValue = `(lambda v: not v if isinstance(v, bool) else v + 41 if isinstance(v, int) else -1.5 * v - 41.5 if isinstance(v, float)` +
	` else v + "~tdd" if isinstance(v, str) else v + b"~tdd" if isinstance(v, bytes) else [*v, "~tdd"] if isinstance(v, list)` +
	` else (*v, "~tdd") if type(v) is tuple else {**v, "~tdd": 41} if isinstance(v, dict)` +
	` else {*v, "~tdd"} if isinstance(v, (set, frozenset)) else object())`

// otherLiteral is another literal: of a number, or of a string that may be in several
// parts.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	switch {
	case kind == syntax.Text && to != syntax.Other:
		return ""
	case kind == syntax.Text && isBytes(text):
		return "(" + text + ` + b"~tdd")`
	case kind == syntax.Text:
		return "(" + text + ` + "~tdd")`
	case to == syntax.Up:
		return "(" + text + " + 2**30)"
	case to == syntax.Down:
		return "(" + text + " - 2**30)"
	case strings.ContainsAny(text, ".eE") && !strings.ContainsAny(text, "xXjJ"):
		return "(-1.5 * " + text + " - 41.5)"
	}
	return "(" + text + " + 41)"
}

// core is an expression without the name of an argument, and without brackets around it that make
// no tuple.
func core(t *syntax.Tree, e syntax.Expr) syntax.Expr {
	if e.To > e.From+1 && t.Is(e.From+1, "=") {
		e.From += 2
	}
	for t.Whole(e) && t.Is(e.From, "(") && !t.Inside(e.From).Empty() && t.Find(t.Inside(e.From), ",", "for") < 0 {
		e = t.Inside(e.From)
	}
	return e
}

// makes lists the value that a call only gives another type or form, and the numbers that
// a class is made of, as in Point(1, y=2): of texts some take only those of one form. Loosely,
// it lists the arguments of any call.
func makes(t *syntax.Tree, e syntax.Expr, how syntax.Making) ([]syntax.Expr, bool) {
	open := t.Opening(e.To - 1)
	name := open - 1
	if open <= e.From || !t.Is(open, "(") || !t.Named(name) || name > e.From && !t.Is(name-1, ".") {
		return nil, false
	}
	args := t.Args(open)
	if how == syntax.Loosely {
		return args, true
	}
	if first := t.Word(name)[0]; 'A' <= first && first <= 'Z' && !strings.Contains(t.Word(name), "Path") {
		args = slices.DeleteFunc(args, func(a syntax.Expr) bool {
			return t.Kind(a.To-1) != syntax.Number || a.To > a.From+1 && !t.Is(a.To-2, "=")
		})
		return args, len(args) > 0
	}
	converts := slices.Contains(strings.Fields(`set frozenset list tuple dict bytes bytearray str float complex approx dedent sorted deque Counter OrderedDict
		array Path PurePath PurePosixPath u b`), t.Word(name))
	return args[:min(1, len(args))], converts && len(args) > 0 && !t.Is(args[0].From+1, "=")
}

// part alters a part of an expression that is put together: a literal among its operands,
// or before its methods.
func part(f *syntax.Finder, e syntax.Expr, to syntax.Way) []syntax.Edit {
	if condition, otherwise := f.Find(e, "if"), f.Find(e, "else"); e.From < condition && condition < otherwise && f.Find(e, "for", "lambda") < 0 {
		return either(f, syntax.Expr{From: e.From, To: condition}, syntax.Expr{From: otherwise + 1, To: e.To}, to)
	}
	if f.Find(e, "**", "if", "for", "lambda") >= 0 {
		return nil
	}
	for i := e.From; i < e.To; i = f.Group(i) {
		one := syntax.Expr{From: i, To: f.Group(i)}
		behind := i > e.From && (f.Named(i-1) || f.Literal(i-1) || f.Closes(i-1)) // a call's arguments, a subscript
		if one == e || !f.Literal(i) && (!f.Opens(i) || behind) || f.Kind(i) == syntax.Text && to != syntax.Other {
			continue
		}
		if edits := f.Altered(one, to); edits != nil {
			return edits
		}
	}
	return nil
}

// either alters one of two values and the other, if neither is computed.
func either(f *syntax.Finder, one, other syntax.Expr, to syntax.Way) []syntax.Edit {
	first, second := f.Altered(one, to), f.Altered(other, to)
	if first == nil || second == nil {
		return nil
	}
	return append(first, second...)
}
