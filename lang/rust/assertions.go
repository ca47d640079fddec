package rust

import (
	"slices"
	"strings"
)

// assertions lists what the tests expect: assertion macros whole, statements
// that unwrap, literal values and tables, attributes that expect.
func assertions(test string) []string {
	r := parse(test)
	var out []string
	listed := 0 // what stands before this token is in the list already
	for i := 0; i < len(r.tokens); {
		text, end := r.expectation(i, listed)
		if text != "" {
			out = append(out, text)
			listed = end
		}
		i = max(end, i+1)
	}
	return out
}

// expectation reads the one that begins at token i; "" where none does. What
// stands before the token listed is part of an earlier one.
func (r source) expectation(i, listed int) (text string, end int) {
	if text, end, ok := r.attribute(i); ok {
		name, _, _ := strings.Cut(text, "(")
		name = name[strings.LastIndex(name, ":")+1:]
		if slices.Contains([]string{"should_panic", "case", "test_case", "values"}, name) {
			return "#[" + text + "]", end
		}
		return "", end
	}
	if r.tokens[i].kind != wordToken {
		return "", i + 1
	}
	if end := r.assertion(i); end > 0 {
		return r.fold(i, end), end
	}
	if name := r.tokens[i].text(r.src); strings.HasPrefix(name, "unwrap") || strings.HasPrefix(name, "expect") {
		if open := r.solid(i + 1); i > 0 && r.is(i-1, ".") && r.is(open, "(") {
			return r.fold(r.statement(i, listed), r.group(open)), r.group(open)
		}
	}
	return r.literals(i)
}

// assertion returns the index after the assertion macro that begins at i; 0
// where none does.
func (r source) assertion(i int) int {
	name := r.tokens[i].text(r.src)
	bang := r.solid(i + 1)
	open := r.solid(bang + 1)
	if !r.is(bang, "!") || !r.opens(open) {
		return 0
	}
	for _, prefix := range []string{"assert", "debug_assert", "prop_assert", "panic", "unreachable", "expect"} {
		if name == prefix || strings.HasPrefix(name, prefix+"_") {
			return r.group(open)
		}
	}
	return 0
}

// statement returns the index at which the statement around token i begins, from
// at the earliest.
func (r source) statement(i, from int) int {
	for ; i > from; i-- {
		if r.is(i-1, ";") || r.is(i-1, "{") || r.is(i-1, "}") {
			break
		}
	}
	return i
}

// literals reads a binding to a literal value, let want = 3;, and a table that
// is looped over or bound, with its rows, where one of them holds a literal.
func (r source) literals(i int) (text string, end int) {
	value := r.value(i)
	for r.is(value, "&") || r.is(value, "-") || r.is(value, "vec") || r.is(value, "!") {
		value = r.solid(value + 1)
	}
	stop := 0
	switch {
	case value >= len(r.tokens):
	case r.is(value, "["):
		stop = r.group(value)
	case r.literal(value) && r.is(r.solid(value+1), ";"):
		stop = value + 1
	}
	if !r.holdsLiteral(value, stop) {
		return "", i + 1
	}
	return r.fold(i, stop), stop
}

// value returns the index at which the value of the let, const or in at i begins;
// the end of the text where there is none.
func (r source) value(i int) int {
	switch {
	case r.is(i, "in"):
		return r.solid(i + 1)
	case !r.is(i, "let") && !r.is(i, "const"):
		return len(r.tokens)
	}
	for i++; i < len(r.tokens) && !r.is(i, "=") && !r.is(i, ";") && !r.is(i, "let") && !r.is(i, "const") && !r.closes(i); i++ {
		if r.opens(i) {
			i = r.group(i) - 1 // a pattern, or the type of an array
		}
	}
	if !r.is(i, "=") {
		return len(r.tokens)
	}
	return r.solid(i + 1)
}

// literal reports whether token i is a value written out.
func (r source) literal(i int) bool {
	t := r.tokens[i]
	if t.kind == textToken {
		return true
	}
	c := r.src[t.start]
	return t.kind == wordToken && (c >= '0' && c <= '9' || r.is(i, "true") || r.is(i, "false"))
}

// holdsLiteral reports whether a literal stands between the tokens, not too far
// from the first.
func (r source) holdsLiteral(i, end int) bool {
	const far = 200
	for end = min(end, i+far); i < end; i++ {
		if r.literal(i) {
			return true
		}
	}
	return false
}
