package syntax

import "strings"

// Form is how a text looks, as "text", """text""" or r#"text"#.
type Form struct {
	Begins string // what may begin it, the longer ones first, with blanks between them
	Fence  string // a sign that may stand before the quote, and as often behind the last one
	Raw    bool   // a backslash escapes nothing
	Line   bool   // it ends with its line at the latest
	Holds  bool   // values may stand in it, as ${value}
}

// formed measures a text of one of the forms at the beginning of rest.
func (l Lexis) formed(rest string) int {
	for _, f := range l.Forms {
		for begin := range strings.FieldsSeq(f.Begins) {
			before, quote := begin[:len(begin)-1], begin[len(begin)-1:]
			behind, ok := strings.CutPrefix(rest, before)
			fence := behind[:len(behind)-len(strings.TrimLeft(behind, f.Fence))]
			if ok && strings.HasPrefix(behind[len(fence):], quote) {
				if strings.HasSuffix(begin, strings.Repeat(quote, 3)) {
					quote = strings.Repeat(quote, 3)
				}
				return l.ending(f, rest, len(begin)+len(fence), quote+fence)
			}
		}
	}
	return 0
}

// ending is where a text of a form ends that is read up to a place.
func (l Lexis) ending(f Form, rest string, at int, end string) int {
	for ; at < len(rest); at++ {
		switch {
		case strings.HasPrefix(rest[at:], end):
			for at += len(end); f.Raw && end == `"""` && strings.HasPrefix(rest[at:], `"`); at++ { // before the last three
			}
			return at
		case f.Line && rest[at] == '\n':
			return at
		case !f.Raw && rest[at] == '\\':
			at++
		case f.Holds && strings.HasPrefix(rest[at:], "${"):
			at += l.Enclosed(rest[at+1:])
		}
	}
	return len(rest)
}
