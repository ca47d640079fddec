package syntax

import (
	"slices"
	"strings"
)

// Kind is what a token is.
type Kind int

// The kinds of tokens.
const (
	Sign    Kind = iota // an operator, a bracket
	Word                // a name or a keyword
	Number              //
	Text                // a text or a character, with its quotes
	Pattern             // a regular expression
)

// Lexis is how the comments, the words and the literals of a language look.
type Lexis struct {
	Lines   []string    // what begins a comment that ends with its line
	Blocks  [][2]string // what begins and what ends any other
	Nested  bool        // such a comment may hold others
	Forms   []Form      // how texts look
	Letters string      // the signs that may stand in a name, beside letters, digits and _
	Signs   []string    // operators of several signs, the longer ones first
	// Literal measures a literal, or another token, of a form that only this language has
	// at a place of a text, before comments are looked for; the size is 0 if none begins
	// there. A value ends before it, or does not: a slash divides, or begins a pattern.
	Literal func(text string, at int, value bool) (Kind, int)
	// Heredoc is the line that ends the text that stands below the line of a token, which
	// is called mark, and the blanks that may stand before it; empty if none does.
	Heredoc func(mark string) (end, blanks string)
	// Before lists the words after which a value begins, as return.
	Before []string
}

// scanner cuts a text into tokens.
type scanner struct {
	Lexis

	text     string
	at       int
	tokens   []token
	comments []Span
	below    [][2]string // the ends of the heredocs that begin on the next line
}

// token is a part of a text that means something by itself.
type token struct {
	Span

	kind Kind
}

// next takes in white space, a comment or a token.
func (s *scanner) next() {
	rest := s.text[s.at:]
	if rest[0] == '\n' && len(s.below) > 0 {
		s.heredoc(rest)
		return
	}
	if strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0 || strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n") {
		s.at++
		return
	}
	if kind, size := s.literal(); size > 0 {
		s.take(kind, min(size, len(rest)))
		return
	}
	if size := s.comment(rest); size > 0 {
		s.comments = append(s.comments, Span{s.at, s.at + size})
		s.at += size
		return
	}
	kind, size := s.token(rest)
	s.take(kind, size)
}

// heredoc takes in the next text that the line before announced. It is no token; among
// the comments it is the one that begins with the end of a line.
func (s *scanner) heredoc(rest string) {
	size, end := 0, s.below[0]
	for line := ""; size < len(rest) && strings.TrimRight(strings.TrimLeft(line, end[1]), "\r") != end[0]; size += len(line) {
		size++
		line, _, _ = strings.Cut(rest[size:], "\n")
	}
	s.below = s.below[1:]
	s.comments = append(s.comments, Span{s.at, s.at + size})
	s.at += size
}

// take takes in a token.
func (s *scanner) take(kind Kind, size int) {
	if s.Heredoc != nil && kind == Text {
		if end, blanks := s.Heredoc(s.text[s.at : s.at+size]); end != "" {
			s.below = append(s.below, [2]string{end, blanks})
		}
	}
	s.tokens = append(s.tokens, token{Span{s.at, s.at + size}, kind})
	s.at += size
}

// literal measures a token of a form that only this language has.
func (s *scanner) literal() (Kind, int) {
	if size := s.formed(s.text[s.at:]); size > 0 || s.Literal == nil {
		return Text, size
	}
	return s.Literal(s.text, s.at, s.value())
}

// comment measures the comment at the beginning of a text; 0 if there is none.
func (s *scanner) comment(rest string) int {
	for _, mark := range s.Lines {
		if strings.HasPrefix(rest, mark) {
			line, _, _ := strings.Cut(rest, "\n")
			return len(line)
		}
	}
	for _, marks := range s.Blocks {
		if strings.HasPrefix(rest, marks[0]) {
			return s.block(rest, marks)
		}
	}
	return 0
}

// block measures a comment between two marks.
func (s *scanner) block(rest string, marks [2]string) int {
	for depth, at := 0, 0; at < len(rest); {
		switch {
		case depth > 0 && strings.HasPrefix(rest[at:], marks[1]):
			at += len(marks[1])
			if depth--; depth == 0 {
				return at
			}
		case strings.HasPrefix(rest[at:], marks[0]) && (depth == 0 || s.Nested):
			depth++
			at += len(marks[0])
		default:
			at++
		}
	}
	return len(rest)
}

// token measures the token at the beginning of a text.
func (s *scanner) token(rest string) (Kind, int) {
	c := rest[0]
	switch {
	case digit(c), c == '.' && len(rest) > 1 && digit(rest[1]) && !s.value() && !s.pointed():
		return Number, s.number(rest)
	case s.letter(c):
		size := 1
		for size < len(rest) && (s.letter(rest[size]) || digit(rest[size])) {
			size++
		}
		return Word, size
	}
	for _, sign := range s.Signs {
		if strings.HasPrefix(rest, sign) {
			return Sign, len(sign)
		}
	}
	return Sign, 1
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// letter reports whether a sign may begin a name.
func (s *scanner) letter(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || strings.IndexByte(s.Letters, c) >= 0
}

// value reports whether the token that was read last ends a value.
func (s *scanner) value() bool {
	if len(s.tokens) == 0 {
		return false
	}
	t := s.tokens[len(s.tokens)-1]
	text := s.text[t.Start:t.End]
	if t.kind == Sign {
		return slices.Contains([]string{")", "]", "}", "++", "--"}, text)
	}
	return t.kind != Word || !slices.Contains(s.Before, text)
}

// number measures a number with its fraction, its exponent and its suffix. Behind a
// point it is the number of a part, and has none of them.
func (s *scanner) number(rest string) int {
	n, part := 1, s.pointed()
	for n < len(rest) && (digit(rest[n]) || !part && s.numeral(rest, n)) {
		n++
	}
	return n
}

// numeral reports whether a number goes on with sign n of a text.
func (s *scanner) numeral(rest string, n int) bool {
	ahead := rest[n+1:min(n+3, len(rest))] + "  "
	after, next := ahead[0], ahead[1]
	named := s.letter(after) || digit(after)
	switch c := rest[n]; c {
	case '\'':
		return named
	case '.':
		return digit(after) || !named && after != '.' || strings.IndexByte("fFdDlL", after) >= 0 && !s.letter(next)
	case '-', '+': // of an exponent
		hex := strings.HasPrefix(strings.ToLower(rest), "0x")
		return strings.IndexByte("pP", rest[n-1]) >= 0 || !hex && strings.IndexByte("eE", rest[n-1]) >= 0
	default:
		return digit(c) || s.letter(c) && strings.IndexByte(s.Letters, c) < 0
	}
}

// pointed reports whether a point stands directly before what is next. The points of a
// range are none.
func (s *scanner) pointed() bool {
	last := len(s.tokens) - 1
	return last >= 0 && s.tokens[last].End == s.at && s.text[s.tokens[last].Start:s.at] == "."
}

// Enclosed measures what stands between two brackets, of which the first begins a text,
// with them: for values that are put into a text.
func (l Lexis) Enclosed(text string) int {
	s := scanner{Lexis: l, text: text}
	for depth := 0; s.at < len(text); {
		before := len(s.tokens)
		s.next()
		if len(s.tokens) == before {
			continue
		}
		switch t := s.tokens[before]; text[t.Start:t.End] {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			if depth--; depth == 0 {
				return s.at
			}
		}
	}
	return len(text)
}
