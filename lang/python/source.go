package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

var (
	expectationPattern = lazyregexp.New(`^assert\b|\bself\.(?:assert|fail|skip)\w*\(|\bpytest\.(?:raises|warns|fail|skip|xfail|approx|importorskip|param)\b` +
		`|^@(?:pytest\.mark\.(?:parametrize|skip|xfail)|unittest\.(?:skip|expectedFailure)|given|example)|\bassert_\w+\(` +
		`|^[\w, ]+ ?= ?[-+]?(?:[\d"'\[({]|[rbf]["']|True\b|False\b|None\b)`)
	blockPattern = lazyregexp.New(`(?s)^(?:if|elif|else|for|while|try|except|finally|with|async (?:for|with))\b.*:$`)
)

// directivePattern finds comments that are read when the code runs or is built: what
// runs a file, its encoding, and what Cython and type checkers are told.
var directivePattern = lazyregexp.New(`^#(?:!|.*coding[:=]|\s*(?:cython|distutils|type)\s*:)`)

// code is a source without its comments and its layout, and without its docstrings where
// they are not read when it runs.
func code(content string) string {
	p := page()
	if !docReadPattern.MatchString(content) {
		p.Silent = func(t *syntax.Tree, i int) bool {
			return t.Kind(i) == syntax.Text && t.Begins(i) && t.Begins(i+1)
		}
	}
	return p.Plain(content)
}

// docReadPattern matches what shows that docstrings are read when the program runs: as
// its usage, or as tests.
var docReadPattern = lazyregexp.New(`__doc__|docopt|>>>`)

// changing is how a source in Python is changed a little.
func changing() syntax.Changing {
	return syntax.Changing{
		Inert: inert, Returns: returns, Returned: returned, Condition: condition, Not: " not ", Always: " or True", Constant: constant, Word: word,
		Close: []string{
			`(lambda v: v if isinstance(v, bool) else v + 1 if isinstance(v, int) else v + 0.05 * abs(v) + 0.05 if isinstance(v, float)` +
				` else v.swapcase() if isinstance(v, (str, bytes)) else v[::-1] if type(v) in (list, tuple) else v)`,
			`(lambda v: v if isinstance(v, bool) else v - 1 if isinstance(v, int) else v - 0.05 * abs(v) - 0.05 if isinstance(v, float)` +
				` else "\n" + v if isinstance(v, str) else b"\n" + v if isinstance(v, bytes) else [None, *v[1:]] if type(v) is list and v` +
				` else (None, *v[1:]) if type(v) is tuple and v else v)`,
		},
		Errors: [2]string{"LookupError", "ArithmeticError"}, Thrown: raised, Range: ":", Handled: map[string]string{"Exception": "ValueError OSError"},
		Puts: func(text string) string {
			return map[bool]string{true: "{"}[strings.ContainsAny(text[:max(0, strings.IndexAny(text, `"'`))], "fFtT")]
		},
		Binary: func(t *syntax.Tree, i int) bool { return !t.Begins(i+1) || t.Around(i) >= 0 },
		Copying: syntax.Copying{
			Text: "(lambda v: type(v)(v) if type(v) in (list, dict, set) else None)($)", Gives: ":=", Functions: functions,
			Writes: "add append clear discard extend insert pop popitem remove reverse setdefault sort update",
		},
		Ties: map[string]string{"list($1)[::-1]": "sorted min max", "$0.reverse() or ": "sort"},
		Swaps: map[string]string{
			"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
			"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
			"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "//=": "*=", "%=": "*=", "|=": "&=", "&=": "|=",
		},
	}
}

// begins reports whether a statement begins with token i.
func begins(t *syntax.Tree, i int) bool {
	return t.Begins(i) || t.Around(i) < 0 && t.Is(i-1, ";", ":")
}

// inert is the place behind what only declares, says what went wrong or what a variable
// is, at token i; i if it does something.
func inert(t *syntax.Tree, i int) int {
	line := syntax.Expr{From: i, To: t.LineEnd(i)}
	switch {
	case t.Is(i+1, "(") && (begins(t, i) || t.Is(i-1, ".")) && t.Is(i, strings.Fields(`print warn debug info warning error exception critical log fail
		TypeVar NewType ParamSpec TypedDict overload`)...):
		return t.Group(i + 1)
	case t.Is(i, "cast") && t.Is(i+1, "(") && t.Kind(i+2) == syntax.Text: // a type
		return i + 3
	case !begins(t, i):
	case t.Is(i, "import", "from", "raise", "assert", "global", "nonlocal", "del"), strings.HasPrefix(t.Word(i), "__"), t.Is(i, "type") && t.Named(i+1):
		return min(line.To, max(line.To, t.Find(line, ";")))
	case t.Is(i, "def", "class", "async", "case", "except"), t.Is(i, "match") && !t.Is(i+1, "=", ".", ","):
		if colon := t.Find(line, ":"); colon > 0 {
			return colon
		}
	case t.Is(i, "if", "elif") && t.Is(i+1, "TYPE_CHECKING", "__name__"):
		return max(i, t.Find(line, ":"))
	case t.Is(i, "for"):
		return max(i, t.Find(line, "in")+1)
	case t.Named(i) && !t.Is(i, heads()...) && !t.Is(i, "lambda", "return", "yield") && t.Is(t.Find(line, ":", "="), ":"): // its type
		if given := t.Find(line, "="); given > 0 {
			return given
		}
		return line.To
	}
	return i
}

