package gates

import (
	"fmt"
	"slices"
	"strings"
)

// Tell says findings in lines, one for each cause: what was seen in several places
// alike, and is mended alike, is one line.
func Tell(findings []Finding) []string {
	const most = 4 // places of one cause that are named
	type cause struct {
		gate, seen, remedy string
		mutant             Mutant
	}
	var first []Finding // of each cause
	places := map[cause][]string{}
	causeOf := func(f Finding) cause { return cause{f.Gate, f.Seen, f.Remedy, f.Mutant} }
	for _, f := range findings {
		where, known := places[causeOf(f)]
		if !known {
			first = append(first, f)
		}
		if at := f.where(); at != "" && !slices.Contains(where, at) {
			where = append(where, at)
		}
		places[causeOf(f)] = where
	}
	var lines []string
	for _, f := range first {
		where := places[causeOf(f)]
		if len(where) < 2 {
			lines = append(lines, f.Shown())
			continue
		}
		text := strings.Join(where[:min(len(where), most)], "; ")
		if more := len(where) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, f.Gate+": "+text+": "+f.Seen+" → "+f.Remedy)
	}
	return lines
}
