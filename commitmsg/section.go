package commitmsg

import (
	"slices"
	"strings"
)

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
