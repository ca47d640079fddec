package syntax

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
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
	// Negated turns the check's sense round. Empty where that cannot be done.
	Negated []Edit
}

// Written is where the values that a check expects are written out.
func (c Check) Written() []Span {
	if len(c.Values) > 0 {
		return c.Values
	}
	out := make([]Span, 0, len(c.Altered))
	for _, e := range c.Altered {
		out = append(out, e.Span)
	}
	return out
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

// OtherCase is the text of a literal with its letters in the other case, but for what
// stands for something else: escapes, verbs, names, what stands in braces. It is the same
// text where there is no other letter.
func OtherCase(literal string) string {
	quote := max(0, strings.IndexAny(literal, "\"'`"))
	var c otherCase
	return literal[:quote] + strings.Map(c.of, literal[quote:])
}

// otherCase is where in a literal the letters are: 0 in plain text, or behind the sign that
// begins something else.
type otherCase rune

func (c *otherCase) of(r rune) rune {
	letter := unicode.IsLetter(r)
	if *c == '$' && r != '_' && r != '{' && !letter && !unicode.IsDigit(r) {
		*c = 0
	}
	was := *c
	switch {
	case was == 0 && strings.ContainsRune(`$\%`, r), r == '{' && (was == 0 || was == '$'):
		*c = otherCase(r)
	case was == '\\', was == '%' && (letter || r == '%'), was == '{' && r == '}':
		*c = 0
	}
	switch {
	case was != 0 || *c != 0:
		return r
	case unicode.IsUpper(r):
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}
