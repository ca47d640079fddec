package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// inputs is how inputs are altered in a round: to values that are near, to one of those at
// which the sources may decide, to another input of the test, the last one to none at all (0,
// ""), or to the contrary: numbers to negative ones, which some types lack, and texts to the
// other case, between spaces. Or they stay, and what is asked with them is asked twice, or
// also before what the test does first.
type inputs struct {
	numbers, texts []string
	manner         manner
}

// manner is a way to alter inputs. From toDecisive on, each is another one of the decisive
// values.
type manner int

const (
	twice manner = iota
	again
	early
	toContrary
	toNone
	toOther
	toNear
	toDecisive
)

// String says how a test is asked, in words.
func (m manner) String() string {
	if m <= early {
		return "asked the same before in this test"
	}
	return "with other values in this test"
}

// maxDecisive is how many decisive values each input is given.
const maxDecisive = 4

// manners are the ways that there are, the most telling first.
func (in inputs) manners() (out []manner) {
	for n := range min(max(len(in.numbers), len(in.texts)), maxDecisive) {
		out = append(out, toDecisive+manner(n))
	}
	return slices.Insert(out, min(1, len(out)), toContrary, twice, early, toOther, toNone, toNear)
}

// special has the signs by which a text may mean more than it says.
const special = `\$%{`

// instead is another input than input i of those that a test has; empty if there is none.
func (in inputs) instead(all []string, i int) string {
	literal := all[i]
	number := literal[0] != '"' && literal[0] != '\''
	pick := func(list []string) string {
		if len(list) == 0 || in.manner < toDecisive {
			return ""
		}
		return list[(i+int(in.manner-toDecisive))%len(list)]
	}
	switch {
	case in.manner == toOther:
		return another(all, i)
	case in.manner == toNone && i < len(all)-1:
		return "" // a check before the last would fail first
	case number && in.manner == toContrary:
		return "(-" + literal + ")"
	case number && in.manner == toNone:
		return "0"
	case number:
		return otherNumber(literal, pick(in.numbers))
	case strings.ContainsAny(literal, special), len(literal) == 2:
		return "" // nothing is known of an empty one
	case literal == "'x'":
		return "'y'"
	case literal[0] == '\'' && len(literal) == 3: // it may be a character
		return "'x'"
	case in.manner == toNone:
		return literal[:1] + literal[:1]
	case in.manner == toContrary:
		return syntax.OtherCase(literal[:1] + " " + literal[1:len(literal)-1] + " " + literal[:1])
	}
	return otherText(literal, pick(in.texts))
}

// another is the next of some inputs that is of the kind of input i; empty if all are that one.
func another(all []string, i int) string {
	kind := func(literal string) byte { return map[byte]byte{'"': '"', '\'': '\''}[literal[0]] }
	for n := range all {
		if other := all[(i+n)%len(all)]; other != all[i] && kind(other) == kind(all[i]) {
			return other
		}
	}
	return ""
}

// otherNumber is a decisive number in the place of one, or the next; empty if it is none of
// the plainest kind.
func otherNumber(literal, decisive string) string {
	whole, fraction, point := strings.Cut(literal, ".")
	n, err := strconv.Atoi(whole)
	if err != nil || len(whole) > 1 && whole[0] == '0' {
		return ""
	}
	n++
	if c, err := strconv.Atoi(decisive); err == nil {
		n = c
	}
	if point {
		return strconv.Itoa(n) + "." + fraction
	}
	return strconv.Itoa(n)
}

// otherText is a decisive text in the place of one, or that with its last letter twice. One
// that has the decisive text gets it once more: it may part what stands around it.
func otherText(literal, decisive string) string {
	quote, inner := literal[:1], literal[1:len(literal)-1]
	end := inner[len(inner)-1:]
	switch {
	case decisive == "" || decisive == inner:
		return quote + inner + end + quote
	case strings.Contains(inner, decisive):
		return quote + inner + decisive + end + quote
	}
	return quote + decisive + quote
}

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
