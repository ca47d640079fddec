package commitmsg

import "strings"

// Section is a titled list of the body.
type Section struct {
	Title string   // without its colon
	Items []string // at least one; each is one line, without its hyphen
}

// sectionsIn reads the sections of a body. A line that ends in a colon opens a
// section; "- " opens an item; any other line continues the item above it, or
// ends the section after a blank line. A title without items is prose.
func sectionsIn(body string) []Section {
	var r sectionReader
	for line := range strings.Lines(body) {
		r.read(line)
	}
	r.closeItem()
	return r.found
}

type sectionReader struct {
	found []Section
	title string   // of the open section; empty if none is open
	fresh bool     // the open section has no item yet
	item  []string // the lines of the open item
}

func (r *sectionReader) read(line string) {
	text := strings.TrimSpace(line)
	title, isTitle := titleIn(line)
	switch {
	case text == "":
		r.closeItem()
	case line[0] == comment:
	case strings.HasPrefix(text, "- "):
		r.closeItem()
		r.item = []string{strings.TrimSpace(text[1:])}
	case isTitle:
		r.closeItem()
		r.title, r.fresh = title, true
	case r.item != nil:
		r.item = append(r.item, text)
	default:
		r.title = ""
	}
}

// closeItem adds the open item to the open section.
func (r *sectionReader) closeItem() {
	item := r.item
	r.item = nil
	if item == nil || r.title == "" {
		return
	}
	if r.fresh {
		r.found = append(r.found, Section{Title: r.title})
		r.fresh = false
	}
	last := &r.found[len(r.found)-1]
	last.Items = append(last.Items, strings.Join(item, " "))
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
