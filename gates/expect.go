package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// What tests expect may move: into a helper, a table, rows that no reader of their
// language finds. So what is counted are the values that checks compare with, wherever
// the text of the tests spells them out now.

// wording is all that the tests of some files spell out.
type wording struct {
	text     string
	expected []string // the values that checks compare with
	bare     int      // checks without one
}

// wordings are those of the tests of before and of now.
func (c Change) wordings() (was, now wording) {
	for _, f := range c.Files {
		was.add(f.Old)
		now.add(f.New)
	}
	return was, now
}

func (w *wording) add(f *File) {
	if f == nil {
		return
	}
	w.text += plainly(f.Test) + "\n"
	w.bare += f.Bare
	for _, v := range f.Expected {
		if slices.Contains(constants(), v) {
			w.bare++ // that a result is true or nothing is also what a check of no value says
		} else {
			w.expected = append(w.expected, plainly(v))
		}
	}
}

var (
	plainPattern = lazyregexp.New(`^[\w.]+$`)
	wordPattern  = lazyregexp.New(`\w[\w.]*`)
)

// has counts the places in which a value is spelled out.
func (w *wording) has(value string) int {
	switch {
	case value == "":
		return strings.Count(w.text, `""`) + strings.Count(w.text, "''")
	case strings.Contains(value, `\n`) || strings.Contains(value, "\n"):
		return strings.Count(unbroken(w.text), unbroken(value))
	case !plainPattern.MatchString(value):
		return strings.Count(w.text, value)
	}
	n := 0
	for _, word := range wordPattern().FindAllString(w.text, -1) {
		if strings.TrimRight(word, ".") == value {
			n++
		}
	}
	return n
}

// unbroken is a text without what lays it out: lines of a text may stand one below the other.
func unbroken(text string) string { return layoutPattern().ReplaceAllString(text, "") }

var layoutPattern = lazyregexp.New(`\s|\\[nt\n]`)

// Tidies reports whether a change adds nothing to what tests expect, and takes nothing
// away, as far as their text shows.
func (c *Case) Tidies() bool { return c.takenAway() == "" && c.addedValue() == "" }

// takenAway is something that tests expected and do not any longer; empty if there is
// nothing. A value may stand in one place for several tests, if each of those still runs.
// It may be in a row that no reader finds, if a check compares with a name now.
func (c *Case) takenAway() string {
	if c.Change.onlyCutsCopies() {
		return ""
	}
	was, now := c.Change.wordings()
	lost, gained := more(was.expected, now.expected), more(now.expected, was.expected)
	if v := c.Change.scattered(); v != "" && c.losesTests() {
		return v
	}
	kept := c.After.leaves() >= c.reference().leaves()
	if !kept && c.losesTests() && now.onlyCutFrom(was) {
		return "the check of a test that is gone"
	}
	unsaid := slices.IndexFunc(lost, func(v string) bool {
		n, before := now.has(v), len(slices.DeleteFunc(slices.Clone(was.expected), func(o string) bool { return o != v }))
		empty := (v == "0" || v == "") && now.bare > was.bare // that something is, a check of no value says as well
		return (!kept || n == 0 && !empty) && (now.bare <= was.bare || n < before)
	})
	if unsaid >= 0 && (len(lost) > len(gained) || c.losesTests()) {
		return lost[unsaid]
	}
	checks := len(gained) + now.bare - len(lost) - was.bare
	if checks >= 0 || c.Change.addsAssertion() || c.Change.namesTestAnew() {
		return "" // one check of a helper may do what several did, or that of the test that they became
	}
	return c.fewerChecks()
}

// fewerChecks is an assertion that is gone, or what is said of a test whose checks no
// reader knows, such as an alias of one.
func (c *Case) fewerChecks() string {
	before, now := c.Change.assertions()
	if gone := without(before, now); len(gone) > 0 {
		return firstLine(slices.Min(gone))
	}
	if c.losesTests() {
		return "the check of a test that is gone"
	}
	return ""
}

// onlyCutFrom reports whether all lines were there before: then nothing took over what a
// test that is gone did.
func (w *wording) onlyCutFrom(was wording) bool {
	lines := trimmed(was.text)
	return !slices.ContainsFunc(trimmed(w.text), func(line string) bool { return !slices.Contains(lines, line) })
}

// namesTestAnew reports whether a test has a name that none had before, in any file.
func (c Change) namesTestAnew() bool {
	was, now := c.declarations()
	return slices.ContainsFunc(now, func(name string) bool { return !slices.Contains(was, name) })
}

// losesTests reports whether a test of before is gone.
func (c *Case) losesTests() bool {
	return len(c.follow(c.reference(), c.After).lost(c.reference())) > 0
}

// addedValue is a value that tests expect now, and that they spell out more often than
// before; empty if there is none.
func (c *Case) addedValue() string {
	was, now := c.Change.wordings()
	gained := more(now.expected, was.expected)
	for _, v := range gained {
		if now.has(v) > was.has(v) && len(gained) > was.bare-now.bare { // a helper of several checks is told how many
			return v
		}
	}
	return c.addedRow(was, now)
}

// addedRow is an assertion with a value that is new, in a row that no reader follows to
// what it is compared with: where there are more assertions than before, and no test is
// gone whose values could have become rows.
func (c *Case) addedRow(was, now wording) string {
	before, after := c.Change.assertions()
	gone, come := without(before, after), without(after, before)
	if len(come) <= len(gone) || len(gone) > 0 && c.losesTests() {
		return ""
	}
	isNew := func(v string) bool { return !strings.ContainsAny(v, " %") && now.has(v) > was.has(v) } // and no message
	come = slices.DeleteFunc(come, func(a string) bool { return !slices.ContainsFunc(literals(plainly(a)), isNew) })
	if len(come) == 0 {
		return ""
	}
	return firstLine(slices.Min(come))
}

// more lists what occurs more often than in another list, once for each time.
func more(list, than []string) []string { return slices.Sorted(slices.Values(without(list, than))) }

// fewerOrMore refuses a refactoring after which tests expect less, or more.
func fewerOrMore(c *Case) []Finding {
	what, value := "takes away", c.takenAway()
	if value == "" {
		what, value = "adds to", c.addedValue()
	}
	if value == "" {
		return nil
	}
	return []Finding{objection(fmt.Sprintf("the refactoring %s what tests expect: %q", what, value),
		"keep what is expected; a refactoring changes how, and the tester's next step (test:) what")}
}
