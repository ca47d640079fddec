package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// source is a text of Rust, cut into tokens.
type source struct {
	src    string
	tokens []token
	ends   []int // for each token that opens a group, the index after the group
}

// parse cuts a text into tokens and finds its groups, all in one pass: a hostile
// text must not make us read it again for each of its tokens.
func parse(src string) source { return grouped(src, tokenize(src)) }

// grouped finds the groups of some tokens.
func grouped(src string, tokens []token) source {
	r := source{src: src, tokens: tokens}
	r.ends = make([]int, len(r.tokens))
	var open []int
	for i := range r.tokens {
		switch {
		case r.opens(i):
			open = append(open, i)
		case r.closes(i) && len(open) > 0:
			r.ends[open[len(open)-1]] = i + 1
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		r.ends[i] = len(r.tokens)
	}
	return r
}

// solid returns the index of the first token at or after i that is not blank.
func (r source) solid(i int) int {
	for i < len(r.tokens) && r.tokens[i].blank() {
		i++
	}
	return i
}

// is reports whether token i is this word or character.
func (r source) is(i int, want string) bool {
	return 0 <= i && i < len(r.tokens) && r.tokens[i].is(r.src, want)
}

// group returns the index after the group that the bracket at i opens. A group
// that is not closed ends with the text.
func (r source) group(i int) int { return r.ends[i] }

// opens reports whether token i opens a group.
func (r source) opens(i int) bool {
	return r.is(i, "(") || r.is(i, "[") || r.is(i, "{")
}

// closes reports whether token i closes a group.
func (r source) closes(i int) bool {
	return r.is(i, ")") || r.is(i, "]") || r.is(i, "}")
}

// attribute reports whether an outer attribute, #[…], begins at i, and returns
// what is inside, without blanks, and the index after it.
func (r source) attribute(i int) (text string, end int, ok bool) {
	if !r.is(i, "#") {
		return "", i, false
	}
	open := r.solid(i + 1)
	if !r.is(open, "[") {
		return "", i, false
	}
	end = r.group(open)
	return r.fold(open+1, end-1), end, true
}

// fold writes the tokens from i to before end without blanks, with a space only
// where two words would run together and after a comma, and without a comma
// before a closing bracket: formatting does not change it.
func (r source) fold(i, end int) string {
	var out strings.Builder
	word, comma := false, false
	for ; i < min(end, len(r.tokens)); i++ {
		t := r.tokens[i]
		if t.blank() || t.kind == docToken {
			continue
		}
		if comma && !r.closes(i) {
			out.WriteString(", ")
			word = false
		}
		if comma = t.is(r.src, ","); comma {
			continue
		}
		isWord := t.kind == wordToken || t.kind == textToken
		if word && isWord {
			out.WriteByte(' ')
		}
		out.WriteString(t.text(r.src))
		word = isWord
	}
	return out.String()
}

// testAttribute reports whether an attribute makes a function a test: #[test],
// #[tokio::test], #[rstest], #[test_case(…)].
func testAttribute(text string) bool {
	name, _, _ := strings.Cut(text, "(")
	name = name[strings.LastIndex(name, ":")+1:]
	return slices.Contains([]string{"test", "rstest", "test_case", "wasm_bindgen_test", "quickcheck", "bench", "parameterized"}, name)
}

// testOnly reports whether an attribute keeps an item out of every build that
// is not for tests.
func testOnly(text string) bool {
	return text == "cfg(test)" || strings.HasPrefix(text, "cfg(all(test,") ||
		strings.HasPrefix(text, "cfg(all(") && strings.HasSuffix(text, ", test))") || testAttribute(text)
}

// cuts finds the parts of a source that are tests, in order: the items,
// at any depth, that are compiled for tests only, each with its attributes,
// the comment directly above, and the blank lines before it.
func cuts(content string) []testrun.Span {
	r := parse(content)
	if i := r.solid(0); r.is(i, "#") && r.is(i+1, "!") {
		if r.is(i+2, "[") && r.fold(i+3, r.group(i+2)-1) == "cfg(test)" {
			return []testrun.Span{{Start: 0, End: len(content)}}
		}
	}
	var cuts []testrun.Span
	for i := 0; i < len(r.tokens); {
		if r.tokens[i].blank() {
			i++
			continue
		}
		end, isTest := r.attributes(i, testOnly)
		switch {
		case isTest:
			stop := r.item(end)
			floor := 0
			if len(cuts) > 0 {
				floor = cuts[len(cuts)-1].End
			}
			cuts = append(cuts, r.widen(i, stop, floor))
			i = stop
		case end > i:
			i = end
		default:
			i++
		}
	}
	return cuts
}

// attributes reads the attributes and documentation that begin at i, and
// returns the index after them and whether one of the attributes is wanted.
func (r source) attributes(i int, want func(text string) bool) (end int, found bool) {
	for {
		next := r.solid(i)
		if next < len(r.tokens) && r.tokens[next].kind == docToken {
			i = next + 1
			continue
		}
		text, after, ok := r.attribute(next)
		if !ok {
			return i, found
		}
		found = found || want(text)
		i = after
	}
}

// itemEnd says what ends an item.
type itemEnd int

const (
	untilSemicolon itemEnd = iota // use, const, static, type, let
	untilBody                     // fn, mod, struct: a body in braces, or a semicolon
	untilComma                    // a field, a variant, an arm, a statement: those, or a comma
)

// endOf says how the item that begins at i ends.
func (r source) endOf(i int) itemEnd {
	for _, word := range []string{"use", "static", "type", "let"} {
		if r.is(i, word) {
			return untilSemicolon
		}
	}
	if r.is(i, "const") {
		next := r.solid(i + 1)
		if !r.is(next, "fn") && !r.is(next, "unsafe") && !r.is(next, "async") && !r.is(next, "extern") {
			return untilSemicolon
		}
		return untilBody
	}
	for _, word := range []string{"fn", "mod", "struct", "enum", "union", "trait", "impl", "extern", "unsafe", "async", "macro_rules"} {
		if r.is(i, word) {
			return untilBody
		}
	}
	return untilComma
}

// item returns the index after the item, statement, field or arm at i.
func (r source) item(i int) int {
	if i = r.solid(i); r.is(i, "pub") {
		if i = r.solid(i + 1); r.is(i, "(") {
			i = r.solid(r.group(i))
		}
	}
	for kind := r.endOf(i); i < len(r.tokens); i++ {
		switch {
		case r.closes(i):
			return i // the group around it ends here
		case r.is(i, ";"), r.is(i, ",") && kind == untilComma:
			return i + 1
		case r.is(i, "{") && kind == untilComma:
			return r.afterComma(r.group(i))
		case r.is(i, "{") && kind == untilBody:
			return r.group(i)
		case r.opens(i):
			i = r.group(i) - 1
		}
	}
	return i
}

// afterComma takes in the comma behind the body of an arm.
func (r source) afterComma(i int) int {
	if next := r.solid(i); r.is(next, ",") {
		return next + 1
	}
	return i
}

// widen gives the test from token first to before token stop the comment
// directly above it, the blank lines before it and the end of its last line, so
// that the rest is what it was without it. Before floor lies another test.
func (r source) widen(first, stop, floor int) testrun.Span {
	start := max(floor, r.above(first, floor))
	end := len(r.src)
	if stop < len(r.tokens) {
		end = r.tokens[stop].start
	}
	end += restOfLine(r.src[end:])
	if start == 0 {
		end += leading(r.src[end:], func(c rune) bool { return c == '\n' || c == '\r' })
	}
	return testrun.Span{Start: start, End: end}
}

// above returns where the lines begin that belong to what begins at token i.
func (r source) above(i, floor int) int {
	for i > 0 {
		space := r.tokens[i-1]
		text := space.text(r.src)
		switch {
		case space.kind != spaceToken:
			return r.tokens[i].start
		case space.start < floor:
			return floor
		case i == 1:
			return 0
		case !strings.Contains(text, "\n"):
			return r.tokens[i].start // it shares its line with something else
		}
		if !r.captions(i-2) || strings.Count(text, "\n") > 1 {
			return space.start + strings.IndexByte(text, '\n') + 1
		}
		i -= 2
	}
	return 0
}

// captions reports whether token i is a comment on lines of its own that speaks
// of what follows.
func (r source) captions(i int) bool {
	t := r.tokens[i]
	if t.kind != commentToken || strings.HasPrefix(t.text(r.src), "//!") || strings.HasPrefix(t.text(r.src), "/*!") {
		return false
	}
	line := r.src[:t.start]
	return strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:]) == ""
}

// restOfLine measures the blanks up to and with the next newline; 0 where
// something else comes first.
func restOfLine(src string) int {
	n := leading(src, func(c rune) bool { return c == ' ' || c == '\t' || c == '\r' })
	if strings.HasPrefix(src[n:], "\n") {
		return n + 1
	}
	return 0
}
