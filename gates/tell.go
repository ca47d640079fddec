package gates

import (
	"fmt"
	"slices"
	"strings"
)

// maxWhere is how many places of one cause are named.
const maxWhere = 4

// Tell says findings in lines, one for each cause: what was seen in several places
// alike, and is mended alike, is one line.
func Tell(findings []Finding) []string {
	type cause struct {
		gate, seen, remedy string
		mutant             Mutant
	}
	var order []cause
	all := map[cause][]Finding{}
	for _, f := range findings {
		c := cause{f.Gate, f.Seen, f.Remedy, f.Mutant}
		if all[c] == nil {
			order = append(order, c)
		}
		all[c] = append(all[c], f)
	}
	var lines []string
	for _, c := range order {
		var where []string
		for _, f := range all[c] {
			if at := f.where(); at != "" && !slices.Contains(where, at) {
				where = append(where, at)
			}
		}
		if len(where) < 2 {
			lines = append(lines, all[c][0].Shown())
			continue
		}
		text := strings.Join(where[:min(len(where), maxWhere)], "; ")
		if more := len(where) - maxWhere; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, c.gate+": "+text+": "+c.seen+" → "+c.remedy)
	}
	return lines
}
