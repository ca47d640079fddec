package gates

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Tests that become rows each need a row with all that they had: what goes in, together
// with what is expected. That a value is spelled out somewhere does not show that,
// because another row may have it.

// tokenPattern finds comments, texts, lists of words as Ruby writes them, words and signs,
// whatever the language.
var tokenPattern = lazyregexp.New(`//[^\n]*|#\s[^\n]*|%[wWiI][\[({][^\])}]*[\])}]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|` + "`[^`]*`" + `|\d[\d_]*(?:\.[\d_]+)?[eE][-+]?\d+|\w[\w.]*|\S`)

// token is a part of a text, and the value of one that is a number or a text in quotes.
type token struct {
	text       string
	start, end int
	value      string
	literal    bool
}

func tokens(text string) []token {
	var out []token
	for _, at := range tokenPattern().FindAllStringIndex(text, -1) {
		t := token{text: text[at[0]:at[1]], start: at[0], end: at[1]}
		switch first := t.text[0]; {
		case first == '/' && len(t.text) > 1 || first == '#' && len(t.text) > 1:
			continue
		case first == '%' && len(t.text) > 1:
			for word := range strings.FieldsSeq(t.text[3 : len(t.text)-1]) {
				out = append(out, token{text: `"`, start: t.start, end: t.end, value: word, literal: true})
			}
			continue
		case first >= '0' && first <= '9':
			t.value, t.literal = strings.TrimRight(t.text, "."), true
		case len(t.text) > 1 && strings.ContainsRune("\"'`", rune(first)):
			t.value, t.literal = t.text[1:len(t.text)-1], true
		}
		out = append(out, t)
	}
	return out
}

// variable reports whether a token is a name that stands for some value: no part of a
// call, a key, a type or a constant of the language.
func variable(t, next token) bool {
	if c := t.text[0]; t.literal || c < 'A' || !wordByte(c) {
		return false
	}
	called := next.text != "" && strings.Contains("({[<:=!", next.text[:1]) || next.literal && next.start == t.end
	return !called && t.text != "new" && !slices.Contains(constants(), t.text)
}

func constants() []string {
	return []string{"true", "false", "True", "False", "nil", "null", "None", "undefined"}
}

// row is a text in brackets or quotes that holds values and no variable.
type row struct {
	text  string
	parts []string // the rows directly in it
}

// rowsOf finds the rows of a text, and the values that are in none.
func rowsOf(text string) (rows []row, loose []string) {
	type open struct {
		row
		start  int
		values []string
		varies bool
	}
	stack := []open{{varies: true}}
	all := append(tokens(text), token{})
	for i, t := range all[:len(all)-1] {
		top := &stack[len(stack)-1]
		switch {
		case t.literal:
			top.values, top.parts = append(top.values, t.value), append(top.parts, t.value)
			rows = append(rows, row{text: t.value})
		case strings.Contains("([{", t.text):
			stack = append(stack, open{start: t.start})
		case strings.Contains(")]}", t.text) && len(stack) > 1:
			stack = stack[:len(stack)-1]
			if closed := *top; closed.varies {
				loose = append(loose, closed.values...)
			} else {
				closed.text = text[closed.start:t.end]
				rows = append(rows, closed.row)
				outer := &stack[len(stack)-1]
				outer.parts = append(outer.parts, closed.text)
			}
		default:
			top.varies = top.varies || variable(t, all[i+1])
		}
	}
	for _, o := range stack {
		loose = append(loose, o.values...)
	}
	return rows, loose
}

