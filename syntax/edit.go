package syntax

import (
	"cmp"
	"slices"
	"strings"
)

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

// opposite is how the value on the other side of a comparison is altered to the same end.
func (w Way) opposite() Way { return map[Way]Way{Up: Down, Down: Up}[w] }
