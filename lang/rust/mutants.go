package rust

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/testrun"
)

// mutants lists small changes of a source: what a function returns, what a
// condition asks, an operator, a constant.
func mutants(content string) []testrun.Mutant { return mutated(content).found }

// near lists texts in a source with their letters in the other case.
func near(content string) []testrun.Mutant { return mutated(content).near }

func mutated(content string) *mutator {
	m := &mutator{checkFinder: checkFinder{source: parse(content).code()}}
	m.walk(expr{0, len(m.tokens)})
	return m
}

// mutator collects the mutants of a file.
type mutator struct {
	checkFinder
	found []testrun.Mutant
	near  []testrun.Mutant
}

// note adds a mutant that puts a text in the place of an expression.
func (m *mutator) note(rank int, e expr, text string) {
	made := m.made(e, text)
	made.Rank = rank
	m.found = append(m.found, made)
}

// made is a mutant that puts a text in the place of an expression.
func (m *mutator) made(e expr, text string) testrun.Mutant {
	s := m.span(e)
	return testrun.Mutant{
		Line: 1 + strings.Count(m.src[:s.Start], "\n"), What: text + " for " + m.src[s.Start:s.End],
		Edit: testrun.Edit{Span: s, Text: text},
	}
}

// walk collects the mutants of a part of a file.
func (m *mutator) walk(e expr) {
	for i := e.from; i < e.to; {
		if end := m.skipped(i); end > i {
			i = end
			continue
		}
		if fn, end, ok := m.functionAt(i); ok {
			m.results(fn)
			m.walk(expr{fn.body.from + 1, fn.body.to})
			i = end
			continue
		}
		i = max(i+1, m.token(i))
	}
}

// skipped is the place after what is no behaviour: an attribute, a declaration of
// types or names, a message.
func (m *mutator) skipped(i int) int {
	if _, end, ok := m.attribute(i); ok {
		return end
	}
	if m.is(i, "#") && m.is(i+1, "!") && m.is(i+2, "[") {
		return m.group(i + 2)
	}
	switch m.text(i) {
	case "use", "struct", "enum", "type", "union", "extern", "macro_rules":
		if m.is(i-1, ".") || m.is(i+1, "=") {
			return i
		}
		return m.item(i)
	case "trait", "impl":
		for i < len(m.tokens) && !m.is(i, "{") && !m.is(i, ";") && !m.closes(i) {
			i++ // bounds
		}
		return i
	case "expect":
		if m.is(i+1, "(") && m.is(i-1, ".") {
			return m.group(i + 1)
		}
	}
	if m.is(i+1, "!") && m.opens(i+2) && tells(m.text(i)) {
		return m.group(i + 2)
	}
	return i
}

// tells reports whether a macro only tells something, or stops the program.
func tells(name string) bool {
	return strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "debug_assert") || slices.Contains([]string{
		"panic", "todo", "unimplemented", "unreachable", "println", "print", "eprintln", "eprint", "dbg", "debug", "trace", "info", "warn", "error",
		"bail", "anyhow", "concat", "include_str", "env", "thread_local", "compile_error",
	}, name)
}

// token notes the mutant that a token makes, and returns where to go on.
func (m *mutator) token(i int) int {
	switch word := m.text(i); {
	case word == "if":
		open := m.find(expr{i + 1, len(m.tokens)}, "{")
		if cond := (expr{i + 1, open}); open > 0 && !m.has(cond, "let") && !m.arrowIn(cond) {
			m.note(1, cond, "!("+m.textOf(cond)+")")
		}
	case word == "true" && !m.is(i-1, "."):
		m.note(3, expr{i, i + 1}, "false")
	case word == "false":
		m.note(3, expr{i, i + 1}, "true")
	case m.literalEnd(i) > i:
		return m.constant(i)
	case m.tokens[i].kind == punctToken:
		return m.binary(i)
	}
	return i + 1
}

// arrowIn reports whether an arrow of a match stands in an expression.
func (m *mutator) arrowIn(e expr) bool {
	for i := e.from; i < e.to; i++ {
		if m.is(i, "=") && m.is(i+1, ">") {
			return true
		}
	}
	return false
}

func (m *mutator) textOf(e expr) string { s := m.span(e); return m.src[s.Start:s.End] }

