package syntax

import "slices"

// End is the place behind the expression that begins at token i: before a comma, a
// semicolon, the end of the group around and, where lines end statements, the line on
// which it cannot go on.
func (t *Tree) End(i int) int {
	for at := i; at < len(t.tokens); {
		switch {
		case t.Is(at, ",", ";"), t.Closes(at), at > i && t.ended(at):
			return at
		default:
			at = t.Types(at, len(t.tokens))
		}
	}
	return len(t.tokens)
}

// ListEnd is the place behind the list of expressions that begins at token i.
func (t *Tree) ListEnd(i int) int {
	end := t.End(i)
	for t.Is(end, ",") {
		end = t.End(end + 1)
	}
	return end
}

// ended reports whether a statement ends with the line before token i.
func (t *Tree) ended(i int) bool {
	if words := t.page.Words; words != nil {
		return t.Broken(i) && !t.joined(i) && words.Ends(t, i)
	}
	return t.page.Newlines && t.Broken(i) && (t.page.Insists || t.begins(i)) && !t.Continues(i-1)
}

// begins reports whether a statement can begin with token i.
func (t *Tree) begins(i int) bool {
	switch t.Kind(i) {
	case Word:
		return !slices.Contains(t.page.Between, t.Word(i))
	case Sign:
		return t.Is(i, "{", "}", "++", "--", "@")
	case Number, Text, Pattern:
	}
	return true
}

// Continues reports whether something must follow token i.
func (t *Tree) Continues(i int) bool {
	switch t.Kind(i) {
	case Word:
		return slices.Contains(t.page.Between, t.Word(i)) || slices.Contains(t.page.Lexis.Before, t.Word(i))
	case Sign:
		return !t.Closes(i) && !t.Is(i, "++", "--", "!!")
	case Number, Text, Pattern:
	}
	return false
}
