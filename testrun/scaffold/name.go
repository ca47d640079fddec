package scaffold

import (
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// fallback names a project whose own name leaves nothing to use, and keeps
	// a name that is taken or begins with a digit apart.
	fallback = "kata"
	// longest keeps the names of build products below what file systems allow.
	longest = 64
)

// deviceNames mean something to Windows, where no file can be called so.
const deviceNames = ` aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con
		lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn`

// Identifier turns any text into a name for a project: lower-case ASCII letters
// and digits, in words that are joined as the language has it. Accents are dropped
// and every other sign parts words. A name that is taken gets "kata" behind it, one
// that begins with a digit gets it in front.
func (t Template) Identifier(project string) string {
	name := strings.Join(asciiWords(project), t.Join)
	if name == "" {
		return fallback
	}
	if unicode.IsDigit(rune(name[0])) {
		name = fallback + t.Join + name
	}
	name = strings.TrimRight(name[:min(len(name), longest)], t.Join)
	taken, _ := fs.ReadFile(t.Files, "scaffold/taken.txt") // a language may have none
	if slices.Contains(strings.Fields(string(taken)+deviceNames), name) {
		name += t.Join + fallback
	}
	return name
}

// asciiWords returns the runs of ASCII letters and digits of a text, in lower
// case and without accents.
func asciiWords(text string) []string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent, set apart from its letter
			return -1
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFKD.String(text))
	return strings.Fields(plain)
}
