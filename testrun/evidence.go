package testrun

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

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
	return []Edit{
		{Span: Span{Start: at.Start, End: at.Start}, Text: before},
		{Span: Span{Start: at.End, End: at.End}, Text: behind},
	}
}

// Way is how an expected value is altered.
type Way int

// The ways of altering a value.
const (
	Other Way = iota // to any other
	Up               // to one that is far above
	Down             // to one that is far below
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
	Line int
	Rank int    // how much it tells: the lower, the more
	What string // in words, as "< for <="
	Edit Edit
	// Lines is set if it replaces whole lines with what was there before a change.
	Lines bool
}

// MutantOf is the mutant of a source that an edit makes; what says it in words.
func MutantOf(content string, e Edit, what string) Mutant {
	return Mutant{Line: 1 + strings.Count(content[:e.Start], "\n"), What: what, Edit: e}
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
// stands for something else: escapes, verbs, what stands in braces. It is the same
// text where there is no other letter.
func OtherCase(literal string) string {
	const plain, escaped, verb, braces = 0, 1, 2, 3
	state := plain
	quote := max(0, strings.IndexAny(literal, "\"'`"))
	return literal[:quote] + strings.Map(func(r rune) rune {
		was := state
		switch {
		case was == plain && r == '\\':
			state = escaped
		case was == plain && r == '%':
			state = verb
		case was == plain && r == '{':
			state = braces
		case was == escaped, was == verb && unicode.IsLetter(r), was == verb && r == '%', was == braces && r == '}':
			state = plain
		}
		switch {
		case was != plain || state != plain:
			return r
		case unicode.IsUpper(r):
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, literal[quote:])
}

// Awareness is how sources of a language find out that they are tested, or reach
// into what tests them. Each pattern is looked for line by line; nil finds nothing.
type Awareness struct {
	// Asks finds what a program has no other use for.
	Asks *lazyregexp.Regexp
	// Leaves finds what only a program may do, no library: to leave the process, to
	// read its arguments.
	Leaves *lazyregexp.Regexp
	// Helps finds, in a whole source, the import of a test framework: then the file
	// is there for tests, whatever its name.
	Helps *lazyregexp.Regexp
	// Program finds what makes a file a program.
	Program *lazyregexp.Regexp
}

// asksAnywherePattern finds what asks in any language.
var asksAnywherePattern = lazyregexp.New(`/proc/(?:self|\d|%d|\$)|\b(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?|` +
	`BATS_\w+|PHPUNIT_\w+|GTEST_\w+|NEXTEST(?:_\w+)?|TDD_\w+|GIT_TDD\w*)\b`)

// In lists, by line, the words with which a source asks whether it is tested.
func (a Awareness) In(source string) map[int]string {
	out := map[int]string{}
	program := found(a.Program, source) != ""
	n := 0
	for line := range strings.Lines(source) {
		n++
		said := asksAnywherePattern.FindString(line)
		if said == "" {
			said = found(a.Asks, line)
		}
		if said == "" && !program {
			said = found(a.Leaves, line)
		}
		if said != "" {
			out[n] = strings.TrimSpace(said)
		}
	}
	return out
}

// ForTests reports whether a source is there for tests only.
func (a Awareness) ForTests(source string) bool { return found(a.Helps, source) != "" }

func found(pattern *lazyregexp.Regexp, text string) string {
	if pattern == nil {
		return ""
	}
	return pattern.FindString(text)
}
