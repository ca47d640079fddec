package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// block is a text of any length that can be opened.
type block struct {
	Title string
	Open  bool   // it is shown as soon as its commit is
	Text  string // what is shown of it
	Diff  []part // instead of Text
	More  string // what was left out, and how to see it; empty if nothing was

	whole string
	diff  bool
	lines int    // in all; those of whole may be fewer
	how   string // the command that shows all
}

// part is adjacent lines of a diff of one kind.
type part struct {
	Kind string // "+", "-", "@" or "" for context
	Text string
}

// fit shows at most a number of bytes of a block, in whole lines where there are
// any.
func (b *block) fit(limit int) {
	text := b.whole
	if size(text) > limit {
		text = within(text, limit)
	}
	if left := b.lines - strings.Count(text, "\n"); text != b.whole || left > 1 {
		b.More = strings.TrimSpace(count(max(left, 1), "more line") + ". " + b.how)
	}
	if b.diff {
		b.Diff = parts(text)
	} else {
		b.Text = strings.TrimRight(text, "\n")
	}
}

// size is how many bytes a text takes in a page, with what marks its lines.
func size(text string) int {
	const mark = 6 // bytes, for a line of a diff in the middle
	n := 0
	for _, r := range text {
		switch {
		case strings.ContainsRune(`<>&"'+`, r):
			n += len("&#43;")
		case r == '\n':
			n += 1 + mark
		case r < ' ' || r > '~':
			n += len(clean.Text(string(r)))
		default:
			n++
		}
	}
	return n
}

// within is the longest beginning of a text, in lines, that fits; or of its first
// line, if that alone is too long.
func within(text string, limit int) string {
	at, used := 0, 0
	for line := range strings.Lines(text) {
		n := size(line)
		if used+n > limit {
			break
		}
		at, used = at+len(line), used+n
	}
	if at > 0 {
		return text[:at]
	}
	const worst = 6 // bytes for one
	return short(text, limit/worst)
}

// share is the limit for each of some sizes at which they fit into the room
// together: as high as can be, so that small ones stay whole.
func share(sizes []int, room int) int {
	rest := room
	for i, n := range slices.Sorted(slices.Values(sizes)) {
		if left := len(sizes) - i; n*left > rest {
			return max(rest, 0) / left
		}
		rest -= n
	}
	return room
}

// parts takes a diff apart. Signs mean a change only below a line that begins
// with "@@".
func parts(diff string) []part {
	var out []part
	inside := false
	for line := range strings.Lines(diff) {
		kind := ""
		switch {
		case strings.HasPrefix(line, "@@"):
			inside, kind = true, "@"
		case strings.HasPrefix(line, "diff --git "):
			inside, kind = false, "@"
		case !inside:
			kind = "@"
		case line[0] == '+' || line[0] == '-':
			kind = line[:1]
		}
		if n := len(out); n > 0 && out[n-1].Kind == kind {
			out[n-1].Text += line
		} else {
			out = append(out, part{Kind: kind, Text: line})
		}
	}
	return out
}

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

// lasted is a duration as people say it; empty if it is not known.
func lasted(d time.Duration) string {
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

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
