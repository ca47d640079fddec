package evidence

import (
	"path"
	"strings"
)

// Remarked is a source that does the same and reads otherwise: a comment stands behind each
// of the first lines in which a mutant begins, if its code, without comments and layout, stays
// as it was. A test that notices reads the text of sources. Not ok if there is no such line.
func Remarked(s Source, code func(string) string) (text string, ok bool) {
	const most = 20 // mutants: each asks for the code of the whole
	lines := strings.Split(s.Content, "\n")
	plain := code(s.Content)
	same := func() bool {
		text := strings.Join(lines, "\n")
		return code(text) == plain && !templated(s.Path, text)
	}
	for _, m := range s.Mutants[:min(len(s.Mutants), most)] {
		at := strings.Count(s.Content[:m.Edit.Start], "\n")
		was := lines[at]
		for _, remark := range []string{" # as before", " // as before"} {
			if strings.HasSuffix(was, remark) || strings.HasSuffix(was, `\`) {
				break
			}
			if lines[at] = was + remark; same() {
				ok = true
				break
			}
			lines[at] = was
		}
	}
	return strings.Join(lines, "\n"), ok
}

// templated reports whether a source may hold text that it writes as it stands, between tags.
func templated(name, text string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".tsx":
		return strings.Contains(text, "</")
	case ".php":
		return strings.Contains(text, "?>")
	}
	return false
}
