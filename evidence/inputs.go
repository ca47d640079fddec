package evidence

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// inputs is how inputs are altered in a round: in the first to values that are near, in
// those after it to each of those at which the sources may decide, in the last but one to
// what lies beside these, and in the last numbers to negative ones, which some types lack.
type inputs struct {
	numbers, texts []string
	round          int
}

// maxDecisive is how many decisive values each input is given.
const maxDecisive = 4

func (in inputs) decisive() int { return min(max(len(in.numbers), len(in.texts)), maxDecisive) }

// rounds is how many rounds there are.
func (in inputs) rounds() int { return in.decisive() + 3 }

// special has the signs by which a text may mean more than it says.
const special = `\$%{`

// instead is another input than input i of a test; empty if this round has none.
func (in inputs) instead(literal string, i int) string {
	last := in.round == in.rounds()-1
	beside := in.round == in.rounds()-2
	pick := func(list []string) string {
		if len(list) == 0 || in.round == 0 {
			return ""
		}
		return list[(i+in.round-1)%len(list)]
	}
	switch first := literal[0]; {
	case first != '"' && first != '\'' && last:
		return "(-" + literal + ")"
	case first != '"' && first != '\'' && beside:
		return otherNumber(literal, otherNumber(pick(in.numbers), ""))
	case first != '"' && first != '\'':
		return otherNumber(literal, pick(in.numbers))
	case last, strings.ContainsAny(literal, special):
		return ""
	}
	return otherText(literal, pick(in.texts), beside)
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

// otherText is a text with its last letter twice, a decisive one, or one in the other case
// and between spaces.
func otherText(literal, decisive string, beside bool) string {
	quote, inner := literal[:1], literal[1:len(literal)-1]
	switch {
	case quote == "'" && len(inner) == 1: // it may be a character
		if c := inner[0]; c >= 'a' && c < 'z' || c >= 'A' && c < 'Z' || c >= '0' && c < '9' {
			return quote + string(rune(c+1)) + quote
		}
		return ""
	case beside && inner != "":
		return syntax.OtherCase(quote + " " + inner + " " + quote)
	case decisive != "" && decisive != inner:
		return quote + decisive + quote
	case inner == "":
		return quote + "x" + quote
	}
	return quote + inner + inner[len(inner)-1:] + quote
}
