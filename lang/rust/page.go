package rust

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Rust, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis = syntax.Lexis{
		Lines: []string{"//"}, Blocks: [][2]string{{"/*", "*/"}}, Nested: true, Literal: literal,
		Forms:  []syntax.Form{{Begins: `r" br" cr"`, Fence: "#", Raw: true}, {Begins: `" b" c" b'`}},
		Signs:  strings.Fields("..= <<= >>= ... -> => :: == != <= >= && || += -= *= /= %= ^= &= |= << >> .."),
		Before: strings.Fields("return in if match while mut dyn impl as where move let for else ref break"),
	}
	p.Declares = func(t *syntax.Tree, i int) bool { return t.Is(i-1, "let", "const", "static", "mut") }
	p.Values = syntax.Values{
		Literal: otherLiteral, Words: map[string]string{"true": "false", "false": "true"},
		Core:  syntax.Wrapping{Before: strings.Fields("& && * - mut"), Types: []string{"as", ";"}, Converts: convertsPattern.MatchString}.Core,
		Makes: syntax.MadeBy(plainPattern, loosePattern), Keys: []string{":", "=>"}, Asked: asked,
		Asks: strings.Fields("contains starts_with ends_with eq is_match contains_key eq_ignore_ascii_case"),
	}
	p.Checking = syntax.Checking{Functions: functions, Parts: cuts, Judges: judges, Begin: begin, Visit: visit}
	p.Expects.Pattern = expectationPattern
	c := &p.Changing
	c.Inert, c.Type, c.Returns, c.Returned, c.Constant, c.Condition, c.Binary = inert, returnType, returns, returned, constant, condition, binary
	c.Thrown, c.Ties = nil, map[string]string{".rev()": "min_by max_by min_by_key max_by_key", "$0.reverse(); ": "sort_by sort_by_key sort_by_cached_key sort_unstable_by sort_unstable_by_key"}
	c.Range, c.Angles, c.Bodies = "..", strings.Fields("< > << >> && || & | ^ *"), false
	maps.Copy(c.Swaps, map[string]string{"&": "|", "|": "&", "<<": ">>", ">>": "<<", "..=": ".."})
	p.Directive = documentPattern.MatchString
	return &p
}

// documentPattern matches a comment that is documentation: macros make help texts of it,
// and its examples are tests.
var documentPattern = lazyregexp.New(`^(?:///(?:[^/]|$)|//!|/\*!|/\*\*(?:[^*/]|$))`)

var (
	docPattern  = lazyregexp.New(`(?m)(?:^[ \t]*//[/!].*\n)+`)
	itemPattern = lazyregexp.New(`(?m)(?:^[ \t]*#\[.*\n)*^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:const|async|unsafe|default|extern|"[^"\n]*")[ \t]+)*` +
		`(?:fn|struct|enum|union|trait|type|mod|static|const|macro_rules!)[ \t]+(\w+)`)
)

var (
	characterPattern = lazyregexp.New(`^'(?:(?:\\(?s:.)[^\\']*)+'|(?s:.)')`)
	lifetimePattern  = lazyregexp.New(`^'[_\p{L}\p{Nd}\p{Mn}]+`)
)

// literal tells a character from a lifetime: 'a' from 'a.
func literal(text string, at int, _ bool) (syntax.Kind, int) {
	if text[at] != '\'' {
		return syntax.Sign, 0
	}
	if size := len(characterPattern().FindString(text[at:])); size > 0 {
		return syntax.Text, size
	}
	return syntax.Word, len(lifetimePattern().FindString(text[at:]))
}

// otherLiteral is another literal of the same type.
func otherLiteral(kind syntax.Kind, old string, to syntax.Way) string {
	quote := strings.IndexAny(old, `"'`)
	switch {
	case to != syntax.Other:
		return ""
	case quote >= 0 && old[quote] == '"' && old[0] == 'b' && quote+1 < strings.LastIndexByte(old, '"'):
		return sameLength(old)
	case quote >= 0 && old[quote] == '"':
		end := strings.LastIndexByte(old, '"')
		return old[:end] + "~tdd" + old[end:]
	}
	return syntax.TypedLiteral(kind, old, to)
}

var firstBytePattern = lazyregexp.New(`^(?s:(b")(?:\\x..|\\.|[^\\])|(br#*").)`)

