package testrun

import (
	"regexp"
	"strings"
)

// masker takes out of a source what is no code, in two copies of the same
// length: in one comments are blank, in the other the contents of strings are
// hidden, too.
type masker struct {
	text         string
	bare, masked []byte
	at           int // what lies before is done
}

func newMasker(text string) masker {
	return masker{text: text, bare: []byte(text), masked: []byte(text)}
}

// blank takes a comment out.
func (m *masker) blank(size int) {
	end := min(m.at+size, len(m.text))
	for ; m.at < end; m.at++ {
		if m.text[m.at] != '\n' {
			m.bare[m.at], m.masked[m.at] = ' ', ' '
		}
	}
}

// hide masks the contents of a string, the ends of lines in it too.
func (m *masker) hide(start, end int) {
	for i := start; i < end; i++ {
		m.masked[i] = '_'
	}
}

// quoted hides what stands between two signs, of which the first is next.
func (m *masker) quoted(quote byte) {
	i := m.at + 1
	for i < len(m.text) && m.text[i] != quote {
		if m.text[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(m.text))
	m.hide(m.at+1, i)
	m.at = min(i+1, len(m.text))
}

// upTo is the length of a text before a mark, or all of it.
func upTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// codeLine is a statement that stands on a line, or on several that belong
// together, in both forms of a masker.
type codeLine struct {
	indent       int
	bare, masked string
}

// folded is the statement without its line breaks.
func (l codeLine) folded() string { return strings.Join(strings.Fields(l.bare), " ") }

// codeLines cuts a masked source into statements: a line goes on where brackets
// are open, or where more says so of it and of what follows.
func codeLines(bare, masked string, more func(line, next string) bool) []codeLine {
	var out []codeLine
	for start := 0; start < len(masked); {
		end, depth := start, 0
		for {
			size := upTo(masked[end:], "\n")
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
			out = append(out, codeLine{
				indent: len(line) - len(strings.TrimLeft(line, " \t\n")),
				bare:   bare[start:end], masked: line,
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

// expectations lists the statements that say what is expected, each behind the
// blocks that it stands in.
func expectations(lines []codeLine, expects *regexp.Regexp, block func(masked string) bool) []string {
	var out []string
	var under []codeLine
	for _, line := range lines {
		for len(under) > 0 && under[len(under)-1].indent >= line.indent {
			under = under[:len(under)-1]
		}
		trimmed := strings.TrimSpace(line.masked)
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

// openBlocks opens the braces at the ends of lines, so that what stands in a
// block counts statement by statement.
func openBlocks(masked string) string {
	return regexp.MustCompile(`\{[ \t]*(\r?\n)`).ReplaceAllStringFunc(masked, func(s string) string { return ";" + s[1:] })
}

// headed lists the texts that begin where head matches the masked text
// and end where end says, given the text, the beginning and the end of the head.
func headed(bare, masked string, head *regexp.Regexp, end func(masked string, start, at int) int) []string {
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

// document hides a here-document as a part of the statement before it.
func (m *masker) document(end string) {
	start := m.at
	m.at = min(m.at+1, len(m.text))
	for m.at < len(m.text) {
		size := upTo(m.text[m.at:], "\n")
		line := m.text[m.at : m.at+size]
		m.at += size
		if strings.TrimLeft(line, "\t") == end {
			break
		}
		m.at = min(m.at+1, len(m.text))
	}
	m.hide(start, m.at)
}
