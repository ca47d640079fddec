package katas

import (
	"slices"
	"strconv"
	"strings"
)

// Criterion is one point that a kata asks for.
type Criterion struct {
	// ID is its number in the list. If the list does not count upwards, it is one
	// more than the number before, so that no two are equal. The first is at least
	// 1.
	ID int
	// Text is on one line, with single blanks, and never empty.
	Text string
}

// ParseCriteria returns the points of the numbered list under the heading
// "Acceptance criteria" of any Markdown text, in any case and of any level,
// down to the next heading of the same or a higher level. Lines that belong to
// a point, including nested lists and code, are folded into its text. Code
// blocks and comments outside a point are ignored. Without such a heading there
// are no criteria.
func ParseCriteria(text []byte) []Criterion {
	var p parser
	lines := append(split(text), line{})
	for i, after := range lines[1:] {
		p.line(lines[i], after)
	}
	p.end()
	return p.found
}

// parser goes through a Markdown text line by line, and treats headings,
// numbered lists, code fences and comments as CommonMark does.
type parser struct {
	found []Criterion
	level int    // of the heading "Acceptance criteria" that we are under; 0 if we are not
	until string // what ends the code fence or comment that we are in
	item  *item  // the point that we are in
	blank bool   // the previous line was blank
}

// item is a point of the list while it is read.
type item struct {
	number int
	width  int // columns; lines indented at least that far belong to the point
	lines  []string
}

// line processes the next line; after is the one that follows it, blank at the
// end of the text.
func (p *parser) line(l, after line) {
	if p.verbatim(l) {
		return
	}
	if l.text == "" {
		p.blank = true
		return
	}
	p.block(l, after)
	p.blank = false
}

// block processes a line that is neither blank nor in a code block or comment.
func (p *parser) block(l, after line) {
	lazy := p.item != nil && !p.blank // a paragraph of the point continues
	level, title := l.heading()
	next := l.item()
	switch {
	case p.owns(l):
		p.add(l.text)
	case level > 0:
		p.heading(level, title)
	case l.rule():
		p.end()
	case next != nil:
		p.start(next)
	case after.underline() > 0 && !lazy:
		p.heading(after.underline(), l.text)
	case lazy && !l.interrupts():
		p.add(l.text)
	default:
		p.end()
	}
}

// verbatim reports whether the line begins, or is part of, a code fence or
// comment.
func (p *parser) verbatim(l line) bool {
	if p.until != "" {
		if l.closes(p.until) {
			p.until = ""
		} else if p.until != commentEnd {
			p.add(l.text)
		}
		return true
	}
	if strings.HasPrefix(l.text, commentStart) {
		if !strings.Contains(l.text[len(commentStart):], commentEnd) {
			p.until = commentEnd
		}
		return true
	}
	p.until = l.fence()
	if p.until != "" && !p.owns(l) {
		p.end()
	}
	return p.until != ""
}

// owns reports whether the line is indented as far as the point's text.
func (p *parser) owns(l line) bool { return p.item != nil && l.indent >= p.item.width }

func (p *parser) add(text string) {
	if p.item != nil {
		p.item.lines = append(p.item.lines, text)
	}
}

func (p *parser) heading(level int, title string) {
	p.end()
	title = strings.Join(strings.Fields(strings.Trim(title, "#*_: \t")), " ")
	switch {
	case strings.EqualFold(title, "acceptance criteria"):
		p.level = level
	case level <= p.level:
		p.level = 0
	}
}

func (p *parser) start(next *item) {
	p.end()
	if p.level > 0 {
		p.item = next
	}
}

// end adds the current point to those found.
func (p *parser) end() {
	if p.item == nil {
		return
	}
	last := 0
	if n := len(p.found); n > 0 {
		last = p.found[n-1].ID
	}
	if text := strings.Join(strings.Fields(strings.Join(p.item.lines, " ")), " "); text != "" {
		p.found = append(p.found, Criterion{ID: max(p.item.number, last+1), Text: text})
	}
	p.item = nil
}

// number reads the marker of a point: at most nine digits and "." or ")".
func number(text string) (int, string) {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	rest := text[len(digits):]
	if len(digits) == 0 || len(digits) > 9 || rest == "" || !slices.Contains([]byte(".)"), rest[0]) {
		return 0, ""
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, ""
	}
	return n, text[:len(digits)+1]
}
