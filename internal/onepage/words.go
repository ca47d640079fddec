package onepage

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// Short is a text on one line of at most n characters.
func Short(text string, n int) string {
	text = clean.Text(strings.Join(strings.Fields(text), " "))
	count := 0
	for i := range text {
		if count++; count > n {
			return text[:i] + "…"
		}
	}
	return text
}

// Thousands is a number with its digits in groups.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// Count is a number of things.
func Count(n int, what string) string { return strconv.Itoa(n) + " " + Plural(n, what) }

// Plural is the word for so many things.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Lasted is a duration as people say it; empty if it is not known.
func Lasted(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}
