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
		name := declaredName(f.Old, t.ID)
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
