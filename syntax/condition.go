package syntax

import "slices"

// Sense is what a condition must be for a test to pass.
type Sense bool

// Decided alters what a condition expects, so that it is no longer what it must be for
// the test to pass. Nothing comes of a condition that no other value would decide.
func (f *Finder) Decided(e Expr, passes Sense) []Edit {
	for _, joint := range []string{"||", "or", "&&", "and"} {
		if parts := f.Split(e, joint); len(parts) > 1 {
			var edits []Edit
			for _, part := range parts {
				edits = append(edits, f.Decided(part, passes)...)
			}
			return edits
		}
	}
	at := f.comparison(e)
	switch {
	case e.Empty(), f.Find(e, "if", "lambda", ":=") >= 0:
		return nil
	case f.Is(e.From, "not"):
		return f.Decided(Expr{e.From + 1, e.To}, !passes)
	case at > e.From:
		return f.compared(Expr{e.From, at}, f.Word(at), Expr{at + 1, e.To}, passes)
	case f.Is(e.From, "!"):
		return f.Decided(Expr{e.From + 1, e.To}, !passes)
	case f.Whole(e):
		return f.Decided(f.Inside(e.From), passes)
	case bool(passes) == (f.Find(e, "not") > e.From): // not in, is not
		return nil
	}
	return f.asked(e)
}

// asked alters what a call compares with that must say yes.
func (f *Finder) asked(e Expr) []Edit {
	if asked := f.page.Values.Asked; asked != nil {
		if edits := asked(f, e); edits != nil {
			return edits
		}
	}
	if open := f.Opening(e.To - 1); open > e.From && f.Is(open, "(") && slices.Contains(f.page.Values.Asks, f.Word(open-1)) {
		return f.Last(f.Args(open))
	}
	return nil
}

// comparison is the place of the operator that compares in an expression; -1 if none
// does. The angles of types are none.
func (f *Finder) comparison(e Expr) int {
	for i := e.From; i < e.To; {
		switch {
		case f.Kind(i) == Sign && f.Is(i, "===", "==", "!==", "!=", "<=", ">=", ">"):
			return i
		case f.Kind(i) == Sign && f.Is(i, "<"):
			behind := f.Types(i, e.To)
			if behind == i+1 {
				return i
			}
			i = behind
		default:
			i = f.Group(i)
		}
	}
	return -1
}

// compared is Decided for a comparison.
func (f *Finder) compared(left Expr, operator string, right Expr, passes Sense) []Edit {
	switch {
	case operator[0] == '<':
		return f.Sides(left, right, map[Sense]Way{true: Down, false: Up}[passes])
	case operator[0] == '>':
		return f.Sides(left, right, map[Sense]Way{true: Up, false: Down}[passes])
	case passes == Sense(operator[0] == '='):
		return f.Last([]Expr{left, right})
	}
	return nil
}

// Sides alters the right side of a comparison, or the left one to the same end.
func (f *Finder) Sides(left, right Expr, to Way) []Edit {
	if edits := f.Altered(right, to); edits != nil {
		return edits
	}
	return f.Altered(left, to.Opposite())
}
