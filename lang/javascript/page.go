package javascript

import (
	"maps"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of JavaScript and TypeScript, as far as tests need it.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis = syntax.Lexis{
		Lines: []string{"//", "#!"}, Blocks: [][2]string{{"/*", "*/"}}, Letters: "$#@", Literal: literal,
		Forms:  []syntax.Form{{Begins: `" '`, Line: true}, {Begins: "`", Holds: true}},
		Signs:  strings.Fields(">>>= ... === !== **= <<= >>= &&= ||= ??= >>> => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= ** << >>"),
		Before: strings.Fields("return typeof case in of void delete throw new else do await yield"),
	}
	p.Newlines, p.Between = true, strings.Fields("in of instanceof as satisfies")
	p.Declares = func(t *syntax.Tree, i int) bool { return t.Is(i-1, "const", "let", "var") }
	p.Values = syntax.Values{
		Literal: otherLiteral, Another: another, Far: "1e15", Makes: syntax.MadeBy(madePattern, madePattern), Keys: []string{":"},
		Core:  syntax.Wrapping{Behind: []string{"!"}, Types: []string{"as", "satisfies"}, Brackets: true}.Core,
		Words: map[string]string{"true": "false", "false": "true", "null": `"~tdd"`, "undefined": `"~tdd"`, "NaN": "41", "Infinity": "41"},
		Empty: map[string]string{"[": `["~tdd"]`, "{": `{ tdd: "~tdd" }`},
		Asks:  strings.Fields("includes startsWith endsWith has equals isEqual isDeepStrictEqual deepEqual"),
	}
	p.Checking.Fails = syntax.FailingBy("if => function catch", func(t *syntax.Tree, i int) bool {
		return t.Is(i, "throw") || t.Is(i, "fail") && t.Is(i+1, "(")
	})
	p.Expects.Pattern = expectationPattern
	c := &p.Changing
	c.Inert, c.Type, c.Returns, c.Returned, c.Constant = inert, nil, returns, returned, constant
	c.Errors = [2]string{"RangeError", "TypeError"}
	c.Handled = map[string]string{"*": "if (/^(?:Syntax|Type|Range|Reference)Error/.test($?.name)) throw $; "}
	c.Puts = func(text string) string { return map[bool]string{true: "${"}[text[0] == '`'] }
	c.Close = []string{
		`((v) => Number.isInteger(v) ? v + 1 : typeof v === "number" ? v + 0.05 * Math.abs(v) + 0.05 : typeof v === "string" ` +
			`? [...v].map((c) => c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()).join("") : Array.isArray(v) ? [...v].reverse() : v)`,
		`((v) => Number.isInteger(v) ? v - 1 : typeof v === "number" ? v - 0.05 * Math.abs(v) - 0.05 : typeof v === "string" ` +
			`? "\n" + v : Array.isArray(v) && v.length ? [null, ...v.slice(1)] : v)`,
		`((v) => typeof v === "number" ? String(v) : v)`, // a number as a text
	}
	c.Ties = map[string]string{".reverse()": "sort", ".toReversed()": "toSorted", "[...$1].reverse()": "sortBy minBy maxBy"}
	c.Copying = syntax.Copying{
		Text:   "((v) => Array.isArray(v) ? [...v] : Object.getPrototypeOf(v) === Object.prototype ? { ...v } : null)($)",
		Writes: "copyWithin fill pop push reverse shift sort splice unshift",
		Functions: func(t *syntax.Tree) []syntax.Function {
			return syntax.Braced(t, func(i int) bool {
				return !t.Is(i, "if", "for", "while", "switch", "catch", "with") && !t.Is(i-1, ".", "new")
			}, strings.Fields(": [ ] < > | . ,")...)
		},
	}
	c.Typed, c.Bodies = false, false
	c.Angles = []string{"<", ">", "<<", ">>", "*"}
	maps.Copy(c.Swaps, map[string]string{
		"===": "!==", "!==": "===", "??": "&&", "**": "*", "<<": ">>", ">>": "<<", "^": "", "|=": "", "&=": "", "^=": "",
		"+": "+ 1 +", // texts are joined by it as well
	})
	p.Directive = directivePattern.MatchString
	p.Break = func(t *syntax.Tree, i int) bool { // that could go on
		return t.Is(i-1, "return", "break", "continue", "throw", "yield", "async") || t.Is(i, "++", "--")
	}
	return &p
}

