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
	section, item := false, false // whether one is open
	for line := range strings.Lines(body) {
		text, last := strings.TrimSpace(line), len(found)-1
		title, isTitle := titleIn(line)
		switch {
		case text == "":
			item = false
		case line[0] == comment:
		case strings.HasPrefix(text, "- "):
			if item = section; item {
				found[last].Items = append(found[last].Items, strings.TrimSpace(text[1:]))
			}
		case isTitle:
			found = append(found, Section{Title: title})
			section, item = true, false
		case item:
			items := found[last].Items
			items[len(items)-1] += " " + text
		default:
			section = false
		}
	}
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
