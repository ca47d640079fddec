package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// directivePattern finds comments that are read when the code runs or is built: what
// runs a file, its encoding, and what Cython and type checkers are told.
var directivePattern = lazyregexp.New(`^#(?:!|.*coding[:=]|\s*(?:cython|distutils|type)\s*:)`)

// code is a source without its comments and its layout. What a line is indented by
// counts only as being more or less than the line before.
func code(content string) string {
	t := page().Parse(content)
	out := directives(t)
	var indents []int
	for i := range t.Len() {
		if t.Begins(i) {
			if i > 0 {
				out = append(out, ";")
			}
			indent := t.Indent(i)
			for len(indents) > 0 && indents[len(indents)-1] > indent {
				indents = indents[:len(indents)-1]
				out = append(out, "}")
			}
			if len(indents) == 0 || indents[len(indents)-1] < indent {
				indents = append(indents, indent)
				out = append(out, "{")
			}
		}
		out = append(out, t.Word(i))
	}
	return strings.Join(out, "\n")
}

// directives are the comments that count.
func directives(t *syntax.Tree) []string {
	var out []string
	for _, c := range t.Comments() {
		comment := strings.TrimSpace(t.Text[c.Start:c.End])
		kind := directivePattern.FindString(comment)
		if kind != "" && (strings.Count(t.Text[:c.Start], "\n") < 2 || strings.HasSuffix(kind, ":")) {
			out = append(out, comment)
		}
	}
	return out
}
