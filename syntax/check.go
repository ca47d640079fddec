package syntax

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Check is a place at which a test decides whether it passes.
type Check struct {
	// Test is the name, as Declared has it, of the test in whose body the check
	// stands, with those of the suites around it where they tell tests of one name
	// apart: "suite::test". Empty for a helper, which may serve many.
	Test string
	// Unit tells apart the parts of a test that are judged by themselves: its
	// sub-tests. Any text will do, the same for all checks of a part.
	Unit string
	// Guard marks a check that only guards what follows: that there was no error,
	// that a file could be opened.
	Guard bool
	// Call marks a call of a helper, of which nobody knows which argument is what
	// is expected: it counts where nothing else in its unit is altered.
	Call bool
	At   Span
	// Body is the text of the test, if its file may hold several of one name. One of
	// them without any check has one that neither alters nor negates anything.
	Body Span
	// Values is where what is expected is written out, if Altered does not replace
	// it there but where it is used.
	Values []Span
	// Altered makes the check expect another value: one that is written out in the
	// test, and that no code under test has a hand in. Empty where there is none.
	Altered []Edit
	// Partial is set if it goes through a table, of which some rows expect nothing that could be
	// altered.
	Partial bool
	// Negated turns the check's sense round. Empty where that cannot be done.
	Negated []Edit
}

// Written is where the values that a check expects are written out.
func (c Check) Written() []Span {
	if len(c.Values) > 0 {
		return c.Values
	}
	return gates.Each(c.Altered, func(e Edit) Span { return e.Span })
}

// Mutant is a small change of a source after which a test that checks what the
// source does should fail.
type Mutant struct {
	Line  int
	Rank  int    // how much it tells: the lower, the more
	What  string // in words, as "< for <="
	Edit  Edit
	Shown string // what people are shown in the place of the edit's text; empty for that
	// Lines is set if it replaces whole lines with what was there before a change.
	Lines  bool
	Result bool // it is another value than one that a function returns or prints
	// Default is set if it is another value for a parameter that a call leaves out.
	Default bool
	Subtle  bool // good tests miss it, so that it is only tried where all is to be known
	// Done is what does the same as a result that stands alone, and returns nothing.
	Done string
}

// MutantOf is the mutant of a source that an edit makes; what says it in words.
func MutantOf(content string, e Edit, what string) Mutant {
	return Mutant{Line: 1 + strings.Count(content[:e.Start], "\n"), What: what, Edit: e}
}

// Never is what a mutant that turns a condition round leaves untried: that it never holds.
// A test of what must not happen passes where more of that is prevented.
func (m Mutant) Never(content string) (never Mutant, ok bool) {
	cond := content[m.Edit.Start:m.Edit.End]
	by := map[string]string{"!(" + cond + ")": "((" + cond + ") && false)", "not (" + cond + ")": " ((" + cond + ") and False)"}[strings.TrimSpace(m.Edit.Text)]
	m.Edit.Text, m.What = by, "never "+cond
	return m, by != ""
}

// MostTelling lists, for each line, the mutant that tells most, the first of those that
// tell as much; and the others by themselves.
func MostTelling(list []Mutant) (first, rest []Mutant) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Mutant) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rank, b.Rank)) })
	for i, m := range list {
		if i > 0 && list[i-1].Line == m.Line {
			rest = append(rest, m)
		} else {
			first = append(first, m)
		}
	}
	return first, rest
}

// standsPattern matches what stands for something else in a literal: an escape, a verb, a
// name, what stands in braces.
var standsPattern = lazyregexp.New(`(?s)\\.|%[^\pL%]*[\pL%]?|\$?\{[^}]*\}?|\$[_\pL\p{Nd}]*`)

// OtherCase is the text of a literal with its letters in the other case, but for what
// stands for something else. It is the same text where there is no other letter.
func OtherCase(literal string) string {
	at := max(0, strings.IndexAny(literal, "\"'`"))
	var out strings.Builder
	out.WriteString(literal[:at])
	rest, done := literal[at:], 0
	for _, stands := range append(standsPattern().FindAllStringIndex(rest, -1), []int{len(rest), len(rest)}) {
		out.WriteString(strings.Map(otherCase, rest[done:stands[0]]) + rest[stands[0]:stands[1]])
		done = stands[1]
	}
	return out.String()
}

// otherCase is a letter in the other case.
func otherCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// Span is a part of a text, from byte Start to before byte End.
type Span struct{ Start, End int }

// Edit puts another text in the place of a part of a file.
type Edit struct {
	Span
	Text string
}

// Apply makes edits that do not overlap, in any order. One that overlaps an edit
// before it is left out.
func Apply(content string, edits []Edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(content) {
			continue
		}
		out.WriteString(content[at:e.Start])
		out.WriteString(e.Text)
		at = e.End
	}
	out.WriteString(content[at:])
	return out.String()
}

// Around puts texts before and behind a part of a text.
func Around(at Span, before, behind string) []Edit {
	return []Edit{{Span{at.Start, at.Start}, before}, {Span{at.End, at.End}, behind}}
}

// Way is how an expected value is altered.
type Way int

// The ways of altering a value.
const (
	Other Way = iota // to any other
	Up               // to one that is far above
	Down             // to one that is far below
)

// Opposite is how the value on the other side of a comparison is altered to the same end.
func (w Way) Opposite() Way { return map[Way]Way{Up: Down, Down: Up}[w] }

// firstHalf is a text of several words without its second half, placeholders left whole;
// empty for all others.
func firstHalf(text string) string {
	quote, deep, best := text[len(text)-1], 0, 0
	open := strings.IndexByte(text, quote)
	if open < 0 || open+2 >= len(text) || text[open+1] == quote || strings.Contains(text, "\n") {
		return ""
	}
	middle := (open + len(text)) / 2
	for i := open + 1; i < len(text)-1; i++ {
		switch text[i] {
		case '{':
			deep++
		case '}':
			deep--
		case ' ':
			if deep == 0 && max(middle-i, i-middle) < max(middle-best, best-middle) {
				best = i
			}
		}
	}
	if best == 0 {
		return ""
	}
	return text[:best] + string(quote)
}
