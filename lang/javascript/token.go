package javascript

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// kind is what a token is.
type kind int

const (
	signKind kind = iota
	wordKind
	numberKind
	textKind     // between quotes
	templateKind // between backquotes, with all that is put in
	patternKind  // a regular expression
	commentKind
)

// token is a part of a text that means something by itself.
type token struct {
	kind       kind
	start, end int
}

// contents is what stands between the quotes of a token.
func (t token) contents(text string) (start, end int) {
	end = t.end
	if t.end > t.start+1 && text[t.end-1] == text[t.start] {
		end--
	}
	return t.start + 1, end
}

// tokens takes a text apart, comments included. Any text will do: what is not
// closed ends with its line, a template with the text.
func tokens(text string) []token {
	l := lexer{text: text}
	for l.at < len(text) {
		l.next()
	}
	return l.out
}

type lexer struct {
	text string
	at   int
	out  []token
	last int // the last token that is no comment, plus one
}

// next takes in white space or a token.
func (l *lexer) next() {
	rest := l.text[l.at:]
	var size int
	k := signKind
	switch c := rest[0]; {
	case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		l.at++
		return
	case strings.HasPrefix(rest, "//") && !l.address(), strings.HasPrefix(rest, "#!") && l.at == 0:
		size, k = scan.UpTo(rest, "\n"), commentKind
	case strings.HasPrefix(rest, "/*"):
		size, k = min(len(rest), 2+scan.UpTo(rest[2:], "*/")+2), commentKind
	case c == '\'' || c == '"':
		size, k = quoted(rest), textKind
	case c == '`':
		size, k = templateSize(rest), templateKind
	case c == '/' && !l.operand() && !strings.HasSuffix(l.text[:l.at], "<"): // which would close a tag of JSX
		if size = patternSize(rest); size > 1 {
			k = patternKind
		}
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		size, k = len(numberPattern.FindString(rest)), numberKind
	case wordStart(c):
		size, k = wordSize(rest), wordKind
	default:
		size = signSize(rest)
	}
	l.out = append(l.out, token{k, l.at, l.at + size})
	l.at += size
	if k != commentKind {
		l.last = len(l.out)
	}
}

var numberPattern = lazyregexp.New(`^(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*)?\.?\d*(?:[eE][+-]?\d+)?)n?`)

// address reports whether two slashes stand behind a colon, as in an address that
// is text of JSX.
func (l *lexer) address() bool { return l.at > 0 && l.text[l.at-1] == ':' }

// operand reports whether what was read last ends a value, so that a slash
// divides it.
func (l *lexer) operand() bool {
	if l.last == 0 {
		return false
	}
	t := l.out[l.last-1]
	s := l.text[t.start:t.end]
	switch t.kind {
	case wordKind:
		return !slices.Contains([]string{"return", "typeof", "case", "in", "of", "void", "delete", "throw", "new", "else", "do", "await", "yield"}, s)
	case signKind:
		return s == ")" || s == "]" || s == "}" || s == "++" || s == "--"
	case numberKind, textKind, templateKind, patternKind, commentKind:
	}
	return true
}

// quoted is the length of a string, which ends with its line at the latest.
func quoted(rest string) int {
	i := 1
	for i < len(rest) && rest[i] != rest[0] && rest[i] != '\n' {
		if rest[i] == '\\' {
			i++
		}
		i++
	}
	if i < len(rest) && rest[i] == '\n' {
		return i
	}
	return min(i+1, len(rest))
}

// templateSize is the length of a template, in which others may stand.
func templateSize(rest string) int {
	i := 1
	for i < len(rest) && rest[i] != '`' {
		switch {
		case rest[i] == '\\':
			i++
		case strings.HasPrefix(rest[i:], "${"):
			i += substitution(rest[i:]) - 1
		}
		i++
	}
	return min(i+1, len(rest))
}

// substitution is the length of what is put into a template.
func substitution(rest string) int {
	l := lexer{text: rest, at: 2}
	depth := 1
	for l.at < len(rest) {
		before := len(l.out)
		l.next()
		if len(l.out) == before {
			continue
		}
		switch t := l.out[before]; rest[t.start:t.end] {
		case "{", "${":
			depth++
		case "}":
			if depth--; depth == 0 {
				return l.at
			}
		}
	}
	return len(rest)
}

// patternSize is the length of a regular expression with its flags; 1 if there is
// none on the line.
func patternSize(rest string) int {
	class := false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1 + wordSize(rest[i+1:])
		}
	}
	return 1
}

func wordStart(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c == '@' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func wordSize(rest string) int {
	i := 0
	for i < len(rest) && (wordStart(rest[i]) || rest[i] >= '0' && rest[i] <= '9') {
		i++
	}
	return i
}

// signSize is the length of an operator: of several signs, the longest.
func signSize(rest string) int {
	for _, s := range [...]string{
		">>>=", "...", "===", "!==", "**=", "<<=", ">>=", "&&=", "||=", "??=", ">>>", "=>", "==", "!=", "<=", ">=", "&&", "||",
		"??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
	} {
		if strings.HasPrefix(rest, s) && (s != "?." || len(rest) < 3 || rest[2] < '0' || rest[2] > '9') {
			return len(s)
		}
	}
	return 1
}

// mask returns a text of the same length in which comments are blank, and
// one in which the contents of strings and regular expressions are, too.
func mask(text string) (bare, masked string) {
	m := scan.NewMasker(text)
	for _, t := range tokens(text) {
		m.At = t.start
		switch t.kind {
		case commentKind:
			m.Blank(t.end - t.start)
		case signKind, wordKind, numberKind:
		case textKind, templateKind, patternKind:
			m.Hide(t.contents(text))
		}
	}
	return string(m.Bare), string(m.Masked)
}
