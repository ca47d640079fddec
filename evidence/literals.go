package evidence

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// otherLiterals makes other ones of the literals in a part of a text.
func otherLiterals(text string, part syntax.Span) (out []syntax.Edit) {
	for _, at := range literalPattern().FindAllStringIndex(text[part.Start:part.End], -1) {
		span := syntax.Span{Start: part.Start + at[0], End: part.Start + at[1]}
		if other := otherLiteral(text[span.Start:span.End]); other != "" {
			out = append(out, syntax.Edit{Span: span, Text: other})
		}
	}
	return out
}

// literalPattern finds numbers and texts.
var literalPattern = lazyregexp.New(`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b\d+(?:\.\d+)?\b`)

var decimalPattern = lazyregexp.New(`^-?\d+(\.\d+)?$`)

// otherLiteral is another literal of the kind of one; empty where that does not show.
func otherLiteral(text string) string {
	last := len(text) - 1
	switch {
	case decimalPattern.MatchString(text):
		sign, digits := "", text
		if text[0] == '-' {
			sign, digits = "-", text[1:]
		}
		return sign + "41" + digits
	case last > 0 && strings.ContainsAny(text[:1], "\"'") && text[last] == text[0]:
		return text[:last] + mark + text[last:]
	}
	return map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[text]
}
