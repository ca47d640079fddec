package rust

import (
	"slices"
	"unicode"

	"github.com/git-tdd/git-tdd/testrun"
)

// sense is what a condition must be for a test to pass.
type sense bool

// decided alters what a condition expects, so that it is met, or is not.
func (f *checkFinder) decided(e expr, met sense) []testrun.Edit {
	for _, mark := range []string{"||", "&&"} {
		if parts := f.split(e, mark); len(parts) > 1 {
			var edits []testrun.Edit
			for _, p := range parts {
				edits = append(edits, f.decided(p, met)...)
			}
			return edits
		}
	}
	for mark, holds := range map[string]sense{"==": true, "!=": false} {
		if sides := f.split(e, mark); len(sides) == 2 && met == holds {
			return f.operand(sides)
		} else if len(sides) == 2 {
			return nil
		}
	}
	for f.is(e.from, "!") {
		e.from++
		met = !met
	}
	switch {
	case f.is(e.from, "(") && f.group(e.from) == e.to:
		return f.decided(expr{e.from + 1, e.to - 1}, met)
	case !bool(met):
		return nil
	}
	return f.asked(e)
}

// asked alters what the last method of an expression is asked for, or the pattern
// that it matches.
func (f *checkFinder) asked(e expr) []testrun.Edit {
	if f.is(e.from, "matches") && f.is(e.from+1, "!") {
		if args := f.split(expr{e.from + 3, e.to - 1}, ","); len(args) > 1 {
			return f.literalIn(args[1])
		}
	}
	last := -1
	for i := e.from; i < e.to; i = f.next(i) {
		if f.is(i, ".") && f.is(i+2, "(") && f.group(i+2) == e.to {
			last = i + 1
		}
	}
	if last < 0 || !slices.Contains([]string{"contains", "starts_with", "ends_with", "eq", "is_match", "contains_key", "eq_ignore_ascii_case"}, f.text(last)) {
		return nil
	}
	return f.argument([]expr{{last + 2, e.to - 1}})
}

// operand alters the one of two values that is written out: the right one if both
// are. A value that a constructor makes comes after one that is plain.
func (f *checkFinder) operand(sides []expr) []testrun.Edit {
	return f.argument(sides[:min(2, len(sides))])
}

// argument alters the last of some values that is written out.
func (f *checkFinder) argument(args []expr) []testrun.Edit {
	for _, f.loose = range []bool{false, true} {
		for _, a := range slices.Backward(args) {
			if edits := f.altered(a); edits != nil {
				return edits
			}
		}
	}
	return nil
}

// converts reports whether a method only gives a value another type.
func converts(method string) bool {
	return slices.Contains([]string{
		"to_string", "to_owned", "into", "as_bytes", "to_vec", "as_str", "as_ref", "as_slice", "into_bytes", "clone", "unwrap",
		"iter", "into_iter", "chars", "bytes", "to_string_lossy", "copied", "cloned",
	}, method)
}

// altered is another value than one that is written out: in place, where a variable
// gets it, or in the rows of a table.
func (f *checkFinder) altered(e expr) []testrun.Edit {
	e = f.core(e)
	switch {
	case e.to <= e.from:
		return nil
	case f.literalEnd(e.from) == e.to:
		return []testrun.Edit{f.another(e)}
	case e.to == e.from+1 && f.tokens[e.from].kind == wordToken:
		return f.named(e.from)
	case f.opens(e.from) && f.group(e.from) == e.to:
		return f.element(expr{e.from + 1, e.to - 1})
	case f.is(e.from+1, "!") && f.opens(e.from+2) && f.group(e.from+2) == e.to:
		if f.is(e.from, "vec") {
			return f.element(expr{e.from + 3, e.to - 1})
		}
		return f.written(e)
	case f.field(e):
		return f.cell(f.text(e.from), f.text(e.from+2))
	}
	if edits := f.constructed(e); edits != nil {
		return edits
	}
	for _, mark := range []string{"+", "-", "*"} {
		if parts := f.split(e, mark); len(parts) > 1 {
			return f.altered(parts[0])
		}
	}
	return nil
}

