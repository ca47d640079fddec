package katas

import (
	_ "embed" // the texts
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/nearest"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// The texts of the sample katas.
var (
	//go:embed data/string-calculator.md
	stringCalculator string
	//go:embed data/bowling.md
	bowling string
	//go:embed data/roman-numerals.md
	romanNumerals string
	//go:embed data/mars-rover.md
	marsRover string
	//go:embed data/bank-ocr.md
	bankOCR string
)

// ErrUnknown says that this package does not know a name.
var ErrUnknown = errors.New("unknown name")

// Kata is one exercise.
type Kata struct {
	// Name is its name for [Find], for instance "bank-ocr".
	Name string
	// Title is its first heading.
	Title string
	// Text is the whole Markdown.
	Text []byte
	// Criteria is what [ParseCriteria] finds in Text.
	Criteria []Criterion
}

// All returns the sample katas, the easiest first.
func All() []Kata {
	return []Kata{
		parse("string-calculator", stringCalculator),
		parse("bowling", bowling),
		parse("roman-numerals", romanNumerals),
		parse("mars-rover", marsRover),
		parse("bank-ocr", bankOCR),
	}
}

// parse makes a kata from its text, whose first line is the title.
func parse(name, text string) Kata {
	return Kata{
		Name:     name,
		Title:    Title([]byte(text)),
		Text:     []byte(text),
		Criteria: ParseCriteria([]byte(text)),
	}
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

// Find returns the sample kata with that name. Neither case nor the separator
// between words matters. Any other name fails with [ErrUnknown], and the error
// lists the known names and suggests the nearest.
func Find(name string) (Kata, error) {
	key := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
	var known []string
	for _, kata := range All() {
		if kata.Name == key {
			return kata, nil
		}
		known = append(known, kata.Name)
	}
	return Kata{}, unknown(name, key, known)
}

// unknown says what was asked for, what was probably meant and what there is.
func unknown(asked, key string, known []string) error {
	meant := nearest.Of(key, known)
	for _, name := range known {
		if key != "" && strings.Contains(name, key) { // a part of the name is near enough
			meant = name
		}
	}
	if meant != "" {
		meant = "did you mean " + meant + "? "
	}
	return fmt.Errorf("%w: no kata is called %.60q; %sknown are %s", ErrUnknown, asked, meant, strings.Join(known, ", "))
}

// largest is the size of the largest kata that is read, in bytes.
const largest = 1 << 20

// Read returns the text of a kata that somebody asks for: of the sample kata with that
// name, or of the file at a path.
func Read(name, path string) ([]byte, error) {
	known, err := Find(name)
	if err == nil {
		return known.Text, nil
	}
	text, fileErr := wholefile.ReadUpTo(path, largest)
	if fileErr != nil {
		return nil, fmt.Errorf("%w, and no such file can be read (%w)", err, fileErr)
	}
	return text, nil
}
