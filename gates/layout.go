package gates

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// ownText is the text of one test: the line that declares it, the attributes
// directly above, a brace below it, and the indented lines below. In every language that people
// format, the layout shows where a test ends; white space itself does not
// count.
func ownText(f *File, name string) string {
	lines := strings.Split(sideOf(f).Test, "\n")
	first, last := ownLines(lines, name)
	return strings.Join(strings.Fields(strings.Join(lines[first:last], "\n")), " ")
}

// OwnLines is where the text of a test begins and ends in a file, in lines from zero.
func OwnLines(text, name string) (first, last int) { return ownLines(strings.Split(text, "\n"), name) }

// ownLines is where the text of one test begins and ends; twice 0 if it is not
// there.
func ownLines(lines []string, name string) (first, last int) {
	at := declaration(lines, name)
	if at < 0 {
		return 0, 0
	}
	first = at
	for above := attributes(lines, first); above < first; above = attributes(lines, first) {
		first = above
	}
	below := func(i int) bool {
		text := strings.TrimSpace(lines[i])
		return text == "" || Indent(lines[i]) > Indent(lines[at]) || i == at+1 && text == "{"
	}
	var within openText
	within.read(lines[at])
	for last = at + 1; last < len(lines) && (within != "" || below(last)); last++ {
		within.read(lines[last])
	}
	if within != "" { // it has no end, so it was none
		for last = at + 1; last < len(lines) && below(last); last++ {
		}
	}
	return first, last
}

// attributes is where the attribute begins that stands directly above a line, in one line or
// in several between brackets; the line itself if there is none.
func attributes(lines []string, below int) int {
	at := below - 1
	if at < 0 || attribute(lines[at]) {
		return max(at, 0)
	}
	if closing := strings.TrimSpace(lines[at]); closing == "" || strings.Trim(closing, ")]},") != "" || Indent(lines[at]) != Indent(lines[below]) {
		return below
	}
	for at--; at > 0 && Indent(lines[at]) > Indent(lines[below]); at-- {
	}
	if at < 0 || !attribute(lines[at]) || Indent(lines[at]) != Indent(lines[below]) {
		return below
	}
	return at
}

// openText is what ends a text of several lines that is open behind a line; empty if none is.
type openText string

// heredocPattern finds where a text begins that a word ends on a line of its own.
var heredocPattern = lazyregexp.New(`<<[<~-]?\s*["']?([A-Z_]\w*)["']?`)

// read goes on behind a line.
func (o *openText) read(line string) {
	if *o != "" && wordByte((*o)[0]) { // a word
		if strings.HasPrefix(strings.TrimSpace(line), string(*o)) {
			*o = ""
		}
		return
	}
	for rest := line; rest != ""; {
		length := 1 // of what goes on as it began
		switch {
		case *o != "":
			_, behind, ends := strings.Cut(rest, string(*o))
			if !ends {
				return
			}
			*o, length = "", len(rest)-len(behind)
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			*o, length = openText(rest[:3]), 3
		case rest[0] == '`':
			*o = "`"
		case rest[0] == '"', rest[0] == '\'':
			length = quoted(rest)
		case rest[0] == '\\':
			length = min(2, len(rest))
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			return
		}
		rest = rest[length:]
	}
	if hit := heredocPattern().FindStringSubmatch(line); hit != nil && *o == "" {
		*o = openText(hit[1])
	}
}

// quoted is the length of a text between quotes; 1 if it does not end on the line.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 1
}
