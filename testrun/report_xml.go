package testrun

import (
	"bufio"
	"io"
)

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

func newXMLCutter(src io.Reader) *xmlCutter { return &xmlCutter{src: bufio.NewReader(src)} }

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
	if x.ends(c) {
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

// ends reports whether a byte belongs to the mark at which one thing ends and
// another begins.
func (x *xmlCutter) ends(c byte) bool {
	next := x.next(c)
	if next == x.state {
		return false
	}
	x.state, x.kept, x.name, x.cut = next, 0, false, false
	return true
}

// next is the state after a byte.
func (x *xmlCutter) next(c byte) xmlState {
	switch {
	case x.state == xmlText && c == '<':
		return x.begin()
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

// begin says what a < opens.
func (x *xmlCutter) begin() xmlState {
	switch {
	case x.ahead("![CDATA["):
		return xmlData
	case x.ahead("!--"):
		return xmlComment
	}
	return xmlTag
}

// ahead reports whether a text comes next.
func (x *xmlCutter) ahead(text string) bool {
	got, _ := x.src.Peek(len(text)) // what is not there is not the text
	return string(got) == text
}