// core is an expression without what only borrows it or gives it another type.
func (f *checkFinder) core(e expr) expr {
	for e.from < e.to && (f.is(e.from, "&") || f.is(e.from, "*") || f.is(e.from, "-") || f.is(e.from, "mut")) {
		e.from++
	}
	if cast := f.find(e, "as"); cast > e.from {
		e.to = cast
	}
	for e.to-4 > e.from && f.is(e.to-1, ")") && f.is(e.to-2, "(") && f.is(e.to-4, ".") && converts(f.text(e.to-3)) {
		e.to -= 4
	}
	if e.to-4 > e.from && f.is(e.to-1, "]") && f.is(e.to-2, ".") && f.is(e.to-3, ".") && f.is(e.to-4, "[") {
		e.to -= 4 // all of a slice
	}
	return e
}

// written alters a value that a macro makes of literals.
func (f *checkFinder) written(e expr) []testrun.Edit {
	if slices.Contains([]string{"format", "json", "indoc", "concat", "hashmap", "btreemap", "hashset", "btreeset", "smallvec", "arrayvec", "b", "bytes", "svec", "expect"}, f.text(e.from)) {
		return f.literalIn(expr{e.from + 3, e.to - 1})
	}
	return nil
}

// field reports whether an expression is a field of a variable.
func (f *checkFinder) field(e expr) bool {
	return e.to == e.from+3 && f.tokens[e.from].kind == wordToken && f.is(e.from+1, ".") && f.tokens[e.from+2].kind == wordToken
}

// constructed alters what a value is made of: Some(3), Point { x: 1 }, and, where
// that counts, Point::new(1, 2).
func (f *checkFinder) constructed(e expr) []testrun.Edit {
	i := e.from
	for f.tokens[i].kind == wordToken && f.is(i+1, ":") && f.is(i+2, ":") && i+3 < e.to {
		i += 3
	}
	if f.tokens[i].kind != wordToken || !f.opens(i+1) || f.group(i+1) != e.to {
		return nil
	}
	inner := expr{i + 2, e.to - 1}
	upper := func(i int) bool { return unicode.IsUpper([]rune(f.text(i) + " ")[0]) }
	switch {
	case upper(i):
		return f.element(inner)
	case i > e.from && upper(i-3) && (f.loose || f.text(i) == "from"):
		return f.element(inner)
	}
	return nil
}

// element alters the first of several values that is written out; a name counts
// only where there is no other.
func (f *checkFinder) element(inner expr) []testrun.Edit {
	parts := f.split(inner, ",")
	if repeated := f.split(inner, ";"); len(repeated) == 2 {
		parts = repeated[:1]
	}
	for _, e := range parts {
		if f.is(e.from+1, ":") && !f.is(e.from+2, ":") {
			e.from += 2
		}
		plain := f.literalEnd(e.from) == e.to || f.is(e.from, "true") || f.is(e.from, "false")
		if e.to == e.from+1 && !plain && len(parts) > 1 {
			continue
		}
		if edits := f.altered(e); edits != nil {
			return edits
		}
	}
	return nil
}

// literalIn alters the first literal that stands in an expression, however deep.
func (f *checkFinder) literalIn(e expr) []testrun.Edit {
	for i := e.from; i < e.to; i++ {
		switch end := f.literalEnd(i); {
		case end > i && !f.is(i-1, "."):
			return []testrun.Edit{f.another(expr{i, end})}
		case f.is(i, "true") || f.is(i, "false"):
			return f.named(i)
		}
	}
	return nil
}

// named alters what a name stands for.
func (f *checkFinder) named(i int) []testrun.Edit {
	name := f.text(i)
	switch name {
	case "true":
		return []testrun.Edit{f.replace(expr{i, i + 1}, "false")}
	case "false":
		return []testrun.Edit{f.replace(expr{i, i + 1}, "true")}
	}
	if cells := f.cells[name]; len(cells) > 0 {
		return f.each(cells)
	}
	if given := f.given(name); len(given) == 1 {
		return f.each(given)
	}
	return nil
}

// given lists what is given to a variable or a constant.
func (f *checkFinder) given(name string) []expr {
	if given := f.values[name]; given != nil {
		return given
	}
	return f.consts[name]
}

// far is how many names are followed, one to the next: what is given to a name by
// itself would go round for ever.
const far = 2

// each alters all of some values that a name stands for.
func (f *checkFinder) each(values []expr) []testrun.Edit {
	if f.followed == far {
		return nil
	}
	f.followed++
	defer func() { f.followed-- }()
	var edits []testrun.Edit
	for _, e := range values {
		edits = append(edits, f.altered(e)...)
	}
	return edits
}
