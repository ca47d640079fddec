package gates

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Retires reports whether a commit takes behaviour and its tests away together,
// and is one that may.
func (c *Premise) Retires() bool {
	return c.Special == Retired && !c.Agent && !c.Merge && (c.Plays == Refactorer || c.Plays == "" && c.FixupOf == "")
}

// retired judges a commit that takes behaviour away: sources become less, and each
// test that is gone names something that no source names any longer. What
// it leaves of the tests, it leaves as it was, or as strong.
func retired(c *Case) []Finding {
	var out []Finding
	if added, deleted := c.Change.sourceLines(); deleted <= added {
		out = append(out, objection(fmt.Sprintf("no behaviour goes: %d lines of sources are added and %d deleted", added, deleted),
			"take the code away that the tests are about, or put the tests back"))
	}
	trail := c.follow(c.reference(), c.After)
	open := slices.DeleteFunc(c.reference().With(StatusFailed), func(t Test) bool { return !c.isOpen(t.ID) })
	for _, t := range append(c.reference().With(StatusPassed), open...) {
		now, kept := trail.now[t.ID]
		came, went := c.Change.textOf(t)
		about := c.LosesGone(t)
		f := Finding{Path: t.File, Test: t.ID}
		switch {
		case kept && now.Status == StatusSkipped:
			f.Seen, f.Remedy = "this test ran before and is skipped now", "let it run, or take it away"
		case kept && (len(came) > 0 || len(went) > 0 && !about):
			f.Seen, f.Remedy = "this test stays, and reads otherwise", "change it in a commit of its own"
		case kept:
			continue
		case c.stillPasses(t):
			f.Seen, f.Remedy = "this test is gone, but it would still pass against the new sources", "put it back; only tests of what the commit takes away may go with it"
		case !about:
			f.Seen, f.Remedy = "this test is gone, but what it is about is still in the sources", "put it back; only tests of what the commit takes away may go with it"
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// LosesGone reports whether the text of a test of before loses a name of what a retirement
// takes away. An example in documentation has no text that a file declares: it is called
// after what it explains.
func (c *Case) LosesGone(t Test) bool {
	_, went := c.Change.textOf(t)
	if declared := func(f FileChange) bool { return f.Old.Declares(t.ID) != "" }; !slices.ContainsFunc(c.Change.Files, declared) {
		_, item, _ := strings.Cut(t.ID, t.File)
		went = slices.DeleteFunc(Identifiers(item), func(word string) bool { return word[0] <= '9' })
	}
	return slices.ContainsFunc(went, func(word string) bool { return c.Vanished[word] })
}

// stillPasses reports whether a test of before passes with the new sources, as far
// as that could be measured.
func (c *Case) stillPasses(t Test) bool {
	return c.Crossed != nil && c.Crossed.Complete() && c.follow(c.reference(), *c.Crossed).now[t.ID].Status == StatusPassed
}

// sourceLines counts the lines of sources that a change adds and deletes.
func (c Change) sourceLines() (added, deleted int) {
	for _, f := range c.Files {
		if sideOf(f.Old).Kind == KindSource || sideOf(f.New).Kind == KindSource {
			added, deleted = added+f.Source.Added, deleted+f.Source.Deleted
		}
	}
	return added, deleted
}

// textOf lists the words that the text of a test gains and loses by a change.
func (c Change) textOf(t Test) (came, went []string) {
	for _, f := range c.Files {
		name := f.Old.Declares(t.ID)
		if name == "" || t.File != "" && t.File != f.Old.Path {
			continue
		}
		was, now := Identifiers(ownText(f.Old, name)), Identifiers(ownText(f.New, name))
		return without(now, was), without(was, now)
	}
	return nil, nil
}

// without is a list less what another one has, one for one.
func without(list, other []string) []string {
	has := map[string]int{}
	for _, s := range other {
		has[s]++
	}
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { has[s]--; return has[s] >= 0 })
}

// Among reports whether a list has all words of another one, as often as that.
func Among(words, all []string) bool { return len(without(words, all)) == 0 }

// Identifiers lists the words of a text that could be names: letters, digits and
// underscores.
func Identifiers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
