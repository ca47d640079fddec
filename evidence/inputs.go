package evidence

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// inputs is how inputs are altered in a round: in the first to values that are near, in
// those after it to each of those at which the sources may decide, in the last numbers to
// negative ones, which some types lack, and texts to the other case, between spaces.
type inputs struct {
	numbers, texts []string
	round          int
}

// maxDecisive is how many decisive values each input is given.
const maxDecisive = 4

// rounds is how many rounds there are.
func (in inputs) rounds() int { return min(max(len(in.numbers), len(in.texts)), maxDecisive) + 2 }

// special has the signs by which a text may mean more than it says.
const special = `\$%{`

// instead is another input than input i of a test; empty if there is none.
func (in inputs) instead(literal string, i int) string {
	number := literal[0] != '"' && literal[0] != '\''
	last := in.round == in.rounds()-1
	pick := func(list []string) string {
		if len(list) == 0 || in.round == 0 {
			return ""
		}
		return list[(i+in.round-1)%len(list)]
	}
	switch {
	case number && last:
		return "(-" + literal + ")"
	case number:
		return otherNumber(literal, pick(in.numbers))
	case strings.ContainsAny(literal, special), len(literal) == 2:
		return "" // nothing is known of an empty one
	case literal == "'x'":
		return "'y'"
	case literal[0] == '\'' && len(literal) == 3: // it may be a character
		return "'x'"
	case last:
		return syntax.OtherCase(literal[:1] + " " + literal[1:len(literal)-1] + " " + literal[:1])
	}
	return otherText(literal, pick(in.texts))
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