// sameLength puts another byte in the place of the first of a byte string, whose
// length is part of its type.
func sameLength(old string) string {
	hit := firstBytePattern().FindStringSubmatch(old)
	to := map[bool]string{true: "#", false: "~"}[strings.HasSuffix(hit[0], "~")]
	return hit[1] + hit[2] + to + old[len(hit[0]):]
}

// convertsPattern matches the methods that only give a value another type.
var convertsPattern = lazyregexp.New(`^(?:to_string|to_owned|into|as_bytes|to_vec|as_str|as_ref|as_slice|into_bytes|clone|unwrap` +
	`|iter|into_iter|chars|bytes|to_string_lossy|copied|cloned)$`)

func upper(word string) bool { return word != "" && unicode.IsUpper([]rune(word)[0]) }

// What makes a value: plainPattern matches what only puts values together, as Some(3),
// Point { x: 1 } and vec![1], or what a macro puts into a text or a document, loosePattern any
// constructor, as Point::new(1, 2).
var (
	plainPattern = lazyregexp.New(`^(?:(?:\w+\s*::\s*)*\p{Lu}\w*(?:\s*::\s*from)?\s*[({]|(?:vec|format|json|indoc|concat|hashmap|btreemap|hashset|btreeset|smallvec|arrayvec|b|bytes|svec|expect)\s*!\s*[(\[{])$`)
	loosePattern = lazyregexp.New(`^(?:\w+\s*::\s*)*\p{Lu}\w*\s*::\s*\w+\s*[({]$`)
)

// asked alters the pattern that a value is asked to match.
func asked(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	if f.Is(e.From, "matches") && f.Is(e.From+1, "!") {
		if args := f.Args(e.From + 2); len(args) > 1 {
			return f.Literals(args[1])
		}
	}
	return nil
}

