package rust

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token of Rust is.
type tokenKind int

const (
	spaceToken   tokenKind = iota // white space
	commentToken                  // a comment that is not documentation
	docToken                      // a documentation comment
	wordToken                     // an identifier, keyword, number or lifetime
	textToken                     // a string, byte string or character
	punctToken                    // one character of anything else
)

// token is a token, from byte start to before byte end.
type token struct {
	kind       tokenKind
	start, end int
}

// text is the token in its source.
func (t token) text(src string) string { return src[t.start:t.end] }

// is reports whether the token is this word or character.
func (t token) is(src, want string) bool {
	return (t.kind == wordToken || t.kind == punctToken) && t.text(src) == want
}

// blank reports whether the token means nothing to the compiler.
func (t token) blank() bool { return t.kind == spaceToken || t.kind == commentToken }

// tokenize cuts a source into tokens. Every byte belongs to exactly one; a
// string or comment that has no end goes to the end of the text.
func tokenize(src string) []token {
	var out []token
	for at := 0; at < len(src); {
		kind, size := nextToken(src[at:])
		out = append(out, token{kind, at, at + size})
		at += size
	}
	return out
}

// nextToken measures the first token of a text that is not empty.
func nextToken(src string) (tokenKind, int) {
	if n := leading(src, unicode.IsSpace); n > 0 {
		return spaceToken, n
	}
	switch {
	case strings.HasPrefix(src, "//"):
		return lineComment(src)
	case strings.HasPrefix(src, "/*"):
		return blockComment(src)
	case src[0] == '"':
		return textToken, quotedEnd(src, 1, '"')
	case src[0] == '\'':
		return quote(src)
	}
	if n := prefixed(src); n > 0 {
		return textToken, n
	}
	if n := leading(src, wordRune); n > 0 {
		return wordToken, n
	}
	_, size := utf8.DecodeRuneInString(src)
	return punctToken, size
}

// leading measures the beginning of a text that holds only such runes.
func leading(src string, of func(rune) bool) int {
	if end := strings.IndexFunc(src, func(r rune) bool { return !of(r) }); end >= 0 {
		return end
	}
	return len(src)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// lineComment measures a comment to the end of its line.
func lineComment(src string) (tokenKind, int) {
	n := strings.IndexByte(src, '\n')
	if n < 0 {
		n = len(src)
	}
	if strings.HasPrefix(src, "///") && !strings.HasPrefix(src, "////") {
		return docToken, n
	}
	return commentToken, n
}

// blockComment measures a comment that may hold others.
func blockComment(src string) (tokenKind, int) {
	kind := commentToken
	if strings.HasPrefix(src, "/**") && !strings.HasPrefix(src, "/***") && !strings.HasPrefix(src, "/**/") {
		kind = docToken
	}
	depth := 0
	for at := 0; at < len(src); {
		switch {
		case strings.HasPrefix(src[at:], "/*"):
			depth++
			at += 2
		case strings.HasPrefix(src[at:], "*/"):
			depth--
			at += 2
		default:
			at++
		}
		if depth == 0 {
			return kind, at
		}
	}
	return kind, len(src)
}

// quotedEnd finds the end of a text in quotation marks, from where it began.
func quotedEnd(src string, at int, mark byte) int {
	for ; at < len(src); at++ {
		switch src[at] {
		case '\\':
			at++
		case mark:
			return at + 1
		}
	}
	return len(src)
}

// quote tells a character from a lifetime: 'a' from 'a.
func quote(src string) (tokenKind, int) {
	if strings.HasPrefix(src, `'\`) {
		return textToken, quotedEnd(src, 1, '\'')
	}
	_, size := utf8.DecodeRuneInString(src[1:])
	if strings.HasPrefix(src[1+size:], "'") && size > 0 {
		return textToken, size + 2
	}
	if n := leading(src[1:], wordRune); n > 0 {
		return wordToken, n + 1
	}
	return punctToken, 1
}

// prefixed measures a string with a prefix: b"", br#""#, c"", r"", b”.
// It returns 0 where there is none.
func prefixed(src string) int {
	rest := strings.TrimLeft(src[:min(2, len(src))], "bcr")
	n := min(2, len(src)) - len(rest)
	prefix := src[:n]
	switch prefix {
	case "b", "c":
		if strings.HasPrefix(src[1:], `"`) {
			return quotedEnd(src, 2, '"')
		}
		if prefix == "b" && strings.HasPrefix(src[1:], "'") {
			return quotedEnd(src, 2, '\'')
		}
	case "r", "br", "cr":
		return rawEnd(src, n)
	}
	return 0
}

// rawEnd measures a raw string whose prefix has n bytes; 0 where it is none.
func rawEnd(src string, n int) int {
	hashes := leading(src[n:], func(r rune) bool { return r == '#' })
	open := n + hashes
	if !strings.HasPrefix(src[open:], `"`) {
		return 0
	}
	end := strings.Index(src[open+1:], `"`+strings.Repeat("#", hashes))
	if end < 0 {
		return len(src)
	}
	return open + 1 + end + 1 + hashes
}
