package rust

import (
	"slices"
	"strings"
)

// code is a source without its comments and its layout. Documentation stays:
// macros make help texts of it, and its examples are tests.
func code(content string) string {
	r := parse(content)
	var out strings.Builder
	end := -1
	for _, t := range r.tokens {
		if t.blank() {
			continue
		}
		joined := t.kind == punctToken && t.start == end && strings.Contains("=<>&|.:", t.text(content))
		if !joined {
			out.WriteByte('\n')
		}
		out.WriteString(t.text(content))
		if end = -1; t.kind == punctToken && !strings.Contains("()[]{},;", t.text(content)) {
			end = t.end
		}
	}
	return out.String()
}

// code is a source without the tokens that mean nothing to the compiler, and
// without documentation.
func (r source) code() source {
	return grouped(r.src, slices.DeleteFunc(slices.Clone(r.tokens), func(t token) bool { return t.blank() || t.kind == docToken }))
}
