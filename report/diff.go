package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// note is what is known of a place, as it stands in a list and in the margin of a diff.
type note struct {
	Class, Sign string // the class is that of its colour
	Where       string // the place in words
	Text        string
	Remedy      string
	Was         string // the line as it is, and what it may become, unnoticed
	Now         []string
	ID          string // of the place in a diff where it is shown; empty if it is in none

	path string
	line int
}

// The most that is shown of a note, in characters.
const (
	mostNote = 400
	mostLine = 200
)

// noteOf is a finding as a note: a reason to refuse, or not.
func noteOf(f gates.Finding) *note {
	n := &note{Class: "refused", Sign: "✗", Remedy: short(f.Remedy, mostNote), path: f.Path, line: f.Line}
	switch {
	case f.Unjudged:
		n.Class, n.Sign = "unjudged", "?"
	case f.Note:
		n.Class, n.Sign = "gap", "!"
	}
	where := strings.TrimSuffix(fmt.Sprintf("%s:%d", f.Path, f.Line), ":0")
	n.Where = short(strings.Trim(where+", "+f.Test, ", "), mostLine)
	n.Text = short(f.Gate+": "+f.Seen, mostNote)
	if f.Mutant.Was != "" {
		n.Was, n.Now = short(f.Mutant.Was, mostLine), []string{short(f.Mutant.Now, mostLine)}
	}
	return n
}

// notesOf is findings as notes. What may become of the same line is one note.
func notesOf(findings []gates.Finding) []*note {
	var out []*note
	for _, f := range findings {
		n := noteOf(f)
		if len(out) > 0 {
			last := out[len(out)-1]
			if n.Was != "" && n.Was == last.Was && n.path == last.path && n.line == last.line && n.Class == last.Class {
				last.Now, last.Text = append(last.Now, n.Now...), "no test notices if this line is made wrong"
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// line is one line of a diff, and what is known of it.
type line struct {
	Kind  string // "+", "-", "@" or "" for context
	No    int    // in the file as it is after the change; 0 if it is not there
	Text  string
	Notes []*note
}

// hunkPattern is the line above some lines of a diff.
var hunkPattern = lazyregexp.New(`^@@ -\d+(?:,\d+)? \+(\d+)`)

// diffs is a patch, file by file, with what is known of its lines. Each has an anchor of
// its own, which begins with a prefix.
func diffs(patch []gitx.FilePatch, notes []*note, prefix, how string) []*block {
	var out []*block
	for i, f := range patch {
		if n := len(out); f.Text == "" && n > 0 {
			out[n-1].lines += f.Lines
			continue
		}
		_, text, _ := strings.Cut(f.Text, "\n") // below its name
		out = append(out, &block{
			Title: short(f.Path, mostLine), Aside: fmt.Sprintf("+%d −%d", f.Added, f.Deleted), Kind: "diff", whole: text, lines: f.Lines - 1, how: how,
			prefix: prefix + "-" + strconv.Itoa(i+1),
			margin: slices.DeleteFunc(slices.Clone(notes), func(n *note) bool { return n.line == 0 || n.path != f.Path }),
		})
	}
	return out
}

// linesOf takes the diff of a file apart, and puts notes into its margin. What a page
// says of the file anyway is left out.
func (b *block) linesOf(text string) []line {
	for _, n := range b.margin {
		n.ID = ""
	}
	var out []line
	next := 0 // 0 above the first hunk
	for raw := range strings.Lines(text) {
		l := line{Text: strings.TrimRight(raw, "\n") + "\n"}
		switch m := hunkPattern().FindStringSubmatch(raw); {
		case m != nil:
			next, _ = strconv.Atoi(m[1])
			l.Kind = "@"
		case next == 0 && slices.Contains([]string{"index", "---", "+++"}, strings.Fields(raw + " .")[0]):
			continue
		case next == 0 || raw[0] == '\\':
			l.Kind = "@"
		case raw[0] == '-':
			l.Kind = "-"
		default:
			l.Kind, l.No = cmp.Or(strings.Trim(raw[:1], " "), ""), next
			next++
			l.Notes = b.at(l.No)
		}
		out = append(out, l)
	}
	return out
}

// at are the notes on a line, which from now on can be found there.
func (b *block) at(no int) []*note {
	var out []*note
	for i, n := range b.margin {
		if n.line == no {
			n.ID = fmt.Sprintf("%s-%d-%d", b.prefix, no, i+1)
			out = append(out, n)
		}
	}
	return out
}
