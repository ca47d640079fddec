package katas

import (
	"embed"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/nearest"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

//go:embed data/*.md
var data embed.FS

// ErrUnknown says that this package does not know a name.
var ErrUnknown = errors.New("unknown name")

// Names are the names of the sample katas, the easiest first.
func Names() []string {
	return []string{"string-calculator", "bowling", "roman-numerals", "mars-rover", "bank-ocr"}
}

// Title is the first heading of any kata's Markdown; empty if it has none.
func Title(text []byte) string {
	for _, l := range split(text) {
		if title := strings.TrimLeft(l.text, "#"); title != l.text {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// Find returns the Markdown of the sample kata with that name. Neither case nor the
// separator between words matters. Any other name fails with [ErrUnknown], and the error
// lists the known names and suggests the nearest.
func Find(name string) ([]byte, error) {
	key := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
	meant := nearest.Of(key, Names())
	for _, known := range Names() {
		if known == key {
			return data.ReadFile("data/" + key + ".md")
		}
		if key != "" && strings.Contains(known, key) { // a part of the name is near enough
			meant = known
		}
	}
	if meant != "" {
		meant = "did you mean " + meant + "? "
	}
	return nil, fmt.Errorf("%w: no kata is called %.60q; %sknown are %s", ErrUnknown, name, meant, strings.Join(Names(), ", "))
}

// largest is the size of the largest kata that is read, in bytes.
const largest = 1 << 20

// Read returns the text of a kata that somebody asks for: of the sample kata with that
// name, or of the file at a path; nil if no name is given.
func Read(name, path string) ([]byte, error) {
	known, err := Find(name)
	if err == nil || name == "" {
		return known, nil
	}
	text, fileErr := wholefile.ReadUpTo(path, largest)
	if fileErr != nil {
		return nil, fmt.Errorf("%w, and no such file can be read (%w)", err, fileErr)
	}
	return text, nil
}
