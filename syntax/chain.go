package syntax

// Link is a name in a chain, as c and d in "a(b).c.d(e)", and the bracket with what it is
// called with; -1 if it is not called.
type Link struct{ Name, Open int }

// Called reports whether it is called.
func (l Link) Called() bool { return l.Open >= 0 }

// Chain lists what is chained to what ends before a place.
func (t *Tree) Chain(at int) []Link {
	var out []Link
	for t.Is(at, ".", "?.") && t.Named(at+1) {
		l := Link{at + 1, t.Arguments(at + 2)}
		out = append(out, l)
		at = t.LinkEnd(l)
	}
	return out
}

// LinkEnd is the place behind a link.
func (t *Tree) LinkEnd(l Link) int {
	if l.Called() {
		return t.Group(l.Open)
	}
	return l.Name + 1
}

// Arguments is the bracket with the arguments of a call whose name ends before a place:
// type arguments may come first. It is -1 if there is none.
func (t *Tree) Arguments(at int) int {
	if t.Is(at, "<") {
		at = t.angle(at, t.Len(), func(k int) bool { return !t.Is(k, "=", "&&", "||") })
	}
	if t.Is(at, "(") {
		return at
	}
	return -1
}

// Types is the place behind the types that the angle at i opens, or behind the group;
// behind token i alone if it opens neither.
func (t *Tree) Types(i, end int) int {
	if !t.Is(i, "<") {
		return t.Group(i)
	}
	sure := t.Is(i-1, "::")
	return t.angle(i, end, func(k int) bool {
		return sure && !t.Is(k, ";") || t.Named(k) || t.Is(k, ",", ".", "::", "?", "&", "*", "[", "]")
	})
}

// angle is the place behind the angle that closes the one at token i, if only what is
// within may stand between them; behind token i alone if none does.
func (t *Tree) angle(i, end int, within func(k int) bool) int {
	depth := 0
	for k := i; k < min(end, i+most); k++ {
		switch w := t.Word(k); {
		case w == "<":
			depth++
		case w == ">" || w == ">>":
			if depth -= len(w); depth <= 0 {
				return k + 1
			}
		case !within(k):
			return i + 1
		}
	}
	return i + 1
}
