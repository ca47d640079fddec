package commitmsg

import (
	"slices"
	"strings"
)

// Message is a commit message taken apart.
type Message struct {
	// Subject is the first line that is neither blank nor one of git's comments,
	// as it stands, without its line ending.
	Subject string
	// Body is the text between the subject and the trailers, without blank lines
	// around it, and without the comments, conflict list and scissors part that
	// git puts at the end of the text in an editor.
	Body string
	// Sections are the lists in the body, in their order.
	Sections []Section
	// Trailers are what git takes for trailers, in their order.
	Trailers []Trailer

	// suspects are lines near the trailers, outside the body, that a reader could
	// take for our trailers although git does not.
	suspects []string
}

// Parse takes a message apart. Any text is a message. Like git, it reads no further than a NUL byte.
func Parse(text string) Message {
	text = beforeNUL(text)
	b := locate(text)
	s := subjectOf(text[:b.end])
	m := Message{
		Subject:  strings.TrimSuffix(strings.TrimSuffix(text[s.start:s.end], "\n"), "\r"),
		Trailers: trailersIn(b.of(text)),
		suspects: suspectsIn(text[b.start:scissors(text)]),
	}
	if !s.empty() && s.end < b.start {
		m.Body = trimBlankLines(text[s.end:b.start])
		m.Sections = sectionsIn(m.Body)
	}
	return m
}

// subjectOf finds the line of the subject with its line ending. The block is
// empty if there is no subject.
func subjectOf(text string) block {
	pos := 0
	for line := range strings.Lines(text) {
		if !isBlank(line) && !isNotice(line) {
			return block{start: pos, end: pos + len(line)}
		}
		pos += len(line)
	}
	return block{}
}

// isNotice reports whether a line is a comment for the person in the editor.
// "#12 fix the parser" names an issue and is not a comment.
func isNotice(line string) bool {
	return line[0] == comment && (len(line) == 1 || line[1] < '0' || line[1] > '9')
}

// trimBlankLines removes blank lines from both ends; the first non-blank line keeps its indentation.
func trimBlankLines(text string) string {
	text = strings.TrimRight(text, space)
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || !isBlank(line) {
			return text
		}
		text = rest
	}
}

// Get returns the last value of a trailer: as in git, later lines win. Keys are
// compared without regard to case.
func (m Message) Get(key string) (string, bool) {
	values := m.All(key)
	if len(values) == 0 {
		return "", false
	}
	return values[len(values)-1], true
}

// Value is the last value of a trailer; empty if it has none.
func (m Message) Value(key string) string {
	v, _ := m.Get(key)
	return v
}

// All returns every value of a trailer in order. Keys are compared without regard to case.
func (m Message) All(key string) []string {
	var values []string
	for _, t := range m.Trailers {
		if strings.EqualFold(t.Key, key) {
			values = append(values, t.Value)
		}
	}
	return values
}

// Section returns the first section of that title, without regard to case.
func (m Message) Section(title string) (Section, bool) {
	for _, s := range m.Sections {
		if strings.EqualFold(s.Title, title) {
			return s, true
		}
	}
	return Section{}, false
}

// Section is a titled list of the body.
type Section struct {
	Title string   // without its colon
	Items []string // at least one; each is one line, without its hyphen
}

// sectionsIn reads the sections of a body. A line that ends in a colon opens a
// section; "- " opens an item; any other line continues the item above it, or
// ends the section after a blank line. A title without items is prose.
func sectionsIn(body string) []Section {
	var found []Section
	var item []string // the lines of the open item
	closeItem := func() {
		if last := len(found) - 1; item != nil {
			found[last].Items = append(found[last].Items, strings.Join(item, " "))
		}
		item = nil
	}
	open := false // whether a section is
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		title, isTitle := titleIn(line)
		switch {
		case text == "":
			closeItem()
		case line[0] == comment:
		case strings.HasPrefix(text, "- "):
			if closeItem(); open {
				item = []string{strings.TrimSpace(text[1:])}
			}
		case isTitle:
			closeItem()
			found, open = append(found, Section{Title: title}), true
		case item != nil:
			item = append(item, text)
		default:
			open = false
		}
	}
	closeItem()
	return slices.DeleteFunc(found, func(s Section) bool { return len(s.Items) == 0 })
}

// titleIn reads the title of a section from a line. One space before it is
// allowed: that is how String defuses a line that git would misread.
func titleIn(line string) (string, bool) {
	title, ends := strings.CutSuffix(strings.TrimSpace(line), ":")
	title = strings.TrimSpace(title)
	return title, ends && title != "" && title[0] != comment && !isIndented(strings.TrimPrefix(line, " "))
}

// formatSections writes sections as paragraphs, leaving out empty ones.
func formatSections(sections []Section) string {
	var paragraphs []string
	for _, s := range sections {
		lines := []string{oneLine(s.Title) + ":"}
		for _, item := range s.Items {
			if item = oneLine(item); item != "" {
				lines = append(lines, "- "+item)
			}
		}
		if len(lines) > 1 {
			paragraphs = append(paragraphs, strings.Join(lines, "\n"))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// oneLine joins the lines of a text with spaces.
func oneLine(text string) string { return strings.TrimSpace(unfold(text)) }
