package gates

import (
	"slices"
	"strings"
)

// trail follows tests through a change: by id, or by the test's own name if a
// file or a test moved.
type trail struct {
	now map[string]Test // by the id in the reference: the test as it is after
	was map[string]Test // by the id after: the test as the reference has it
}

// follow finds the tests of a reference in the facts after the change. Each
// test after the change corresponds to at most one of the reference.
func (c *Premise) follow(reference, after Facts) trail {
	t := trail{now: map[string]Test{}, was: map[string]Test{}}
	now := map[string]Test{}
	for _, test := range after.Tests {
		now[test.ID] = test
	}
	for _, old := range reference.Tests {
		if same, ok := now[old.ID]; ok {
			t.link(old, same)
		}
	}
	for _, old := range t.lost(reference) {
		if moved, ok := t.moved(c.Change, old, after); ok {
			t.link(old, moved)
		}
	}
	t.renumber(c.Change, reference, after)
	return t
}

// Followed maps the id of each test of some facts of before to the id that it has after the
// change, if it is still there.
func (c Change) Followed(before, after Facts) map[string]string {
	out := map[string]string{}
	for id, now := range (&Premise{Change: c}).follow(before, after).now {
		out[id] = now.ID
	}
	return out
}

// Before is the other way round: the id that each test of some facts of after the change had.
func (c Change) Before(before, after Facts) map[string]string {
	out := map[string]string{}
	for id, was := range (&Premise{Change: c}).follow(before, after).was {
		out[id] = was.ID
	}
	return out
}

// lost are the tests of the reference that are not there after the change.
func (t trail) lost(reference Facts) []Test {
	return slices.DeleteFunc(slices.Clone(reference.Tests), func(old Test) bool { _, there := t.now[old.ID]; return there })
}

func (t trail) link(old, now Test) { t.now[old.ID], t.was[now.ID] = now, old }

// moved finds the test that an old one became: one of the same name, in the
// file to which its file or declaration moved, with the most similar id.
func (t trail) moved(change Change, old Test, after Facts) (Test, bool) {
	homes := newHomes(change, old)
	var best Test
	resembles := 0
	for _, now := range after.Tests {
		_, taken := t.was[now.ID]
		if taken || !slices.Contains(homes, now.File) {
			continue
		}
		sameName := leaf(now.ID) == leaf(old.ID) || strings.ReplaceAll(old.ID, old.File, now.File) == now.ID
		if n := commonSuffix(now.ID, old.ID); sameName && n > resembles {
			best, resembles = now, n
		}
	}
	return best, resembles > 0
}

// newHomes lists the files to which a test may have moved: the new place of its
// file, or, if that no longer declares it, the files that declare it now.
func newHomes(change Change, t Test) []string {
	if t.File == "" {
		return nil
	}
	var homes []string
	old, _ := change.from(t.File)
	if old.Renamed() {
		homes = append(homes, old.New.Path)
	}
	left := old.Old.Declares(t.ID) != "" && old.New.Declares(t.ID) == ""
	for _, f := range change.Files {
		if left && f.New.Declares(t.ID) != "" && f.Old.Declares(t.ID) == "" {
			homes = append(homes, f.New.Path)
		}
	}
	return homes
}

// Declares is the name under which a file declares the test of an id; empty if it does
// not. A case of a test ("TestSum/two", "sums::case_1") is declared by the test.
func (f *File) Declares(id string) string { return DeclaredName(sideOf(f).Declared, id) }

// DeclaredName is which of the names that a file declares the test of an id has;
// empty where none is.
func DeclaredName(declared []string, id string) string {
	// A title in words, as in JavaScript or Perl, is declared as a whole.
	is := func(title string) bool { return slices.Contains(declared, title) }
	if title, ok := Find([]string{leaf(id), id}, is); ok {
		return title
	}
	best := ""
	for _, title := range declared {
		if len(title) > len(best) && Titled(title, id) {
			best = title
		}
	}
	if best != "" {
		return best
	}
	within := id
	if file, rest, ok := strings.Cut(id, "::"); !ok {
		within = leaf(id) // without the import path of a Go package
	} else if strings.ContainsAny(file, "./") {
		within = rest // a file may be called as a test of it is
	}
	segments := strings.FieldsFunc(within, func(r rune) bool { return strings.ContainsRune(":/.[( ", r) })
	slices.Reverse(segments)
	name, _ := Find(segments, is)
	return name
}

