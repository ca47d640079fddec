package csyntax

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// Expr is a part of a source, from token From to before token To.
type Expr struct{ From, To int }

// Code is a text, cut into tokens. Comments and white space belong to none.
type Code struct {
	Text   string
	tokens []testrun.Span
	ends   []int // for each token that opens a group, the index after the group
	// Values has what the variables and the constants of the test under way are given.
	Values   map[string][]Expr
	followed int // names, one to the next
}

// operators are those of several characters, the longer ones first.
func operators() []string {
	return []string{
		">>>=", "<<=", ">>=", ">>>", "...", "<=>", "->*", "::", "->", "++", "--", "<=", ">=", "==", "!=", "&&", "||",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
	}
}

// Parse cuts a text into tokens.
func Parse(text string) *Code {
	_, masked := scan.MaskC(text)
	c := &Code{Text: text}
	for at := 0; at < len(text); {
		size := tokenSize(masked[at:])
		if strings.TrimSpace(masked[at:at+size]) != "" {
			c.tokens = append(c.tokens, testrun.Span{Start: at, End: at + size})
		}
		at += size
	}
	c.ends = make([]int, len(c.tokens))
	var open []int
	for i := range c.tokens {
		switch {
		case c.Opens(i):
			open = append(open, i)
		case c.Closes(i) && len(open) > 0:
			c.ends[open[len(open)-1]] = i + 1
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		c.ends[i] = len(c.tokens)
	}
	return c
}

// tokenSize measures the first token of a masked text that is not empty.
func tokenSize(masked string) int {
	first := masked[0]
	switch {
	case first == '"' || first == '\'':
		return quoted(masked)
	case '0' <= first && first <= '9':
		return number(masked)
	case word(first):
		n := span(masked, word)
		if n < len(masked) && masked[n] == '"' && n <= 3 && strings.Trim(masked[:n], "LRu8U") == "" {
			if masked[n-1] == 'R' {
				return n + 1 + span(masked[n+1:], func(c byte) bool { return c == '_' }) // all of it is masked
			}
			return n + quoted(masked[n:]) // of C++: u8"text"
		}
		return n
	}
	for _, op := range operators() {
		if strings.HasPrefix(masked, op) {
			return len(op)
		}
	}
	return 1
}

// quoted measures a literal between quotes, whose contents are masked.
func quoted(masked string) int {
	return min(len(masked), 1+scan.UpTo(masked[1:], masked[:1])+1)
}

func word(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// span measures the beginning of a text that is of such characters.
func span(text string, of func(byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// number measures a number, with its fraction, its exponent and its suffix.
func number(text string) int {
	n := 0
	for n < len(text) {
		exponent := n > 0 && strings.ContainsRune("eEpP", rune(text[n-1])) && (!strings.HasPrefix(text, "0x") || strings.ContainsRune("pP", rune(text[n-1])))
		if !word(text[n]) && text[n] != '.' && text[n] != '\'' && (!exponent || text[n] != '-' && text[n] != '+') {
			break
		}
		n++
	}
	return n
}

// Len is the number of tokens.
func (c *Code) Len() int { return len(c.tokens) }

// Word is token i; empty where there is none.
func (c *Code) Word(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.Text[c.tokens[i].Start:c.tokens[i].End]
}

// Is reports whether token i is this one.
func (c *Code) Is(i int, want string) bool { return c.Word(i) == want }

// Named reports whether token i is a name or a keyword.
func (c *Code) Named(i int) bool {
	w := c.Word(i)
	return w != "" && word(w[0]) && !c.Literal(i)
}

// Literal reports whether token i is a number, a text or a character.
func (c *Code) Literal(i int) bool {
	w := c.Word(i)
	return w != "" && ('0' <= w[0] && w[0] <= '9' || strings.HasSuffix(w, `"`) || strings.HasSuffix(w, "'"))
}

// Opens reports whether token i opens a group, Closes whether it closes one.
func (c *Code) Opens(i int) bool { return slices.Contains([]string{"(", "[", "{"}, c.Word(i)) }

// Closes reports whether token i closes a group.
func (c *Code) Closes(i int) bool { return slices.Contains([]string{")", "]", "}"}, c.Word(i)) }

// Group is the index after the group that token i opens.
func (c *Code) Group(i int) int {
	if !c.Opens(i) {
		return i + 1
	}
	return c.ends[i]
}

// Inside is what stands between the brackets that token i opens.
func (c *Code) Inside(i int) Expr { return Expr{i + 1, max(i+1, c.Group(i)-1)} }

// Whole reports whether an expression is one group.
func (c *Code) Whole(e Expr) bool { return c.Opens(e.From) && c.Group(e.From) == e.To }

// Span is where an expression stands.
func (c *Code) Span(e Expr) testrun.Span {
	if e.From >= e.To || e.From >= len(c.tokens) {
		return testrun.Span{Start: len(c.Text), End: len(c.Text)}
	}
	return testrun.Span{Start: c.tokens[e.From].Start, End: c.tokens[min(e.To, len(c.tokens))-1].End}
}

// Source is the text of an expression.
func (c *Code) Source(e Expr) string { s := c.Span(e); return c.Text[s.Start:s.End] }

// Replace puts a text in the place of an expression.
func (c *Code) Replace(e Expr, text string) testrun.Edit {
	return testrun.Edit{Span: c.Span(e), Text: text}
}

// Wrap puts texts before and after an expression.
func (c *Code) Wrap(e Expr, before, after string) []testrun.Edit {
	s := c.Span(e)
	return []testrun.Edit{
		{Span: testrun.Span{Start: s.Start, End: s.Start}, Text: before},
		{Span: testrun.Span{Start: s.End, End: s.End}, Text: after},
	}
}

// most is how far a token is looked for: a hostile text is not read again and again.
const most = 2000

// Find is the place of a token in an expression, outside of groups; -1 where it is
// not there before the end of a statement.
func (c *Code) Find(e Expr, want string) int {
	for i := e.From; i < min(e.To, len(c.tokens), e.From+most); i = c.Group(i) {
		switch {
		case c.Is(i, want):
			return i
		case c.Closes(i), c.Is(i, ";"):
			return -1
		}
	}
	return -1
}

// Split divides an expression at a mark, outside of groups and, at a comma, of the
// arguments of types.
func (c *Code) Split(e Expr, mark string) []Expr {
	var out []Expr
	from := e.From
	for i := e.From; i < e.To; {
		switch {
		case c.Is(i, mark):
			out = append(out, Expr{from, i})
			i++
			from = i
		case mark == "," && c.Is(i, "<"):
			i = c.types(i, e.To)
		default:
			i = c.Group(i)
		}
	}
	if from < e.To {
		out = append(out, Expr{from, e.To})
	}
	return out
}

// types is the place after the types that the angle at i opens; after the angle
// alone where it is an operator.
func (c *Code) types(i, end int) int {
	depth := 0
	for k := i; k < min(end, i+most); k++ {
		switch w := c.Word(k); {
		case w == "<":
			depth++
		case w == ">":
			if depth--; depth == 0 {
				return k + 1
			}
		case !c.Named(k) && !slices.Contains([]string{",", ".", "::", "?", "&", "*", "[", "]"}, w):
			return i + 1
		}
	}
	return i + 1
}

// Plain is a source without its comments and its layout. Lines of the preprocessor
// keep theirs.
func Plain(content string) string {
	c := Parse(content)
	var out strings.Builder
	for i, t := range c.tokens {
		between := ""
		if i > 0 {
			between = content[c.tokens[i-1].End:t.Start]
		}
		if strings.Contains(between, "\n") && (c.Is(i, "#") || directive(content[:t.Start])) {
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
		out.WriteString(c.Word(i))
	}
	return out.String()
}

// directive reports whether the line before the last one of a text is of the
// preprocessor.
func directive(text string) bool {
	lines := strings.Split(text[max(0, len(text)-most):], "\n")
	return len(lines) > 1 && strings.HasPrefix(strings.TrimSpace(lines[len(lines)-2]), "#")
}