// Literals are the texts, behind a quote, and the numbers of a piece of code, each once.
func Literals(code string) []string {
	var out []string
	for _, t := range tokens(code) {
		v := `"` + t.value
		if wordByte(t.text[0]) {
			v = strings.ReplaceAll(t.value, "_", "")
		}
		if t.literal && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Spelled lists the values that a text spells out: those in brackets each by itself, anything
// else as it reads, without quotes.
func Spelled(text string) []string {
	if in := literals(text); len(in) > 0 && strings.ContainsAny(text[:1], "[{%") {
		return in
	}
	return []string{strings.Trim(text, "\"'`() ")}
}

// literals are the values that a text spells out, in their order.
func literals(text string) []string {
	written := slices.DeleteFunc(tokens(text), func(t token) bool { return !t.literal })
	return Each(written, func(t token) string { return t.value })
}

// scattered is what a test that is gone had together and no row has; empty if each has its
// row, or its values are spelled out where they serve all rows.
func (c Change) scattered() string {
	_, now := c.wordings()
	rows, loose := rowsOf(now.text)
	all := literals(now.text)
	sequence := "\x00" + strings.Join(all, "\x00") + "\x00"
	var gone, missing [][]string
	for _, f := range c.Files {
		for _, values := range f.goneRows(c) {
			same := strings.Contains(sequence, "\x00"+strings.Join(values, "\x00")+"\x00") // under another name
			values = slices.DeleteFunc(values, func(v string) bool {
				return slices.Contains(loose, v) || strings.ContainsAny(v, " %") && !slices.Contains(all, v) // a message
			})
			if gone = append(gone, values); !same && len(values) > 0 {
				missing = append(missing, values)
			}
		}
	}
	rows = withoutTables(rows, gone)
	lost, _ := Find(missing, func(values []string) bool {
		return !slices.ContainsFunc(rows, func(r row) bool { return spells(r.text, values) })
	})
	return strings.Join(lost, ", ")
}

// spells reports whether a text spells out all of some values.
func spells(text string, values []string) bool {
	in := wording{text: text}
	return !slices.ContainsFunc(values, func(v string) bool { return in.has(v) == 0 })
}

// withoutTables are the rows that are no tables: those in which not more than one part has
// what a test that is gone had.
func withoutTables(rows []row, gone [][]string) []row {
	var tables []string // each with what holds it, which comes behind it
	return slices.DeleteFunc(rows, func(r row) bool {
		n := 0
		for _, part := range r.parts {
			switch {
			case slices.Contains(tables, part):
				n = len(r.parts) + 1
			case slices.ContainsFunc(gone, func(values []string) bool { return len(values) > 0 && spells(part, values) }):
				n++
			}
		}
		if n > 1 {
			tables = append(tables, r.text)
		}
		return n > 1
	})
}

// goneRows are the values of each test of a file that a change leaves nowhere; of one with
// several checks, those of each check.
func (f FileChange) goneRows(c Change) [][]string {
	var out [][]string
	lines := strings.Split(sideOf(f.Old).Test, "\n")
	for _, name := range sideOf(f.Old).Declared {
		if slices.ContainsFunc(c.Files, func(f FileChange) bool { return slices.Contains(sideOf(f.New).Declared, name) }) {
			continue
		}
		first, last := ownLines(lines, name)
		own := ownText(f.Old, name)
		checks := slices.DeleteFunc(slices.Clone(f.Old.Assertions), func(a string) bool { return !strings.Contains(own, a) })
		if len(checks) < 2 {
			checks = []string{strings.Join(lines[first:last], "\n")}
		}
		for _, check := range checks {
			out = append(out, slices.DeleteFunc(literals(plainly(check)), func(v string) bool { return strings.Contains(name, v) }))
		}
	}
	return out
}

// onlyCutsCopies reports whether all that a change takes out of tests are rows of which
// their table has another.
func (c Change) onlyCutsCopies() bool {
	same := func(f FileChange) bool { return maps.Equal(nested(sideOf(f.Old).Test), nested(sideOf(f.New).Test)) }
	return slices.ContainsFunc(c.Files, FileChange.TouchesTest) &&
		!slices.ContainsFunc(c.Files, func(f FileChange) bool { return f.TouchesTest() && !same(f) })
}

// nested counts the lines of a text, each together with those that it lies within by its
// indentation; a row of plain values counts once.
func nested(text string) map[string]int {
	out := map[string]int{}
	var around []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		within := len(around)
		for within > 0 && Indent(around[within-1]) >= Indent(line) {
			within--
		}
		key := strings.Join(append(around[:within:within], line), "\n")
		if out[key]++; plainRow(line) {
			out[key] = 1
		}
		if strings.ContainsFunc(line, unicode.IsLetter) {
			around = append(around[:within], line)
		}
	}
	return out
}

// plainRow reports whether a line holds values in brackets, and nothing else.
func plainRow(line string) bool {
	rows, _ := rowsOf(line)
	last := len(rows) - 1
	return last >= 0 && len(rows[last].parts) > 0 && rows[last].text == strings.Trim(line, " \t,;")
}
