package katas

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
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

// ParseCriteria returns the points below the heading "Acceptance criteria" of any
// Markdown text, in any case and of any level, down to the next heading of the same or
// a higher level. Points are what begins with AC-1 (a paragraph, a heading or a point
// of a list); where nothing does, the points of numbered lists; where there are none,
// those of other lists. Lines that belong to a point, including nested lists and code,
// are folded into its text. Code blocks and comments outside a point are ignored.
// Without such a heading there are only points that begin with AC-1.
func ParseCriteria(text []byte) []Criterion {
	p := read(text, false)
	if !p.seen {
		if p = read(text, true); p.best() != byLabel {
			return nil
		}
	}
	return p.criteria()
}

// read reads the points of a text: below the heading, or everywhere.
func read(text []byte, everywhere bool) *parser {
	p := &parser{everywhere: everywhere}
	lines := append(split(text), line{})
	for i, after := range lines[1:] {
		p.line(lines[i], after)
	}
	p.end()
	return p
}

// parser goes through a Markdown text line by line, and treats headings, lists, code
// fences and comments as CommonMark does.
type parser struct {
	everywhere bool // there is no heading "Acceptance criteria"
	seen       bool // there is one
	found      []item
	level      int    // of the heading "Acceptance criteria" that we are under; 0 if we are not
	until      string // what ends the code fence or comment that we are in
	item       *item  // the point that we are in
	blank      bool   // the previous line was blank
}

// mark is what a point begins with. The higher one counts where there are several.
type mark int

const (
	byBullet mark = iota
	byNumber
	byLabel // AC-1
)

// item is a point of the list while it is read.
type item struct {
	mark    mark
	number  int
	width   int // columns; lines indented at least that far belong to the point
	heading int // its level, if the point is one: what is below it belongs to the point
	lines   []string
}

// best is the mark by which the points are told.
func (p *parser) best() mark {
	best := byBullet
	for _, i := range p.found {
		best = max(best, i.mark)
	}
	return best
}

// criteria are the points that are marked best.
func (p *parser) criteria() []Criterion {
	var out []Criterion
	last, best := 0, p.best()
	for _, i := range p.found {
		if i.mark == best {
			last = max(i.number, last+1)
			out = append(out, Criterion{ID: last, Text: i.lines[0]})
		}
	}
	return out
}

// line processes the next line; after is the one that follows it, blank at the end of the text.
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
	case p.item != nil && p.item.heading > 0:
		p.add(l.text)
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

// verbatim reports whether the line begins, or is part of, a code fence or comment.
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
	if p.item != nil && p.item.heading > 0 && level > p.item.heading {
		p.add(title)
		return
	}
	p.end()
	name := strings.Join(strings.Fields(strings.ToLower(title)), " ")
	switch {
	case strings.Contains(name, "acceptance criteria"), strings.Contains(name, "acceptance criterion"):
		p.level, p.seen = level, true
	case level <= p.level:
		p.level = 0
	}
	if next := labelled(title); next != nil {
		next.heading = level
		p.start(next)
	}
}

func (p *parser) start(next *item) {
	p.end()
	if p.level > 0 || p.everywhere {
		p.item = next
	}
}

// end adds the current point to those found.
func (p *parser) end() {
	if p.item == nil {
		return
	}
	i := *p.item
	p.item = nil
	text := strings.Join(strings.Fields(strings.Join(i.lines, " ")), " ")
	for {
		m := boxPattern().FindStringSubmatch(text)
		if m == nil {
			break
		}
		if n, err := strconv.Atoi(m[1]); err == nil && i.mark != byLabel {
			i.mark, i.number = byLabel, n
		}
		text = text[len(m[0]):]
	}
	if text != "" {
		i.lines = []string{text}
		p.found = append(p.found, i)
	}
}

// boxPattern matches what a point can begin with before its text: the box of a task,
// or AC and a number, which may be bold.
var boxPattern = lazyregexp.New(`^(?:\[[ xX]\]|[*_]*(?i:AC)[- ]?(\d{1,9})[*_]*(?:[:.)]| [-–—])?[*_]*)(?: |$)`)

// labelled is the point that a paragraph or a heading begins, or nil.
func labelled(text string) *item {
	if m := boxPattern().FindStringSubmatch(strings.Join(strings.Fields(text), " ")); m == nil || m[1] == "" {
		return nil
	}
	return &item{width: 1, lines: []string{text}}
}