// constant mutates a literal that is no part of a type.
func (m *mutator) constant(i int) int {
	end := m.literalEnd(i)
	e := expr{i, end}
	old := m.textOf(e)
	lengthOf := m.is(i-1, ";") && m.is(end, "]")
	switch {
	case m.is(i-1, ".") || lengthOf || m.is(i-1, "'"):
	case m.tokens[i].kind == textToken && strings.HasSuffix(old, `"`) && !strings.HasPrefix(old, "b"):
		at := strings.LastIndexByte(old, '"')
		m.note(3, e, old[:at]+"~"+old[at:])
		if other := testrun.OtherCase(old); other != old {
			m.near = append(m.near, m.made(e, other))
		}
	default:
		m.note(3, e, anotherLiteral(old))
	}
	return end
}

// swapped is the operator that takes another's place; empty where none does.
func swapped(op string) string {
	return map[string]string{
		"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
		"&&": "||", "||": "&&", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<", "..=": "..",
		"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "*=", "|=": "&=", "&=": "|=", "^=": "&=",
	}[op]
}

// binary mutates an operator between two operands.
func (m *mutator) binary(i int) int {
	end := i + 1
	for m.tokens[end-1].kind == punctToken && end < len(m.tokens) && m.adjacent(end) && strings.Contains("=<>&|+-*/%^!.", m.text(end)) && m.text(end-1) != "," && !m.opens(end-1) && !m.closes(end-1) {
		end++
	}
	op := m.textOf(expr{i, end})
	if to := swapped(op); to != "" && m.operand(i-1, true) && m.operand(end, false) && m.apart(i, end, op) {
		m.note(2, expr{i, end}, to)
	}
	return end
}

// operand reports whether a value may end, or begin, at token i.
func (m *mutator) operand(i int, ends bool) bool {
	if i < 0 || i >= len(m.tokens) {
		return false
	}
	t := m.text(i)
	switch {
	case m.tokens[i].kind == textToken:
		return true
	case m.tokens[i].kind == wordToken:
		keyword := slices.Contains([]string{"return", "in", "if", "match", "while", "mut", "dyn", "impl", "as", "where", "move", "let", "for", "else", "ref", "break"}, t)
		bound := strings.HasPrefix(t, "'") || unicode.IsUpper([]rune(t)[0]) && t != strings.ToUpper(t) && !m.is(i+1, "(") && !m.is(i+1, ":") && !m.is(i+1, "{")
		return !keyword && !bound
	case ends:
		return t == ")" || t == "]" || t == "?"
	}
	return strings.Contains("(&*!-[", t)
}

// apart reports whether an operator stands by itself: a sign, a reference or the
// angle of a type touches what it belongs to.
func (m *mutator) apart(i, end int, op string) bool {
	if m.adjacent(i) != m.adjacent(end) {
		return false
	}
	return !m.adjacent(i) || strings.Contains("+-*/%", op) || len(op) > 1 && op != "<<" && op != ">>" && op != "&&" && op != "||"
}

// results mutates what a function returns, where its type tells what else it could
// be.
func (m *mutator) results(fn function) {
	of := strings.TrimPrefix(fn.returns, "->")
	for i := fn.body.from; i < fn.body.to; i++ {
		if m.is(i, "return") {
			if end := m.find(expr{i + 1, fn.body.to}, ";"); end > i+1 {
				m.result(of, expr{i + 1, end})
			}
		}
	}
	tail := fn.body.from + 1
	for i := tail; i < fn.body.to-1; i = m.next(i) {
		if m.is(i, ";") || m.is(i, "{") {
			tail = m.next(i)
		}
	}
	if tail < fn.body.to-1 && m.is(tail-1, ";") || tail == fn.body.from+1 {
		m.result(of, expr{tail, fn.body.to - 1})
	}
}

// result mutates one returned value. One over several lines has smaller parts.
func (m *mutator) result(of string, e expr) {
	text := m.textOf(e)
	if e.to <= e.from || strings.Contains(text, "\n") || tells(m.text(e.from)) && m.is(e.from+1, "!") {
		return
	}
	if to := another(of, text); to != "" && to != text {
		m.note(0, e, to)
	}
}

// another is another value of a type than one that is written as a text.
func another(of, than string) string {
	switch {
	case of == "bool" && (than == "true" || than == "false"):
		return map[string]string{"true": "false", "false": "true"}[than]
	case of == "bool":
		return "!(" + than + ")"
	case of == "String":
		return `format!("{}~", ` + than + ")"
	case strings.Contains(" i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize ", " "+of+" "):
		return "(" + than + ") + 1"
	case of == "f32" || of == "f64":
		return "(" + than + ") + 1.0"
	case strings.HasPrefix(of, "Option<"):
		return "None"
	case strings.HasPrefix(of, "Vec<"):
		return "Vec::new()"
	case of == "&str" || of == "&'static str":
		return `"~"`
	}
	return ""
}
