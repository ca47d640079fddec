package main

import "github.com/git-tdd/git-tdd/nearest"

func quote(s string) string { return "“" + s + "”" }

// meant suggests the known word that is closest to a mistyped one.
func meant(word string, known []string) string {
	if k := nearest.Of(word, known); k != "" {
		return "; did you mean " + quote(k) + "?"
	}
	return ""
}
