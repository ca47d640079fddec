package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// kind is what a token is.
type kind byte

const (
	word    kind = 'w' // a name or a keyword
	number  kind = 'n'
	quoted  kind = 's' // a string, with its prefix
	group   kind = 'g' // brackets, with all that is in them
	special kind = 'o' // operators and other signs
)

// token is a part of a statement.
type token struct {
	testrun.Span
	kind kind
}

// expr is an expression, or another part of a statement, as its outermost tokens.
type expr []token

// span is where an expression stands.
func (e expr) span() testrun.Span {
	return testrun.Span{Start: e[0].Start, End: e[len(e)-1].End}
}

// statement is a simple statement, or the head of a compound one without its
// colon.
type statement struct {
	expr

	parent int // the index of the head of the block that it stands in; -1 for none
	last   int // the index of the last statement in its own block; its own if it has none
}

// source is a text as statements.
type source struct {
	text, bare, masked string
	statements         []statement
	constants          map[string][]expr // what the variables of the file are given, once they were asked for
}

// parse takes a text apart, well-formed or not.
func parse(content string) *source {
	s := &source{text: content}
	s.bare, s.masked = mask(content)
	type open struct{ index, indent int }
	var blocks []open
	for _, line := range lines(s.bare, s.masked) {
		for len(blocks) > 0 && blocks[len(blocks)-1].indent >= line.Indent {
			blocks = blocks[:len(blocks)-1]
		}
		parent := -1
		if len(blocks) > 0 {
			parent = blocks[len(blocks)-1].index
		}
		if head := s.line(s.tokens(line.Start, line.Start+len(line.Masked)), parent); head >= 0 {
			blocks = append(blocks, open{head, line.Indent})
		}
	}
	for i := range s.statements {
		s.statements[i].last = i
		for at := s.statements[i].parent; at >= 0; at = s.statements[at].parent {
			s.statements[at].last = i
		}
	}
	return s
}

// lines cuts a text into logical lines.
func lines(bare, masked string) []scan.Line {
	return scan.Lines(bare, masked, func(line, _ string) bool { return strings.HasSuffix(line, "\\") })
}

// line adds the statements of a logical line. It returns the index of the head of
// a block, if the line has one; otherwise -1.
func (s *source) line(e expr, parent int) int {
	head := -1
	if colon := s.colon(e); colon > 0 {
		head = len(s.statements)
		s.statements = append(s.statements, statement{expr: e[:colon], parent: parent})
		parent, e = head, e[colon+1:]
	}
	for _, part := range s.split(e, ";") {
		if len(part) > 0 {
			s.statements = append(s.statements, statement{expr: part, parent: parent})
		}
	}
	return head
}

var compoundPattern = lazyregexp.New(`^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match|case)$`)

// colon is the index of the colon that ends the head of a block; -1 if a line has
// none.
func (s *source) colon(e expr) int {
	if len(e) == 0 || !compoundPattern.MatchString(s.of(e[0].Span)) {
		return -1
	}
	lambdas := 0
	for i, t := range e {
		switch s.of(t.Span) {
		case "lambda":
			lambdas++
		case ":":
			if lambdas--; lambdas < 0 {
				return i
			}
		}
	}
	return -1
}

// of is a part of the masked text.
func (s *source) of(p testrun.Span) string { return s.masked[p.Start:p.End] }

// read is a part of the text.
func (s *source) read(p testrun.Span) string { return s.text[p.Start:p.End] }

// is reports whether a token of an expression is there and is one of some words or
// signs.
func (s *source) is(e expr, i int, words ...string) bool {
	return i >= 0 && i < len(e) && e[i].kind != quoted && slices.Contains(words, s.of(e[i].Span))
}

// tokens are the outermost tokens of a part of the text.
func (s *source) tokens(start, end int) expr {
	var out expr
	for at := start; at < end; {
		t := s.token(at, end)
		at = t.End
		if t.kind != 0 {
			out = append(out, t)
		}
	}
	return out
}

var (
	numberPattern  = lazyregexp.New(`^\.?[0-9](?:[eE][+-]|[\w.])*`)
	stringPattern  = lazyregexp.New(`^[rbfutRBFUT]{0,3}["']`)
	specialPattern = lazyregexp.New(`^(?:\*\*=?|//=?|>>=?|<<=?|[-+*/%@&|^=!<>:]=|->|\.\.\.)`)
)

// token is the token at a place; its kind is zero for what is none.
func (s *source) token(at, end int) token {
	rest := s.masked[at:end]
	c := rest[0]
	size, kind := 1, special
	switch {
	case strings.IndexByte(" \t\r\n\f\\", c) >= 0:
		kind = 0
	case strings.IndexByte("([{", c) >= 0:
		size, kind = min(scan.Closing(s.masked, at), end)-at, group
	case stringPattern.MatchString(rest[:min(4, len(rest))]):
		open := strings.IndexAny(rest, `"'`)
		closed := strings.IndexByte(rest[open+1:], rest[open])
		size, kind = open+1+closed+1, quoted
		if closed < 0 {
			size = len(rest)
		}
	case numberPattern.MatchString(rest):
		size, kind = len(numberPattern.FindString(rest)), number
	case wordByte(c):
		for size < len(rest) && wordByte(rest[size]) {
			size++
		}
		kind = word
	case specialPattern.MatchString(rest):
		size = len(specialPattern.FindString(rest))
	}
	return token{testrun.Span{Start: at, End: at + size}, kind}
}

// inner are the tokens within brackets.
func (s *source) inner(t token) expr {
	end := t.End
	if end > t.Start+1 && strings.IndexByte(")]}", s.masked[end-1]) >= 0 {
		end--
	}
	return s.tokens(t.Start+1, end)
}

// split divides an expression at a sign. What is behind a sign at the end counts
// as nothing.
func (s *source) split(e expr, sign string) []expr {
	var out []expr
	start := 0
	for i := range e {
		if s.is(e, i, sign) {
			out = append(out, e[start:i])
			start = i + 1
		}
	}
	if start < len(e) {
		out = append(out, e[start:])
	}
	return out
}

// words are the words of a string that names several, as "a, b".
func (s *source) words(p testrun.Span) []string {
	return strings.FieldsFunc(s.read(p), func(r rune) bool { return strings.ContainsRune("\"', \t\n\\", r) })
}

// isBytes reports whether a string is one of bytes.
func (s *source) isBytes(t token) bool {
	return strings.ContainsAny(s.masked[t.Start:t.Start+strings.IndexAny(s.masked[t.Start:], `"'`)], "bB")
}
