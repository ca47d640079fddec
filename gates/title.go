package gates

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// openPattern is what a title leaves open, to be filled in when the tests run.
var openPattern = lazyregexp.New(`\$\{[^}]*\}|%[sdifjoOpc#%$]|\$[A-Za-z_][\w.]*`)

// repeatedPattern is the number of a test whose title others have, too.
var repeatedPattern = lazyregexp.New(`#\d+$`)

// Titled reports whether the titles of an id end with a title, which may have those
// of the suites around it before it, and may leave parts open: "adds ${a} and %d".
func Titled(title, id string) bool {
	if strings.Contains(id, "#") {
		id = repeatedPattern().ReplaceAllString(id, "")
	}
	id, title = "::"+id, "::"+title
	if strings.HasSuffix(id, title) {
		return true
	}
	if !strings.ContainsAny(title, "$%") { // most titles, of most tests
		return false
	}
	parts := openPattern().Split(title, -1)
	last := len(parts) - 1
	left, fits := strings.CutSuffix(id, parts[last])
	for i := 0; fits && i < last; i++ {
		_, left, fits = strings.Cut(left, parts[i])
	}
	return fits
}

// Retitled reports whether a test of before whose id is gone reads as it did, but for its title or
// the name of its group.
func (c Change) Retitled(t Test, before, after Facts) bool {
	called := func(f Facts) int {
		return len(slices.DeleteFunc(slices.Clone(f.Tests), func(o Test) bool { return o.File != t.File || leaf(o.ID) != leaf(t.ID) }))
	}
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		name := f.Old.Declares(t.ID)
		if name == "" || f.New == nil || f.Old.Path != t.File || f.Renamed() {
			return false
		}
		if slices.Contains(f.New.Declared, name) {
			return called(before) <= called(after) && ownText(f.Old, name) == ownText(f.New, name)
		}
		return slices.ContainsFunc(without(f.New.Declared, f.Old.Declared), func(now string) bool { return untitled(f.Old, name) == untitled(f.New, now) })
	})
}

// untitled is the text of a test without its title.
func untitled(f *File, title string) string { return strings.Replace(ownText(f, title), title, "", 1) }

// Misplaced reports whether a test is known by nothing but its place in a table that another
// test holds, as Go's rows without a name are (TestSum/#03), and the table has not as many
// rows as it had: then it is another test that has the id, and the one that holds them shows
// what they are worth.
func (c *Case) Misplaced(t Test) bool {
	at := placePattern().FindStringIndex(t.ID)
	if at == nil {
		return false
	}
	rows := func(f Facts) (n int) {
		for i := range f.Tests {
			if strings.HasPrefix(f.Tests[i].ID, t.ID[:at[0]+1]) {
				n++
			}
		}
		return n
	}
	return rows(c.reference()) != rows(c.After)
}

var placePattern = lazyregexp.New(`/#\d\d+(?:/|$)`)

// renumber follows tests whose ids hold the number of their row, as pytest's do where a
// value has no name ([given2]): a row before them gives each another number.
func (t trail) renumber(change Change, reference, after Facts) {
	for _, f := range change.Files {
		if f.Old == nil || f.New == nil {
			continue
		}
		left := t.numbered(f.New, after)
		for _, old := range reference.Tests {
			if _, found := t.now[old.ID]; found || old.File != f.Old.Path || len(left) == 0 {
				continue
			}
			if id := unnumbered(f.Old, old.ID); len(left[id]) > 0 {
				t.link(old, left[id][0])
				left[id] = left[id][1:]
			}
		}
	}
}

// numbered are the tests of a file that no test of before became, and whose ids hold
// numbers: by these ids without them.
func (t trail) numbered(f *File, after Facts) map[string][]Test {
	out := map[string][]Test{}
	for _, now := range after.Tests {
		if _, taken := t.was[now.ID]; taken || now.File != f.Path {
			continue
		}
		if id := unnumbered(f, now.ID); id != now.ID {
			out[id] = append(out[id], now)
		}
	}
	return out
}

// unnumbered is an id without the numbers behind the names of its test's parameters.
func unnumbered(f *File, id string) string {
	test, row, ok := strings.Cut(id, "[")
	if !ok {
		return id
	}
	text := fromName(f, f.Declares(test))
	parts := strings.Split(strings.TrimSuffix(row, "]"), "-")
	for i, part := range parts {
		for name := part; name != "" && strings.ContainsAny(name[len(name)-1:], "0123456789"); {
			if name = name[:len(name)-1]; wordAt(text, name) >= 0 {
				parts[i] = name
			}
		}
	}
	return test + "[" + strings.Join(parts, "-") + "]"
}
