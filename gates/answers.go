package gates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Answer is a test that, given other inputs than those that it spells out, or asking twice, ends
// otherwise with the sources of now than with those of before.
type Answer struct {
	Test     string
	How      string // it was asked, in words
	Was, Now string // how it ended, in words
	At       Mutant // the input that was altered, or the first of them
}

// AsksForSameAnswers reports whether a commit may not change what the program does, also
// where no test asks.
func (c *Premise) AsksForSameAnswers() bool {
	return c.Special == Ordinary && !c.Merge && c.Reverts == nil && (c.Preserves() || !c.inLoop() && c.FixupOf == "")
}

// otherAnswers tells of sources that answer otherwise than before where no test asks. It
// refuses nothing: what nobody asked for may be meant, and a message may differ by chance.
func otherAnswers(c *Case) []Finding {
	return Each(c.Answers, Answer.Finding)
}

// Finding tells of the answer, and refuses nothing.
func (a Answer) Finding() Finding {
	return Finding{
		Path: a.At.Path, Line: a.At.Line, Test: a.Test, Mutant: a.At, Note: true,
		Seen:   fmt.Sprintf("%s, it is answered otherwise than it was; before: %s; now: %s", a.How, a.Was, a.Now),
		Remedy: "let it do what it did, or demand the new answer by a test that fails first (feat: or fix:)",
	}
}

// otherValues tells of values that a refactoring spells out otherwise, and that no test asks
// for: a default, a limit, a message. An agent has nobody to ask whether that is meant, and is
// refused.
func otherValues(c *Case) []Finding {
	return Each(c.Values, func(m Mutant) Finding {
		return Finding{
			Path: m.Path, Line: m.Line, Note: !c.Agent,
			Seen:   fmt.Sprintf("the refactoring changes a value, and no test notices: %s was %s", clip(m.Was), clip(m.Now)),
			Remedy: "keep the value, or demand the new one by a test that fails first (feat: or fix:)",
		}
	})
}

// OtherValue reports whether two pieces of code read alike but for numbers, texts and truth
// values of which at least one is another one. A text that stands alone may be documentation,
// and patterns and escapes may be written in several ways.
func OtherValue(was, now string) bool {
	old, anew := tokens(was), tokens(now)
	if len(old) != len(anew) {
		return false
	}
	differs, code := false, false
	for i, t := range old {
		a, known := spelled(t)
		b, also := spelled(anew[i])
		switch {
		case known != also || !known && t.text != anew[i].text:
			return false
		case known:
			differs = differs || a != b && !strings.ContainsAny(a+b, `\[*+|`)
		default:
			code = true
		}
	}
	return differs && code
}

// typedPattern matches a number, hexadecimal or not, and the type that it says, as 0u and 5usize.
var typedPattern = lazyregexp.New(`(?i)^(?:(0x[\da-f]+)|(\d[\d.]*(?:e[-+]?\d+)?)(?:f(?:32|64)?|d)?)(?:ul{0,2}|ll?u?|[iu](?:8|16|32|64|128|size))?$`)

// spelled is the value of a number, however it is written, of a text, or of a truth value.
func spelled(t token) (value string, ok bool) {
	switch {
	case t.text == "true" || t.text == "True" || t.text == "false" || t.text == "False":
		return t.text, true
	case !t.literal || !wordByte(t.text[0]):
		return "'" + t.value, t.literal
	}
	digits := typedPattern().ReplaceAllString(strings.ReplaceAll(t.value, "_", ""), "$1$2")
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		digits = strconv.FormatInt(n, 10)
	} else if f, err := strconv.ParseFloat(digits, 64); err == nil {
		digits = strconv.FormatFloat(f, 'g', -1, 64)
	}
	return digits, true
}

// plainly is a piece of code in which every number is written in the plainest way: without
// groups and exponents, and worked out, where it is a sum or a product of numbers that stands
// by itself.
func plainly(code string) string {
	var out strings.Builder
	at, all := 0, tokens(code)
	for i := 0; i < len(all); i++ {
		value, ok := number(all[i])
		if !ok {
			continue
		}
		out.WriteString(code[at:all[i].start])
		if worked, last := workedOut(all, i); last > i {
			value, i = worked, last
		}
		out.WriteString(value)
		at = all[i].end
	}
	return out.String() + code[at:]
}

// number is the value of a token that is one.
func number(t token) (value string, ok bool) {
	if !t.literal || !wordByte(t.text[0]) {
		return "", false
	}
	return spelled(t)
}

// workedOut is what a sum or a product of whole numbers comes to that begins at token i, and
// its last token: i, if none stands there by itself.
func workedOut(all []token, i int) (value string, last int) {
	apart := func(at int, signs string) bool {
		return at < 0 || at >= len(all) || all[at].literal || wordByte(all[at].text[0]) || strings.Contains(signs, all[at].text)
	}
	first, _ := number(all[i])
	sum, err := strconv.Atoi(first)
	last = i
	for at := i + 2; err == nil && at < len(all) && strings.Contains("+-*", all[at-1].text) && all[at-1].text == all[i+1].text; at += 2 {
		text, ok := number(all[at])
		n, bad := strconv.Atoi(text)
		if !ok || bad != nil {
			return "", i
		}
		switch all[at-1].text {
		case "*":
			sum *= n
		case "-":
			sum -= n
		default:
			sum += n
		}
		last = at
	}
	if err != nil || !apart(i-1, "([{,=:;") || !apart(last+1, ")]},;:") {
		return "", i
	}
	return strconv.Itoa(sum), last
}
