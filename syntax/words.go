package syntax

// WordBlocks is how words make the blocks of a language, as do … end: such a block is a
// group, as one in braces is.
type WordBlocks struct {
	End  string   // closes a block
	Open []string // open one wherever they stand
	// First lists those that open one only where a statement or a value begins, and ask
	// something behind a statement; After, the words behind which one begins.
	First, After []string
	// Loops lists those that may have a do on their line, which opens none.
	Loops []string
	// None reports whether a word is only a name at token i, or has no block there.
	None func(t *Tree, i int) bool
	// Ends reports whether a statement ends with the line before token i.
	Ends func(t *Tree, i int) bool
}

// opens reports whether a word opens a block at token i, if around is the innermost
// bracket around it.
func (t *Tree) opens(i, around int) bool {
	w := t.page.Words
	switch {
	case w == nil || !t.Named(i) || !t.Is(i, w.Open...) && !t.Is(i, w.First...) || w.None(t, i):
		return false
	case t.Is(i, w.Open...):
		ends := func(k int) bool { return t.ended(k) || t.Is(k, ";") } // a statement
		return !t.Is(i, "do") || !t.Is(around, w.Loops...) || (Expr{around + 1, min(i, around+most) + 1}).Where(ends) >= 0
	}
	return i == 0 || t.ended(i) || t.Kind(i-1) == Sign && !t.Closes(i-1) || t.Is(i-1, w.After...)
}

// shuts reports whether a word closes a block at token i.
func (t *Tree) shuts(i int) bool {
	w := t.page.Words
	return w != nil && t.Is(i, w.End) && !w.None(t, i)
}

// closing is what closes the group that token i opens.
func (t *Tree) closing(i int) string {
	if t.Named(i) {
		return t.page.Words.End
	}
	return map[string]string{"(": ")", "[": "]", "{": "}"}[t.Word(i)]
}

// Starts reports whether a statement begins with token i, which no bracket is around that
// holds values. The page must have Words.
func (t *Tree) Starts(i int) bool {
	return i == 0 || (t.ended(i) || t.Is(i-1, ";", "{") || t.Is(i-1, t.page.Words.After...)) && !t.Is(t.around[i], "(", "[")
}
