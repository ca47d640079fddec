package gates

import (
	"strconv"
	"strings"
)

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
