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