// leaf is a test's own name, including its case if it has one: what follows the
// last "::", or the package of a Go test, or the last dot.
func leaf(id string) string {
	if i := strings.LastIndex(id, "::"); i >= 0 {
		return id[i+2:]
	}
	for _, prefix := range []string{".Test", ".Example", ".Fuzz", ".Benchmark"} {
		if i := strings.Index(id, prefix); i >= 0 {
			return id[i+1:]
		}
	}
	return id[strings.LastIndex(id, ".")+1:]
}

// commonSuffix is the length in bytes of the longest common suffix of two ids.
func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// gone lists the tests of a reference that are missing from the facts after the
// change.
func gone(c *Case, reference Facts) []Finding {
	if c.Derived && !c.Preserves() && !c.Retires() {
		return nil // what became of them is asked of the whole change
	}
	lost := slices.DeleteFunc(c.follow(reference, c.After).lost(reference), func(t Test) bool {
		return c.isOpen(t.ID) || c.drifted(t, c.After) // of what is open see the acceptance gate
	})
	return Each(lost, func(t Test) Finding {
		return about(Test{ID: t.ID, File: t.File}, "this test was there before and is gone",
			"put the test back; a step never removes, renames or hides one"+c.orRetire())
	})
}

// Missing lists the tests of before that are gone, although the commit leaves what they
// do and their place as they were. What stands before a test's name, as its rows do in
// Python and Java, may read otherwise: that is how ids are made to stay.
func Missing(c *Case) []Test {
	if !c.Before.Complete() || !c.After.Complete() {
		return nil
	}
	return slices.DeleteFunc(c.follow(c.Before, c.After).lost(c.Before), func(t Test) bool {
		f, changed := c.Change.from(t.File)
		name := f.Old.Declares(t.ID)
		return t.File == "" || changed && (name == "" && f.rewrites(t.File) || fromName(f.Old, name) != fromName(f.New, name))
	})
}

// Uncrossed lists the passing tests of before that did not run when the tests as they were
// ran with the new sources.
func Uncrossed(c *Case) []Test {
	if !c.Before.Complete() || !c.Crossed.Complete() {
		return nil
	}
	found := c.follow(c.Before, *c.Crossed).now
	return slices.DeleteFunc(c.Before.With(StatusPassed), func(t Test) bool { return found[t.ID].ID != "" })
}

// fromName is the text of a test from its name on.
func fromName(f *File, name string) string {
	text := ownText(f, name)
	return text[max(0, strings.Index(text, name)):]
}

// retitles reports whether a test only has another title than one of its file that is gone.
func (c Change) retitles(id string) bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		title := f.New.Declares(id)
		if title == "" || f.Old == nil || slices.Contains(f.Old.Declared, title) {
			return false
		}
		return slices.ContainsFunc(without(f.Old.Declared, f.New.Declared), func(old string) bool {
			return untitled(f.Old, old) == untitled(f.New, title)
		})
	})
}

// drifted reports whether a test of before has an id that changes from run to run, and no
// fewer tests of its file pass now.
func (c *Case) drifted(t Test, now Facts) bool {
	return slices.Contains(c.Unsteady, t.ID) && passing(t.File, now) >= passing(t.File, c.Before)
}

// Drifting reports whether a test stands in a file with tests whose ids change from run to
// run.
func (c *Case) Drifting(t Test) bool {
	return slices.ContainsFunc(c.Unsteady, func(id string) bool {
		was, _ := c.Before.Lookup(id)
		return was.File == t.File
	})
}

// passing counts the passing tests of a file.
func passing(file string, f Facts) int {
	return len(slices.DeleteFunc(f.With(StatusPassed), func(t Test) bool { return t.File != file }))
}

// silenced lists the tests of a reference that ran then and are skipped now.
func silenced(c *Case, reference Facts) []Finding {
	var out []Finding
	found := c.follow(reference, c.After).now
	for _, t := range reference.Tests {
		if now := found[t.ID]; now.Status == StatusSkipped && t.Status != StatusSkipped {
			now.ID = t.ID
			out = append(out, about(now, "this test ran before and is skipped now", "let it run again; a skipped test proves nothing"))
		}
	}
	return out
}

// lost lists the tests of a reference that are gone, silenced or shadowed.
func lost(c *Case, reference Facts) []Finding {
	return slices.Concat(gone(c, reference), silenced(c, reference), shadowed(c, reference))
}

// NewTests lists the tests of a case that were not there before, under any name.
func NewTests(c *Case) []Test {
	was := c.follow(c.Before, c.After).was
	return slices.DeleteFunc(slices.Clone(c.After.Tests), func(t Test) bool { _, ok := was[t.ID]; return ok })
}
