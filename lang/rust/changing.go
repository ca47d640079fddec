package rust

import (
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// inert is the place behind what is no behaviour: attributes, types, names, messages.
func inert(t *syntax.Tree, i int) int {
	if _, end := attributes(t, i); end > i {
		return end
	}
	switch {
	case t.Is(i, "#") && t.Is(i+1, "!") && t.Is(i+2, "["):
		return t.Group(i + 2)
	case t.Is(i, "use", "struct", "enum", "type", "union", "extern", "macro_rules") && !t.Is(i-1, ".") && !t.Is(i+1, "="):
		return item(t, i)
	case t.Is(i, "trait", "impl"):
		return max(i, t.Find(syntax.Expr{From: i, To: t.Len()}, "{", ";")) // behind its bounds
	case t.Is(i, "expect") && t.Is(i+1, "(") && t.Is(i-1, "."):
		return t.Group(i + 1)
	case t.Is(i+1, "!") && t.Opens(i+2) && tells(t, i):
		return t.Group(i + 2)
	}
	return i
}

// tells reports whether a macro only tells something, or stops the program.
func tells(t *syntax.Tree, i int) bool {
	name := t.Word(i)
	return strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "debug_assert") || t.Is(i, strings.Fields(`panic todo unimplemented
		unreachable println print eprintln eprint dbg debug trace info warn error bail anyhow concat include_str env thread_local compile_error`)...)
}

// condition is what an if asks that binds no name and is no guard of an arm.
func condition(t *syntax.Tree, i int) syntax.Expr {
	cond := syntax.Expr{From: i + 1, To: t.Find(syntax.Expr{From: i + 1, To: t.Len()}, "{")}
	if !t.Is(i, "if") || t.Find(cond, "let", "match", "=>") >= 0 {
		return syntax.Expr{}
	}
	return cond
}

// constant is another literal, unless that is a part of a type.
func constant(t *syntax.Tree, i int) string {
	old := t.Word(i)
	switch {
	case t.Is(i-1, "."), t.Is(i-1, ";") && t.Is(i+1, "]"):
		return ""
	case strings.HasSuffix(old, `"`) && !strings.HasPrefix(old, "b"):
		return old[:len(old)-1] + `~"`
	}
	return otherLiteral(t.Kind(i), old, syntax.Other)
}

// binary reports whether an operator joins two values: it is no bound, sign or reference.
func binary(t *syntax.Tree, i int) bool {
	bound := func(k int) bool {
		w := t.Word(k)
		return t.Named(k) && (strings.HasPrefix(w, "'") || upper(w) && w != strings.ToUpper(w) && !t.Is(k+1, "(", "::", "{"))
	}
	before := t.Named(i-1) || t.Literal(i-1) || t.Is(i-1, ")", "]", "?")
	behind := t.Named(i+1) && !t.Is(i+1, "in", "dyn", "impl", "as", "where", "mut") || t.Literal(i+1) || t.Is(i+1, "(", "&", "*", "!", "-", "[")
	apart := t.Adjacent(i) == t.Adjacent(i+1)
	return before && behind && apart && !bound(i-1) && !bound(i+1)
}

// returnType is the type of what a function returns.
func returnType(t *syntax.Tree, i int) (of string, body int) {
	if fn, ok := functionAt(t, i); ok && t.Is(i, "fn") {
		return result(t, fn), fn.Body.From
	}
	return "", -1
}

// returns is what a return returns, or the expression at the end of a function.
func returns(t *syntax.Tree, i int) syntax.Expr {
	fn, ok := functionAt(t, i)
	switch {
	case t.Is(i, "return"):
		return syntax.Expr{From: i + 1, To: t.Find(syntax.Expr{From: i + 1, To: t.Len()}, ";")}
	case !ok || !t.Is(i, "fn"):
		return syntax.Expr{}
	}
	inside := t.Inside(fn.Body.From)
	tail := inside.From
	for k := tail; k < inside.To; k = t.Group(k) {
		if t.Is(k, ";") || t.Is(k, "{") && !made(t, tail, k) {
			tail = t.Group(k)
		}
	}
	if tail > inside.From && !t.Is(tail-1, ";") {
		return syntax.Expr{}
	}
	return syntax.Expr{From: tail, To: inside.To}
}

// made reports whether braces hold the fields of a value whose type begins with a token.
func made(t *syntax.Tree, from, open int) bool {
	name := open - 1
	for t.Is(name-1, "::") {
		name -= 2
	}
	return name == from && upper(t.Word(open-1))
}

// returned is another value than one that a function returns, if its type tells one. One
// over several lines has smaller parts.
func returned(t *syntax.Tree, e syntax.Expr, of string) []syntax.Result {
	text := t.Source(e)
	other := map[string]string{
		"bool": "!(" + text + ")", "String": `format!("{}~", ` + text + ")", "f32": "(" + text + ") + 1.0", "f64": "(" + text + ") + 1.0",
		"&str": `"~"`, "&'static str": `"~"`,
	}[of]
	switch {
	case of == "bool" && t.Is(e.From, "true", "false") && e.To == e.From+1:
		other = map[string]string{"true": "false", "false": "true"}[text]
	case strings.Contains(" i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize ", " "+of+" "):
		other = "(" + text + ") + 1"
	case strings.HasPrefix(of, "Option<"):
		other = "None"
	case strings.HasPrefix(of, "Vec<"):
		other = "Vec::new()"
	}
	if other == "" || other == text || strings.Contains(text, "\n") || t.Is(e.From+1, "!") && tells(t, e.From) {
		return nil
	}
	return []syntax.Result{{Text: other}}
}
