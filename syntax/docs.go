package syntax

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Documenting is how a language writes documentation, if the examples in it are tests.
type Documenting struct {
	Block   lazyregexp.Regexp // documentation of one item, whole lines
	Example string            // without it documentation holds no example
	Item    lazyregexp.Regexp // what stands next to it: whole lines, its first group is a name
	Behind  bool              // documentation stands behind these lines, not before them
}

// documented is an item, and its documentation or the place for it.
type documented struct {
	of   string // its name; empty if it is the file
	nth  int    // of the items of that name
	text string
	span Span
}

// Bring is a source with the documentation that what it declares has in another one, where that
// holds examples.
func (d Documenting) Bring(source, other string) string {
	var edits []Edit
	items := d.items(source)
	for _, o := range d.items(other) {
		for _, item := range items {
			if o.of == item.of && o.nth == item.nth && strings.Contains(o.text, d.Example) {
				edits = append(edits, Edit{item.span, o.text})
			}
		}
	}
	return Apply(source, edits)
}

// items are the file and what it declares.
func (d Documenting) items(source string) []documented {
	out, nth := []documented{{}}, map[string]int{}
	for _, at := range d.Item().FindAllStringSubmatchIndex(source, -1) {
		name, place := source[at[2]:at[3]], at[0]
		if d.Behind {
			place = at[1]
		}
		out = append(out, documented{of: name, nth: nth[name], span: Span{place, place}})
		nth[name]++
	}
	for _, block := range d.Block().FindAllStringIndex(source, -1) {
		next := block[1]
		if d.Behind {
			next = block[0]
		}
		for i := range slices.Backward(out) { // the file last
			if item := &out[i]; item.of != "" && item.span.Start == next || item.of == "" && strings.TrimSpace(source[:block[0]]) == "" {
				item.text, item.span = source[block[0]:block[1]], Span{block[0], block[1]}
				break
			}
		}
	}
	return out
}
