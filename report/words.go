package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// short is a text on one line of at most n characters.
func short(text string, n int) string {
	text = clean.Text(strings.Join(strings.Fields(text), " "))
	count := 0
	for i := range text {
		if count++; count > n {
			return text[:i] + "…"
		}
	}
	return text
}

// thousands is a number with its digits in groups.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// countOf is a number of things.
func countOf(n int, what string) string { return strconv.Itoa(n) + " " + plural(n, what) }

// plural is the word for so many things.
func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// lasted is a duration; empty if it is not known.
func lasted(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second / 10).String()
}