// returns is what a return or a yield gives back.
func returns(t *syntax.Tree, i int) syntax.Expr {
	if !begins(t, i) || !t.Is(i, "return", "yield") || t.Is(i+1, "from", "None") {
		return syntax.Expr{}
	}
	return syntax.Expr{From: i + 1, To: t.ValueEnd(i)}
}

// anotherResult is another value of the type of the value that it is called with,
// and nothing where none is known.
const anotherResult = `(lambda v: not v if isinstance(v, bool) else v + 1 if isinstance(v, (int, float, complex)) else v + "~" if isinstance(v, str)` +
	` else v + b"~" if isinstance(v, bytes) else [*v, None] if isinstance(v, list) else (*v, None) if type(v) is tuple` +
	` else {**v, "~": None} if isinstance(v, dict) else {*v, "~"} if isinstance(v, set) else 1 if v is None else None)`

func returned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	return []syntax.Result{{Text: anotherResult + "((" + t.Source(e) + "))", What: "another value"}}
}

// condition is what an if asks.
func condition(t *syntax.Tree, i int) syntax.Expr {
	if !begins(t, i) || !t.Is(i, "if", "elif") {
		return syntax.Expr{}
	}
	return syntax.Expr{From: i + 1, To: t.Find(syntax.Expr{From: i + 1, To: t.LineEnd(i)}, ":")}
}

// raised is the class of an error that is raised.
func raised(t *syntax.Tree, i int) syntax.Expr {
	to := i + 2
	for t.Is(to, ".") {
		to += 2
	}
	if !begins(t, i) || !t.Is(i, "raise") || !t.Named(i+1) || !t.Is(to, "(") || t.Begins(i+1) {
		return syntax.Expr{}
	}
	return syntax.Expr{From: i + 1, To: to}
}

// constant is another value than a literal. Strings that stand side by side are one, and
// one that is a statement says something of what follows.
func constant(t *syntax.Tree, i int) string {
	text := t.Word(i)
	switch {
	case t.Kind(i) == syntax.Number:
		return "(" + text + " + 1)"
	case t.Kind(i-1) == syntax.Text && !begins(t, i), t.Kind(i+1) == syntax.Text && !begins(t, i+1), begins(t, i) && begins(t, i+1):
		return ""
	case isBytes(text):
		return "(" + text + ` + b"~")`
	}
	return "(" + text + ` + "~x")` // an encoding is looked up without signs
}

// word is what takes the place of an operator that is a word, or of a truth.
func word(t *syntax.Tree, i int) (at syntax.Expr, other string) {
	one := syntax.Expr{From: i, To: i + 1}
	switch w := t.Word(i); w {
	case "True", "False", "and", "or":
		return one, map[string]string{"True": "False", "False": "True", "and": "or", "or": "and"}[w]
	case "round": // the function that is there without an import
		if t.Is(i+1, "(") && !t.Is(i-1, ".", "def") && len(t.Args(i+1)) == 1 {
			return one, "int"
		}
	case "in":
		from := max(0, t.Around(i)+1)
		for k := i; k > from && !t.Begins(k); k-- {
			if t.Is(k, "for") {
				return one, "" // of a comprehension
			}
		}
		if !t.Is(i-1, "not") {
			return one, "not in"
		}
	case "is":
		if t.Is(i+1, "not") {
			return syntax.Expr{From: i, To: i + 2}, "is"
		}
		return one, "is not"
	}
	return one, ""
}

var (
	docstringPattern = lazyregexp.New(`(?ms)^[ \t]*[rRuU]?(?:""".*?"""|'''.*?''')[ \t]*\n`)
	// itemPattern matches a head of up to two brackets in one another.
	itemPattern = lazyregexp.New(`(?m)^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)(?:[^()\n]|\((?:[^()]|\([^()]*\))*\))*?:[ \t]*(?:#.*)?\n`)
)
