package rust

import (
	"maps"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Rust, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis = syntax.Lexis{
		Lines: []string{"//"}, Blocks: [][2]string{{"/*", "*/"}}, Nested: true, Quotes: `"`, Long: true, Literal: literal,
		Forms:  []syntax.Form{{Begins: `r" br" cr"`, Fence: "#", Raw: true}, {Begins: `b" c" b'`}},
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
	p.Checking = syntax.Checking{Functions: functions, Parts: parts, Judges: judges, Begin: begin, Visit: visit}
	p.Expects.Pattern = expectationPattern
	c := &p.Changing
	c.Inert, c.Type, c.Returns, c.Returned, c.Constant, c.Condition, c.Binary = inert, returnType, returns, returned, constant, condition, binary
	c.Thrown, c.Ties = nil, map[string]string{".rev()": "min_by max_by min_by_key max_by_key", "$0.reverse(); ": "sort_by sort_by_key sort_by_cached_key sort_unstable_by sort_unstable_by_key"}
	c.Angles, c.Bodies = strings.Fields("< > << >> && || & | ^ *"), false
	maps.Copy(c.Swaps, map[string]string{"&": "|", "|": "&", "<<": ">>", ">>": "<<", "..=": ".."})
	p.Directive = documentPattern.MatchString
	return &p
}

// documentPattern matches a comment that is documentation: macros make help texts of it,
// and its examples are tests.
var documentPattern = lazyregexp.New(`^(?:///(?:[^/]|$)|//!|/\*!|/\*\*(?:[^*/]|$))`)

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

// parts are the parts of a source that are tests.
func parts(t *syntax.Tree, kind gates.Kind) []syntax.Span {
	if kind != gates.KindSource {
		return nil
	}
	return append([]syntax.Span{}, cuts(t.Text)...)
}
