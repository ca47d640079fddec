package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// directivePattern finds comments that are read when the code runs or is built: what
// runs a file, its encoding, and what Cython and type checkers are told.
var directivePattern = lazyregexp.New(`^#(?:!|.*coding[:=]|\s*(?:cython|distutils|type)\s*:)`)

// code is a source without its comments and its layout. What a line is indented by
// counts only as being more or less than the line before.
func code(content string) string {
	bare, masked := mask(content)
	s := &source{text: content, bare: bare, masked: masked}
	out := directives(content, bare)
	var indents []int
	for _, line := range lines(bare, masked) {
		for len(indents) > 0 && indents[len(indents)-1] > line.Indent {
			indents = indents[:len(indents)-1]
			out = append(out, "}")
		}
		if len(indents) == 0 || indents[len(indents)-1] < line.Indent {
			indents = append(indents, line.Indent)
			out = append(out, "{")
		}
		out = s.flat(out, line.Start, line.Start+len(line.Masked))
		out = append(out, ";")
	}
	return strings.Join(out, "\n")
}

// flat adds all tokens of a part of the text, those in brackets too.
func (s *source) flat(out []string, start, end int) []string {
	for _, t := range s.tokens(start, end) {
		if t.kind != group {
			out = append(out, s.read(t.Span))
			continue
		}
		out = append(out, s.text[t.Start:t.Start+1])
		out = s.flat(out, t.Start+1, max(t.Start+1, t.End-1))
		out = append(out, s.text[max(t.Start+1, t.End-1):t.End])
	}
	return out
}

// directives are the comments that count.
func directives(content, bare string) []string {
	var out []string
	at := 0
	for number, line := range strings.Split(content, "\n") {
		kept := strings.TrimRight(bare[at:at+len(line)], " \t\r")
		comment := strings.TrimSpace(line[min(len(kept), len(line)):])
		if kind := directivePattern.FindString(comment); kind != "" && (number < 2 || strings.HasSuffix(kind, ":")) {
			out = append(out, comment)
		}
		at += len(line) + 1
	}
	return out
}
