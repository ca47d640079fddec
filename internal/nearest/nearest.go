// Package nearest guesses what a person meant by an unknown word.
//
// # Example
//
//	nearest.Of("stepz", []string{"steps", "roles"}) // "steps"
package nearest

import (
	"strings"

	"github.com/xrash/smetrics"
)

// Of returns the candidate that a person most likely meant by word, ignoring case; empty if none is
// close: at most a third of the letters, or two, may be inserted, deleted or replaced.
func Of(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := len(c) - len(word); d >= least || -d >= least {
			continue // this also limits the work for a long word
		}
		if d := smetrics.WagnerFischer(strings.ToLower(word), strings.ToLower(c), 1, 1, 1); d < least {
			best, least = c, d
		}
	}
	return best
}
