package gates

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var literalPattern = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b\d[\d_]*(?:\.\d+)?\b`)

// Literals are the texts and numbers of a piece of code, each once.
func Literals(code string) (out []string) {
	for _, l := range literalPattern.FindAllString(code, -1) {
		if text := strings.Trim(l, `"'`); text != l {
			l = `"` + text
		} else {
			l = strings.ReplaceAll(l, "_", "")
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}