// literal measures a regular expression, and what looks like a comment and is
// none: an address in JSX.
func literal(text string, at int, value bool) (syntax.Kind, int) {
	rest := text[at:]
	switch {
	case strings.HasPrefix(rest, "//") && at > 0 && text[at-1] == ':':
		return syntax.Sign, 2
	case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "//"):
	case rest[0] == '/' && !value && (at == 0 || text[at-1] != '<'):
		return syntax.Pattern, len(patternPattern().FindString(rest))
	case strings.HasPrefix(rest, "?.") && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9':
		return syntax.Sign, 1
	}
	return syntax.Sign, 0
}

// patternPattern matches a regular expression with its flags.
var patternPattern = lazyregexp.New(`^/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*`)

// directivePattern is what tools read in a comment to decide what runs.
var directivePattern = lazyregexp.New(`^#!|@ts-|@(?:jest|vitest)-|@jsx|ignore|sourceMappingURL|__PURE__|webpack|@vite|^/// *<`)

// another makes another value of one whose type shows only when the test runs.
const another = `((v) => typeof v === "number" ? (Number.isFinite(v) ? v * 3 + 41 : 41) : typeof v === "bigint" ? v * 3n + 41n :` +
	` typeof v === "string" ? v + "~tdd" : typeof v === "boolean" ? !v : v instanceof RegExp ? /(?!)/ : typeof v === "function" ? class extends Error {} : [v, "~tdd"])`

// otherLiteral is another value than a literal.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	if kind == syntax.Pattern {
		return "/(?!)/"
	}
	if kind == syntax.Number {
		n := map[bool]string{true: "n"}[strings.HasSuffix(text, "n")]
		return "(" + text + map[syntax.Way]string{
			syntax.Other: " * 3" + n + " + 41" + n, syntax.Up: " + 1000000000000000" + n, syntax.Down: " - 1000000000000000" + n,
		}[to] + ")"
	}
	return "(" + text + ` + "~tdd")`
}

// madePattern matches what only makes a value of its arguments: a constructor, a conversion of
// the language's own, or an asymmetric matcher.
var madePattern = lazyregexp.New(`^(?:new\b[^()=]*|Buffer\.from|BigInt|Number|String|Error|TypeError|RangeError|Symbol\.for|Object\.freeze` +
	`|JSON\.stringify|Uint8Array\.from|Uint8Array\.of|Array\.of|Array\.from|Promise\.resolve` +
	`|expect\.(?:objectContaining|arrayContaining|stringContaining|stringMatching|closeTo)|sinon\.match)\s*\($`)

// title is what the argument of a test or suite says of its name. What is not
// written out stands as in a template.
func (f *finder) title(e syntax.Expr) string {
	var out strings.Builder
	for _, part := range f.Split(e, "+") {
		text := "${}"
		if part.To == part.From+1 && f.Kind(part.From) == syntax.Text {
			text = f.Title(part.From)
		}
		out.WriteString(text)
	}
	return out.String()
}

var expectationPattern = lazyregexp.New(`\b(?:expect|assert)(?:\.\w+)*\s*\(` +
	`|\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|failing|(?:each|for|skipIf|runIf)\b\(?)` +
	`|\b((?:const|let|var)\s+[\w$]+\s*=\s*(?:[-\d'"` + "`" + `\[{]|(?:true|false|null|undefined)\b))`)
