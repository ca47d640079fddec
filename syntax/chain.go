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
		for depth := 0; at < t.Len(); at++ {
			switch t.Word(at) {
			case "<":
				depth++
			case ">":
				depth--
			case ">>":
				depth -= 2
			case "(", "[", "{":
				at = t.Group(at) - 1
			case ";", "=", "&&", "||":
				return -1
			}
			if depth <= 0 {
				break
			}
		}
		at++
	}
	if t.Is(at, "(") {
		return at
	}
	return -1
}
