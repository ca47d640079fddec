package scan

import (
	"regexp"
	"strings"
)

// Masker takes out of a source what is no code, in two copies of the same
// length: in one comments are blank, in the other the contents of strings are
// hidden, too.
type Masker struct {
	Text         string
	Bare, Masked []byte
	At           int // what lies before is done
}

func NewMasker(text string) Masker {
	return Masker{Text: text, Bare: []byte(text), Masked: []byte(text)}
}

// Blank takes a comment out.
func (m *Masker) Blank(size int) {
	end := min(m.At+size, len(m.Text))
	for ; m.At < end; m.At++ {
		if m.Text[m.At] != '\n' {
			m.Bare[m.At], m.Masked[m.At] = ' ', ' '
		}
	}
}

// Hide masks the contents of a string, the ends of lines in it too.
func (m *Masker) Hide(start, end int) {
	for i := start; i < end; i++ {
		m.Masked[i] = '_'
	}
}

// Quoted hides what stands between two signs, of which the first is next.
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

// UpTo is the length of a text before a mark, or all of it.
func UpTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// Line is a statement that stands on a line, or on several that belong
// together, in both forms of a masker.
type Line struct {
	indent       int
	Bare, Masked string
}

// folded is the statement without its line breaks.
func (l Line) folded() string { return strings.Join(strings.Fields(l.Bare), " ") }

// Lines cuts a masked source into statements: a line goes on where brackets
// are open, or where more says so of it and of what follows.
func Lines(bare, masked string, more func(line, next string) bool) []Line {
	var out []Line
	for start := 0; start < len(masked); {
		end, depth := start, 0
		for {
			size := UpTo(masked[end:], "\n")
			depth = max(0, depth+balance(masked[end:end+size]))
			end += size
			next := strings.TrimLeft(masked[end:], " \t\n")
			if end == len(masked) || depth == 0 && !more(strings.TrimRight(masked[start:end], " \t"), next) {
				break
			}
			end++
		}
		line := masked[start:end]
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			out = append(out, Line{
				indent: len(line) - len(strings.TrimLeft(line, " \t\n")),
				Bare:   bare[start:end], Masked: line,
			})
		}
		start = end + 1
	}
	return out
}

// balance is how many brackets a text leaves open.
func balance(masked string) int {
	depth := 0
	for i := range len(masked) {
		switch masked[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return depth
}

// Expectations lists the statements that say what is expected, each behind the
// blocks that it stands in.
func Expectations(lines []Line, expects *regexp.Regexp, block func(masked string) bool) []string {
	var out []string
	var under []Line
	for _, line := range lines {
		for len(under) > 0 && under[len(under)-1].indent >= line.indent {
			under = under[:len(under)-1]
		}
		trimmed := strings.TrimSpace(line.Masked)
		if expects.MatchString(trimmed) {
			var text strings.Builder
			for _, u := range under {
				text.WriteString(u.folded() + " ")
			}
			out = append(out, text.String()+line.folded())
		}
		if block(trimmed) {
			under = append(under, line)
		}
	}
	return out
}

// OpenBlocks opens the braces at the ends of lines, so that what stands in a
// block counts statement by statement.
func OpenBlocks(masked string) string {
	return regexp.MustCompile(`\{[ \t]*(\r?\n)`).ReplaceAllStringFunc(masked, func(s string) string { return ";" + s[1:] })
}

// Headed lists the texts that begin where head matches the masked text
// and end where end says, given the text, the beginning and the end of the head.
func Headed(bare, masked string, head *regexp.Regexp, end func(masked string, start, at int) int) []string {
	var out []string
	for at := 0; ; {
		hit := head.FindStringIndex(masked[at:])
		if hit == nil {
			return out
		}
		start := at + hit[0]
		at = end(masked, start, at+hit[1])
		out = append(out, strings.Join(strings.Fields(bare[start:at]), " "))
	}
}

// Document hides a here-document as a part of the statement before it.
func (m *Masker) Document(end string) {
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
