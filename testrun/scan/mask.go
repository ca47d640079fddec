package scan

import "strings"

// Masker makes the bare and the masked copy of a text, from its beginning to its
// end. A language looks at what comes next and calls the method for it, or moves At
// over what is code.
type Masker struct {
	Text         string
	Bare, Masked []byte
	At           int // what lies before is done
}

// NewMasker returns a masker at the beginning of a text.
func NewMasker(text string) Masker {
	return Masker{Text: text, Bare: []byte(text), Masked: []byte(text)}
}

// Blank takes out a comment of size bytes, which is next, but for the ends of its
// lines.
func (m *Masker) Blank(size int) {
	end := min(m.At+size, len(m.Text))
	for ; m.At < end; m.At++ {
		if m.Text[m.At] != '\n' {
			m.Bare[m.At], m.Masked[m.At] = ' ', ' '
		}
	}
}

// Hide masks the contents of a string, from start to before end, the ends of lines
// in it too. It does not move At.
func (m *Masker) Hide(start, end int) {
	for i := start; i < end; i++ {
		m.Masked[i] = '_'
	}
}

// Quoted hides the string between two quotes, of which the first is next. A
// backslash escapes.
func (m *Masker) Quoted(quote byte) {
	i := m.At + 1
	for i < len(m.Text) && m.Text[i] != quote {
		if m.Text[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(m.Text))
	m.Hide(m.At+1, i)
	m.At = min(i+1, len(m.Text))
}

// HereDocument hides a here-document as a part of the statement before it. The end
// of that statement's line is next, and a line that holds end alone, but for tabs
// before it, is the document's last.
func (m *Masker) HereDocument(end string) {
	start := m.At
	m.At = min(m.At+1, len(m.Text))
	for m.At < len(m.Text) {
		size := UpTo(m.Text[m.At:], "\n")
		line := m.Text[m.At : m.At+size]
		m.At += size
		if strings.TrimLeft(line, "\t") == end {
			break
		}
		m.At = min(m.At+1, len(m.Text))
	}
	m.Hide(start, m.At)
}

// UpTo is the length of a text before a mark, or all of it.
func UpTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// Unquoted takes the backslashes out of the escaped quotes of a string.
func Unquoted(title string) string {
	return strings.NewReplacer(`\'`, `'`, `\"`, `"`, "\\`", "`", `\\`, `\`).Replace(title)
}
