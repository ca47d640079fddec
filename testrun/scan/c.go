package scan

import (
	"bytes"
	"strings"
)

// MaskC masks a text of a language that has the comments and strings of C, with
// text blocks as in Java and raw strings as in C++: in bare comments are blank, in
// masked the contents of strings are hidden, too.
func MaskC(text string) (bare, masked string) {
	b, m := []byte(text), []byte(text)
	for at := 0; at < len(text); {
		rest := text[at:]
		var size int
		switch {
		case strings.HasPrefix(rest, "//"):
			size = UpTo(rest, "\n")
			blankOut(b[at : at+size])
			blankOut(m[at : at+size])
		case strings.HasPrefix(rest, "/*"):
			size = min(len(rest), 2+UpTo(rest[2:], "*/")+2)
			blankOut(b[at : at+size])
			blankOut(m[at : at+size])
		case strings.HasPrefix(rest, `"""`):
			size = min(len(rest), 3+UpTo(rest[3:], `"""`)+3)
			maskOut(m[at+1 : at+size-1])
		case strings.HasPrefix(rest, `R"`): // of C++
			size = rawSize(rest)
			maskOut(m[min(at+2, at+size) : at+size])
		case rest[0] == '"' || rest[0] == '\'' && charLiteral(rest):
			size = quotedSize(rest)
			maskOut(m[at+1 : max(at+1, at+size-1)])
		default:
			size = 1
		}
		at += size
	}
	return string(b), string(m)
}

// rawSize is the length of a literal R"mark(…)mark" of C++.
func rawSize(text string) int {
	mark := UpTo(text[2:], "(")
	if mark > 16 {
		return 2
	}
	end := ")" + text[2:2+mark] + `"`
	return min(len(text), 2+mark+UpTo(text[2+mark:], end)+len(end))
}

// charLiteral reports whether a text begins with a literal of one character. In
// C++ a quote may also stand within a number.
func charLiteral(text string) bool {
	size := quotedSize(text)
	return size >= 3 && size <= 12 && text[size-1] == '\''
}

// quotedSize is the length of a literal that does not go over the end of its line.
func quotedSize(text string) int {
	i := 1
	for i < len(text) && text[i] != text[0] && text[i] != '\n' {
		if text[i] == '\\' {
			i++
		}
		i++
	}
	return min(i+1, len(text))
}

// blankOut takes a part of a text out, but for the ends of its lines.
func blankOut(part []byte) {
	for i, c := range part {
		if c != '\n' {
			part[i] = ' '
		}
	}
}

// maskOut makes a part of a text unreadable.
func maskOut(part []byte) { copy(part, bytes.Repeat([]byte("_"), len(part))) }

// Unquoted takes the backslashes out of the escaped quotes of a string.
func Unquoted(title string) string {
	return strings.NewReplacer(`\'`, `'`, `\"`, `"`, "\\`", "`", `\\`, `\`).Replace(title)
}
