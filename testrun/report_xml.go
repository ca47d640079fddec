package testrun

import "bufio"

// XMLTextLimit is how much of one text or attribute of a report is read.
const XMLTextLimit = 256 << 10

// xmlCutter passes XML on and leaves out what is too long of its texts, so that
// a report that holds all that its tests printed needs no more memory than any
// other. What was well-formed is so afterwards.
type xmlCutter struct {
	src   *bufio.Reader
	state xmlState
	kept  int  // bytes of the text under way
	name  bool // within an entity
	cut   bool // the rest of this text is left out
}

// xmlState says within what a place of XML is.
type xmlState byte

const (
	xmlText    xmlState = iota
	xmlTag              // between < and >
	xmlData             // within <![CDATA[ and ]]>
	xmlComment          // within <!-- and -->
	xmlSingle           // within the quotes of an attribute
	xmlDouble
)

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
	if next := x.next(c); next != x.state { // it belongs to the mark between two of them
		x.state, x.kept, x.name, x.cut = next, 0, false, false
		return true
	}
	if x.state == xmlTag || x.state == xmlComment {
		return true
	}
	x.kept++
	switch {
	case x.cut:
		return false
	case c == '&' && x.state != xmlData:
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

// next is the state after a byte.
func (x *xmlCutter) next(c byte) xmlState {
	switch {
	case x.state == xmlText && c == '<' && x.ahead("![CDATA["):
		return xmlData
	case x.state == xmlText && c == '<' && x.ahead("!--"):
		return xmlComment
	case x.state == xmlText && c == '<':
		return xmlTag
	case x.state == xmlTag && c == '>':
		return xmlText
	case x.state == xmlTag && c == '"':
		return xmlDouble
	case x.state == xmlTag && c == '\'':
		return xmlSingle
	case x.state == xmlDouble && c == '"', x.state == xmlSingle && c == '\'',
		x.state == xmlData && c == ']' && x.ahead("]>"), x.state == xmlComment && c == '-' && x.ahead("->"):
		return xmlTag // what is left of a mark ends like a tag
	}
	return x.state
}

// ahead reports whether a text comes next.
func (x *xmlCutter) ahead(text string) bool {
	got, _ := x.src.Peek(len(text)) // what is not there is not the text
	return string(got) == text
}
