package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/loop"
)

// block is something of any length that can be opened.
type block struct {
	Title, Aside string
	Kind         string // "text", "notes" or "diff"
	Open         bool   // it is shown as soon as its commit is
	Text         string // what is shown of a text
	Lines        []line // of a diff
	Notes        []*note
	More         string // what was left out, and how to see it; empty if nothing was

	whole  string
	lines  int     // in all; those of whole may be fewer
	how    string  // the command that shows all
	prefix string  // what the anchors of a diff begin with,
	margin []*note // and what is known of its file
}

func textBlock(title, text, how string) *block {
	text = strings.TrimRight(text, "\n") + "\n"
	return &block{Title: title, Kind: "text", Open: true, whole: text, lines: strings.Count(text, "\n"), how: how}
}

// notesBlock lists notes; nil if there are none.
func notesBlock(title string, notes []*note, how string) []*block {
	if len(notes) == 0 {
		return nil
	}
	b := &block{Title: title, Kind: "notes", Open: true, lines: len(notes), margin: notes, how: how}
	for _, n := range notes {
		b.whole += n.Where + n.Text + n.Remedy + n.Was + strings.Join(n.Now, "") + "\n"
	}
	return []*block{b}
}

// fit shows as much of a block as takes at most a number of bytes of the page, in whole
// lines where there are any.
func (b *block) fit(limit int) {
	text := within(b.whole, limit)
	shown := strings.Count(text, "\n")
	b.More = ""
	if left := b.lines - shown; text != b.whole || left > 0 {
		b.More = strings.TrimSpace(gates.Count(max(left, 1), "more line") + ". " + b.how)
	}
	switch b.Kind {
	case "diff":
		b.Lines = b.linesOf(text)
	case "notes":
		b.Notes = b.margin[:shown]
	default:
		b.Text = strings.TrimRight(text, "\n")
	}
}

// within is the longest beginning of a text, in lines, that fits when it is escaped and
// marked up; or of its first line, if that alone is too long.
func within(text string, limit int) string {
	const markup = 32 // bytes for each line of a diff
	room, size := limit, 0
	for line := range strings.Lines(text) {
		if room -= markup + len(clean.Text(template.HTMLEscapeString(line))); room < 0 {
			break
		}
		size += len(line)
	}
	if size == 0 {
		const worst = 6 // bytes for one character
		return short(text, limit/worst)
	}
	return text[:size]
}

// maxPage is the size of a page, in bytes, of which texts get a half.
const maxPage = 4_600_000

// blocks is what can be opened of a commit.
func blocks(c Commit) []*block {
	var out []*block
	show := "git show " + c.ID.Short()
	var notes []*note
	if c.Proof != nil {
		notes = notesOf(slices.Concat(c.Proof.Findings, c.Proof.Notes))
	}
	out = append(out, notesBlock("Findings", notes, "git tdd verify")...)
	if text := plan(c.Message); text != "" {
		out = append(out, textBlock("Plan", text, show))
	}
	if text := failures(c.Facts); text != "" {
		out = append(out, textBlock("Failures", text, "git tdd facts "+c.ID.Short()))
	}
	out = append(out, gates.Each(c.Attempts, attempt)...)
	return append(out, diffs(c.Patch, notes, anchor(c), show)...)
}

func attempt(k loop.Kept) *block {
	return textBlock(fmt.Sprintf("Attempt %d, refused", k.Number), strings.Join(k.Findings, "\n"), "git show "+k.Ref)
}

// plan is what a message says beside its trailers. What the page says anyway is left out.
func plan(m commitmsg.Message) string {
	if len(m.Sections) == 0 {
		return m.Body
	}
	var parts []string
	for _, s := range m.Sections {
		if s.Title == "Context" || s.Title == "Verification" {
			continue
		}
		parts = append(parts, s.Title+":\n\n- "+strings.Join(s.Items, "\n- "))
	}
	return strings.Join(parts, "\n\n")
}

// failures says which tests failed and why, and why a tree could not be built.
func failures(f *gates.Facts) string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	for _, t := range f.With(gates.StatusFailed) {
		fmt.Fprintf(&b, "%s (%s)\n%s", t.ID, t.Class, indented(t.Message))
	}
	for _, d := range slices.Concat(f.Diagnostics, f.CheckDiagnostics) {
		fmt.Fprintf(&b, "%s (%s)\n%s", strings.TrimPrefix(fmt.Sprintf("%s:%d", d.File, d.Line), ":0"), d.Class, indented(d.Message))
	}
	return b.String()
}

func indented(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// short is a text on one line of at most n characters.
func short(text string, n int) string {
	return gates.Clip(clean.Text(strings.Join(strings.Fields(text), " ")), n)
}

// thousands is a number with its digits in groups.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

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

// joined puts texts together, without the empty ones.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), between)
}
