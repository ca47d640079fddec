package main

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/nearest"
)

func quote(s string) string { return "“" + s + "”" }

// meant suggests the known word that is closest to a mistyped one.
func meant(word string, known []string) string {
	if k := nearest.Of(word, known); k != "" {
		return "; did you mean " + quote(k) + "?"
	}
	return ""
}

// noSuch is the error for a word that is none of those that are known.
func noSuch(what, word string, known []string) error {
	return &usageError{"there is no " + what + " " + quote(word) + meant(word, known) + "; there are " + strings.Join(known, ", ")}
}
