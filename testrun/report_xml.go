package testrun

import "bufio"

// XMLTextLimit is how much of one text or attribute of a report is read.
const XMLTextLimit = 256 << 10

// xmlCutter passes XML on and leaves out what is too long of its texts, so that
// a report that holds all that its tests printed needs no more memory than any
// other. What was well-formed is so afterwards.
type xmlCutter struct {
	src  *bufio.Reader
	end  string // of what is under way: "<" of a text, ">" of a tag, "]]>", "-->", a quote
	kept int    // bytes of the text under way
	name bool   // within an entity
	cut  bool   // the rest of this text is left out
}

// Read fills p with what is left of the XML.
func (x *xmlCutter) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c, err := x.src.ReadByte()
		if err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err
		}
		if x.pass(c) {
			p[n] = c
			n++
		}
	}
	return n, nil
}

// pass takes in a byte and reports whether it is passed on.
func (x *xmlCutter) pass(c byte) bool {
	if next := x.next(c); next != x.end { // it belongs to the mark between two of them
		x.end, x.kept, x.name, x.cut = next, 0, false, false
		return true
	}
	if x.end == ">" || x.end == "-->" {
		return true
	}
	x.kept++
	switch {
	case x.cut:
		return false
	case c == '&' && x.end != "]]>":
		x.name = true
	case c == ';':
		x.name = false
	}
	// Nothing is cut in two: no entity, and no character of several bytes.
	if x.kept > XMLTextLimit && !x.name && c < 0x80 {
		x.cut = true
	}
	return true
}

// next is the end of what is under way after a byte.
func (x *xmlCutter) next(c byte) string {
	switch {
	case x.end == ">" && (c == '"' || c == '\''):
		return string(c)
	case c != x.end[0] || !x.ahead(x.end[1:]):
		return x.end
	case x.end == ">":
		return "<"
	case x.end == "<" && x.ahead("![CDATA["):
		return "]]>"
	case x.end == "<" && x.ahead("!--"):
		return "-->"
	}
	return ">" // what is left of a mark ends like a tag
}

// ahead reports whether a text comes next.
func (x *xmlCutter) ahead(text string) bool {
	got, _ := x.src.Peek(len(text)) // what is not there is not the text
	return string(got) == text
}
