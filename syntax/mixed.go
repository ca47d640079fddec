package syntax

import (
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// contraries are names, two by two, that are easily taken for each other.
const contraries = `min max  low high  lo hi  lower upper  start end  begin end  first last  from to  left right  width height  col row
	column row  cols rows  columns rows  old new  before after  prev next  previous current  key value  src dst  source target
	input output  added removed`

// mixedWithin is how many tokens back a name is looked for that may have been meant.
const mixedWithin = 150

// mixed notes, in the place of the name at token i, one that reads nearly like it and was used
// or declared a little before, of the same receiver: maxWidth for minWidth. One a line is enough.
func (m *mutator) mixed(i int) {
	if !m.uses(i) || m.mixedAt > 0 && !strings.Contains(m.Text[m.mixedAt:m.tokens[i].Start], "\n") {
		return
	}
	other := -1
	for k := i - 1; k > max(-1, i-mixedWithin) && (other < 0 || !confusable(m.Tree.Word(other), m.Tree.Word(i))); k-- {
		switch {
		case !m.Named(k) || m.Is(k+1, "(") != m.Is(i+1, "(") || m.receiver(k) != m.receiver(i) || m.Tree.Word(k) == m.Tree.Word(i) || m.key(k):
		case confusable(m.Tree.Word(k), m.Tree.Word(i)), other < 0 && m.alone(i) && m.given(k, i):
			other = k
		}
	}
	if other >= 0 {
		m.note(Slip, Expr{i, i + 1}, m.Tree.Word(other))
		m.mixedAt = m.tokens[i].Start
	}
}

// key reports whether the name at token k only says what stands behind it: an argument, an entry,
// a field.
func (m *mutator) key(k int) bool {
	brackets := m.Is(m.Around(k), "(")
	return brackets && m.Is(k+1, "=") && !m.byDefault(k+2) || !brackets && m.Is(k+1, ":")
}

// alone reports whether the name at token i is all that a call is given in its place: there,
// one that was given a value last may have been meant.
func (m *mutator) alone(i int) bool {
	open := m.Around(i)
	return m.Is(open, "(") && m.Named(open-1) && !m.Continues(open-1) && m.Is(i-1, "(", ",") && m.Is(i+1, ")", ",")
}

// given reports whether a variable is given a value at token k that it has at token i: a
// statement begins in between.
func (m *mutator) given(k, i int) bool {
	line := m.Text[strings.LastIndexByte(m.Text[:m.tokens[k].Start], '\n')+1:]
	if !m.Is(k+1, "=", ":=") || m.Is(m.Around(k), "(") || line[0] != ' ' && line[0] != '\t' || unicode.IsUpper([]rune(m.Tree.Word(k))[0]) {
		return false
	}
	for j := k + 2; j < i; j++ {
		if m.Around(j) == m.Around(k) && (m.Is(j, ";") || m.Broken(j) && !m.Is(j, ".", "?.")) {
			return true
		}
	}
	return false
}

// uses reports whether token i is a name that is used there, and neither declared, nor given a
// value, nor a key: { x, y }.
func (m *mutator) uses(i int) bool {
	inside := len(m.ends) > 0 || m.Type == nil
	key := m.Is(m.Around(i), "{") && m.Is(i-1, "{", ",") && m.Is(i+1, "}", ",")
	return inside && !key && m.Named(i) && !m.Is(i+1, "=", ":=", ":") && !m.Is(i-1, "def", "fn", "func", "function", "fun", "let", "const", "var", "class") &&
		(m.page.Declares == nil || !m.page.Declares(m.Tree, i))
}

// receiver is what stands before the name at token i with a dot, or with what else does the
// same; empty if nothing does.
func (t *Tree) receiver(i int) string {
	if !t.Is(i-1, ".", "?.", "&.", "->", "::") {
		return ""
	}
	return t.receiver(i-2) + t.Word(i-2) + t.Word(i-1)
}

// confusable reports whether one of two names is easily taken for the other: they are put
// together of the same words but for one, or that one is missing, or are contraries.
func confusable(a, b string) bool {
	v, w := nameWords(a), nameWords(b)
	if a == b || len(v) == 0 || len(w) == 0 || unicode.IsUpper([]rune(a)[0]) != unicode.IsUpper([]rune(b)[0]) {
		return false
	}
	if len(v) > len(w) {
		v, w = w, v
	}
	same, rest := 0, len(v)
	for same < len(v) && v[same] == w[same] {
		same++
	}
	for rest > same && v[rest-1] == w[rest-1+len(w)-len(v)] {
		rest--
	}
	switch {
	case len(w) == 1:
		return second(contraries, v[0]) == w[0] || second(contraries, w[0]) == v[0]
	case len(v) == len(w):
		return rest-same == 1
	}
	return len(w) == len(v)+1 && rest == same
}

// wordPattern matches a word of a name: max and Width of maxWidth, MAX and WIDTH of MAX_WIDTH.
var wordPattern = lazyregexp.New(`\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\d+`)

// nameWords are the words of a name, in small letters.
func nameWords(name string) []string {
	words := wordPattern().FindAllString(name, -1)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}
