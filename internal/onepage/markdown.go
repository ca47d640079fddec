package onepage

import (
	"cmp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Piece is a block of a Markdown text: a heading, a paragraph, an item of a list, or code.
type Piece struct {
	Kind  string // "heading", "text", "item" or "code"
	Mark  string // of an item: its number or a dash
	Depth int    // how far it is indented, in lists
	Text  string
}

// What a line begins with.
var (
	fencePattern   = lazyregexp.New("^(`{3,}|~{3,})[^`]*$")
	headingPattern = lazyregexp.New(`^#{1,6}[ \t]+(.*?)[ \t]*#*$`)
	itemPattern    = lazyregexp.New(`^(?:([-*+])|(\d{1,9}[.)]))[ \t]+(.+)$`)
	rulePattern    = lazyregexp.New(`^(?:=+|(?:[-*_][ \t]*){3,})$`)
)

// Markdown reads what people write in a commit or a kata. What is no Markdown stays as
// it was written, markup of HTML too: a page shows it and never follows it.
func Markdown(text string) []Piece {
	m := &markdown{blank: true}
	for line := range strings.Lines(text) {
		m.line(strings.TrimRight(line, " \t\r\n"))
	}
	m.begin(Piece{})
	return m.out
}

// markdown reads a text line by line.
type markdown struct {
	out   []Piece
	last  Piece
	lines []string // of the last piece
	fence string   // what ends the code that we are in
	blank bool     // the line before was blank
}

// begin begins a piece, and ends the one before.
func (m *markdown) begin(next Piece, lines ...string) {
	between := " "
	if m.last.Kind == "code" {
		between = "\n"
	}
	if m.last.Kind != "" {
		m.last.Text = strings.Join(m.lines, between)
		m.out = append(m.out, m.last)
	}
	m.last, m.lines = next, lines
}

func (m *markdown) line(line string) {
	bare := strings.TrimLeft(line, " \t")
	indent := len(strings.ReplaceAll(line[:len(line)-len(bare)], "\t", "    "))
	item := itemPattern.FindStringSubmatch(bare)
	switch verbatim := m.last.Kind == "code" || m.blank && m.last.Kind != "item"; {
	case m.fence != "" && strings.HasPrefix(bare, m.fence):
		m.fence = ""
		m.begin(Piece{})
	case m.fence != "":
		m.lines = append(m.lines, line)
	case bare == "":
	case fencePattern.MatchString(bare):
		m.fence = fencePattern.FindStringSubmatch(bare)[1]
		m.begin(Piece{Kind: "code"})
	case indent >= 4 && verbatim:
		if m.last.Kind != "code" {
			m.begin(Piece{Kind: "code"})
		}
		m.lines = append(m.lines, strings.TrimPrefix(strings.TrimPrefix(line, "    "), "\t"))
	case headingPattern.MatchString(bare):
		m.begin(Piece{Kind: "heading"}, headingPattern.FindStringSubmatch(bare)[1])
	case rulePattern.MatchString(bare):
		if !m.blank && m.last.Kind == "text" {
			m.last.Kind = "heading"
		}
	case item != nil:
		m.begin(Piece{Kind: "item", Mark: cmp.Or(item[2], "–"), Depth: min(indent/2, 3)}, item[3])
	case !m.blank && (m.last.Kind == "text" || m.last.Kind == "item"):
		m.lines = append(m.lines, bare)
	default:
		m.begin(Piece{Kind: "text", Depth: min(indent/2, 3)}, bare)
	}
	m.blank = bare == ""
}

// Span is a part of a piece's text.
type Span struct {
	Kind string // "code", "strong", "em" or "", for plain text
	Text string
}

// spanPattern is what is not plain text. A star inside a word or beside a blank is none.
var spanPattern = lazyregexp.New("`([^`]+)`" + `|\*\*([^\s*][^*]*)\*\*|\B\*([^\s*][^*]*)\*\B|\b_([^\s_][^_]*)_\b`)

// inline reads the text of a piece.
func inline(text string) []Span {
	var out []Span
	at := 0
	for _, m := range spanPattern.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Span{Text: text[at:m[0]]})
		for group, kind := range []string{"code", "strong", "em", "em"} {
			if from := m[2+2*group]; from >= 0 {
				out = append(out, Span{kind, text[from:m[3+2*group]]})
			}
		}
		at = m[1]
	}
	return append(out, Span{Text: text[at:]})
}
