// Package nearest guesses what a person meant by an unknown word.
//
// # Example
//
//	nearest.Of("stepz", []string{"steps", "roles"}) // "steps"
package nearest

import "strings"

// Of returns the candidate that a person most likely meant by word, ignoring case; empty if none is
// close: at most a third of the letters, or two, may differ.
func Of(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := len(c) - len(word); d >= least || -d >= least {
			continue // this also limits the work for a long word
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace to get from a to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