// modulePattern matches the declaration of a module that stands in a file of its own.
var modulePattern = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+\w+[ \t]*;`)

// written is what an attribute says, without blanks.
func written(t *syntax.Tree, e syntax.Expr) string { return strings.ReplaceAll(t.Folded(e), " ", "") }

// testAttributePattern matches an attribute that makes a function a test: #[test],
// #[tokio::test], #[test_case(…)]; testOnlyPattern also one that keeps an item out of
// every build that is not for tests.
var (
	testAttributePattern = lazyregexp.New(`^(?:[^(]*:)?` + testAttribute)
	testOnlyPattern      = lazyregexp.New(`^(?:cfg\(test\)$|cfg\(all\(test,|(?s:cfg\(all\(.*,test\)\)$)|(?:[^(]*:)?` + testAttribute + `)`)
)

const testAttribute = `(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|bench|parameterized)(?:\(|$)`

// cuts finds the parts of a source that are tests, in order: the items,
// at any depth, that are compiled for tests only, each with its attributes,
// the comment directly above, and the blank lines before it.
func cuts(content string) []syntax.Span {
	t := page().Parse(content)
	if t.Is(0, "#") && t.Is(1, "!") && t.Is(2, "[") && written(t, t.Inside(2)) == "cfg(test)" {
		return []syntax.Span{{Start: 0, End: len(content)}}
	}
	var out []syntax.Span
	for i := 0; i < t.Len(); {
		list, end := attributes(t, i)
		if !slices.ContainsFunc(list, func(a syntax.Expr) bool { return testOnlyPattern.MatchString(written(t, a)) }) {
			i = max(i+1, end)
			continue
		}
		stop, floor := item(t, end), 0
		if len(out) > 0 {
			floor = out[len(out)-1].End
		}
		out = append(out, widen(t, syntax.Expr{From: i, To: stop}, floor))
		i = stop
	}
	return out
}

// item is the place behind the item, statement, field or arm at token i.
func item(t *syntax.Tree, i int) int {
	if t.Is(i, "pub") {
		if i++; t.Is(i, "(") {
			i = t.Group(i)
		}
	}
	statement := t.Is(i, "use", "static", "type", "let") || t.Is(i, "const") && !t.Is(i+1, "fn", "unsafe", "async", "extern") // ends with a semicolon
	body := t.Is(i, "fn", "mod", "struct", "enum", "union", "trait", "impl", "extern", "unsafe", "async", "macro_rules", "const")
	for ; i < t.Len(); i = t.Group(i) {
		switch {
		case t.Closes(i):
			return i // the group around it ends here
		case t.Is(i, ";"), t.Is(i, ",") && !statement && !body:
			return i + 1
		case t.Is(i, "{") && !statement:
			end := t.Group(i)
			if !body && t.Is(end, ",") {
				end++ // of an arm
			}
			return end
		}
	}
	return i
}

// leadPattern matches the lines that belong to what follows them: blank ones, and comments
// directly above it that do not speak of the file.
var leadPattern = lazyregexp.New(`(?:^|\n)((?:[ \t\r]*\n)*(?:[ \t]*(?://(?:[^!\n].*)?|/\*[^!](?:[^*]|\*+[^*/])*\*+/)[ \t\r]*\n)*[ \t]*)$`)

// widen gives a test the lines above that belong to it and the end of its last line, so
// that the rest is what it was without it. Before floor lies another test.
func widen(t *syntax.Tree, e syntax.Expr, floor int) syntax.Span {
	s := t.Span(e)
	rest := t.Text[s.End:]
	if n := len(rest) - len(strings.TrimLeft(rest, " \t\r")); strings.HasPrefix(rest[n:], "\n") {
		s.End += n + 1
	}
	if above := leadPattern().FindStringSubmatchIndex(t.Text[floor:s.Start]); above != nil {
		s.Start = floor + above[2]
	}
	if s.Start == 0 {
		s.End = len(t.Text) - len(strings.TrimLeft(t.Text[s.End:], "\r\n"))
	}
	return s
}

// attributes lists what stands in the attributes, #[…], that begin at token i, and the place
// behind them.
func attributes(t *syntax.Tree, i int) (inside []syntax.Expr, end int) {
	for ; t.Is(i, "#") && t.Is(i+1, "["); i = t.Group(i + 1) {
		inside = append(inside, t.Inside(i+1))
	}
	return inside, i
}

// functions lists the functions of a file, and the macros that are declared by rules.
func functions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	for i := 0; i < t.Len(); i++ {
		fn, ok := functionAt(t, i)
		if !ok {
			continue
		}
		if carries(t, fn, testAttributePattern) {
			fn.Test = fn.Name
		}
		out = append(out, fn)
		i = fn.Body.To - 1
	}
	return out
}

// head is where the attributes and the words before a function begin.
func head(t *syntax.Tree, i int) int {
	for {
		switch open := t.Opening(i - 1); {
		case t.Is(open, "[") && t.Is(open-1, "#"):
			i = open - 1
		case t.Kind(i-1) == syntax.Text || t.Is(i-1, "(", ")", "pub", "async", "unsafe", "const", "extern", "crate", "super"):
			i--
		default:
			return i
		}
	}
}

// carries reports whether a function has an attribute that a pattern matches.
func carries(t *syntax.Tree, fn syntax.Function, by lazyregexp.Regexp) bool {
	list, _ := attributes(t, fn.Head.From)
	return slices.ContainsFunc(list, func(a syntax.Expr) bool { return by.MatchString(written(t, a)) })
}

// functionAt reads the function, or the rules of a macro, that begin at token i.
func functionAt(t *syntax.Tree, i int) (fn syntax.Function, ok bool) {
	if t.Is(i, "macro_rules") && t.Is(i+1, "!") && t.Opens(i+3) {
		return syntax.Function{Name: t.Word(i + 2), Head: syntax.Expr{From: i, To: i}, Body: syntax.Expr{From: i + 3, To: t.Group(i + 3)}}, true
	}
	if !t.Is(i, "fn") || !t.Named(i+1) {
		return fn, false
	}
	open := t.Find(syntax.Expr{From: i + 2, To: t.Len()}, "(", ";")
	body := t.Find(syntax.Expr{From: t.Group(open), To: t.Len()}, "{", ";")
	if !t.Is(open, "(") || !t.Is(body, "{") {
		return fn, false
	}
	return syntax.Function{Name: t.Word(i + 1), Head: syntax.Expr{From: head(t, i), To: i}, Params: t.Inside(open), Body: syntax.Expr{From: body, To: t.Group(body)}}, true
}
