package katas

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

const (
	commentStart = "<!--"
	commentEnd   = "-->"
	tab          = 4 // columns
)

// line is a line of Markdown.
type line struct {
	indent int // columns
	text   string
}

// split cuts a text into lines. There is always at least one.
func split(text []byte) []line {
	whole := strings.TrimPrefix(strings.ToValidUTF8(string(text), "\ufffd"), "\ufeff")
	var out []line
	for raw := range strings.SplitSeq(whole, "\n") {
		body := strings.TrimLeft(raw, " \t")
		out = append(out, line{
			indent: columns(raw[:len(raw)-len(body)]),
			text:   strings.TrimSpace(body),
		})
	}
	return out
}

// columns is the width of white space.
func columns(space string) int {
	n := 0
	for _, r := range space {
		if r == '\t' {
			n += tab - n%tab
		} else {
			n++
		}
	}
	return n
}

// shallow reports whether the line is indented less than code is.
func (l line) shallow() bool { return l.indent < tab }

// heading returns the level and title of a heading that begins with #.
func (l line) heading() (level int, title string) {
	title = strings.TrimLeft(l.text, "#")
	level = len(l.text) - len(title)
	if !l.shallow() || level > 6 || title != "" && !strings.HasPrefix(title, " ") && !strings.HasPrefix(title, "\t") {
		return 0, ""
	}
	return level, title
}

// underline returns the level of the heading that this line underlines: 1, 2,
// or 0 if it is not an underline.
func (l line) underline() int {
	switch {
	case !l.shallow() || l.text == "":
		return 0
	case strings.Trim(l.text, "=") == "":
		return 1
	case strings.Trim(l.text, "-") == "":
		return 2
	}
	return 0
}

// rule reports whether the line is a horizontal rule: three or more of the same character.
func (l line) rule() bool {
	signs := strings.Join(strings.Fields(l.text), "")
	return l.shallow() && len(signs) >= 3 && strings.ContainsAny(signs[:1], "-*_") && strings.Trim(signs, signs[:1]) == ""
}

// item returns the point that begins here, or nil.
func (l line) item() *item {
	if !l.shallow() {
		return nil
	}
	by, n, marker := byNumber, 0, ""
	if m := numberPattern().FindStringSubmatch(l.text); m != nil {
		marker = m[0]
		n, _ = strconv.Atoi(m[1]) // nine digits at most
	} else if l.interrupts() && l.text[0] != '>' {
		by, marker = byBullet, l.text[:1]
	}
	rest := l.text[len(marker):]
	body := strings.TrimLeft(rest, " \t")
	if marker == "" || rest != "" && body == rest {
		return labelled(l.text)
	}
	gap := columns(rest[:len(rest)-len(body)])
	if gap < 1 || gap > tab { // an empty point, or one that begins with code
		gap = 1
	}
	return &item{mark: by, number: n, width: l.indent + len(marker) + gap, lines: []string{body}}
}

// numberPattern is the marker of a point in a numbered list.
var numberPattern = lazyregexp.New(`^(\d{1,9})[.)]`)

// interrupts reports whether a bullet or a quotation begins here.
func (l line) interrupts() bool {
	mark, _, _ := strings.Cut(l.text, " ")
	return mark == "-" || mark == "*" || mark == "+" || strings.HasPrefix(mark, ">")
}

// fence returns the characters that open a code block here, or "".
func (l line) fence() string {
	for _, sign := range []string{"`", "~"} {
		info := strings.TrimLeft(l.text, sign)
		run := l.text[:len(l.text)-len(info)]
		if len(run) >= 3 && (sign == "~" || !strings.Contains(info, sign)) {
			return run
		}
	}
	return ""
}

// closes reports whether the line ends the code block or comment that until ends.
func (l line) closes(until string) bool {
	if until == commentEnd {
		return strings.Contains(l.text, until)
	}
	return strings.HasPrefix(l.text, until) && strings.Trim(l.text, until[:1]) == ""
}
