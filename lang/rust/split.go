package rust

import "strings"

// split divides an expression at a mark of one character or more, outside of
// groups, of the arguments of types and of those of closures.
func (f *checkFinder) split(e expr, mark string) []expr {
	var out []expr
	from := e.from
	for i := e.from; i < e.to; {
		switch {
		case f.is(i, ":") && f.is(i+1, ":") && f.is(i+2, "<"):
			i = f.angle(i+2, e.to)
		case f.is(i, "|") && mark == "," && (i == from || f.is(i-1, "move")):
			for i++; i < e.to && !f.is(i, "|"); i++ {
			}
			i++
		case f.operator(i, mark):
			out = append(out, expr{from, i})
			i += len(mark)
			from = i
		default:
			i = f.next(i)
		}
	}
	if from < e.to {
		out = append(out, expr{from, e.to})
	}
	return out
}

// angle is the place after the types that the angle at i opens.
func (f *checkFinder) angle(i, end int) int {
	for depth := 0; i < end; i++ {
		switch {
		case f.is(i, "<"):
			depth++
		case f.is(i, ">") && !f.is(i-1, "-"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return end
}

// operator reports whether an operator begins at token i, and not a longer one.
func (f *checkFinder) operator(i int, mark string) bool {
	for k := range len(mark) {
		if !f.is(i+k, mark[k:k+1]) || k > 0 && !f.adjacent(i+k) {
			return false
		}
	}
	if len(mark) == 1 && mark != "," {
		longer := func(j int) bool { return j < len(f.tokens) && strings.Contains("=<>&|+-*/!", f.text(j)) }
		return !longer(i+1) || !f.adjacent(i+1)
	}
	return true
}

// adjacent reports whether nothing stands between token i and the one before it.
func (f *checkFinder) adjacent(i int) bool {
	return i > 0 && i < len(f.tokens) && f.tokens[i-1].end == f.tokens[i].start
}
