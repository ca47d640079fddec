package rust

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var integerPattern = lazyregexp.New(`^(0x[\da-fA-F_]+?|0b[01_]+|0o[0-7_]+|\d[\d_]*)([ui](?:8|16|32|64|128|size))?$`)

// literalEnd is the place after the text, character or number that begins at token
// i; i where none does. A number with a fraction is of several tokens.
func (f *checkFinder) literalEnd(i int) int {
	switch {
	case i >= len(f.tokens):
		return i
	case f.tokens[i].kind == textToken:
		return i + 1
	case f.tokens[i].kind != wordToken || !digit(f.text(i)):
		return i
	}
	end := i + 1
	if f.is(end, ".") && f.adjacent(end) && !f.is(end+1, ".") {
		switch {
		case f.adjacent(end+1) && digit(f.text(end+1)):
			end += 2
		case !f.adjacent(end+1) || f.tokens[end+1].kind == punctToken:
			end++ // 1.
		}
	}
	last := f.text(end - 1)
	if f.adjacent(end) && (f.is(end, "-") || f.is(end, "+")) && strings.HasSuffix(strings.ToLower(last), "e") && !strings.HasPrefix(last, "0x") {
		end += 2 // 1e-9
	}
	return end
}

func digit(text string) bool { return text != "" && '0' <= text[0] && text[0] <= '9' }

// another puts another literal of the same type in the place of one.
func (f *checkFinder) another(e expr) testrun.Edit {
	s := f.span(e)
	old := f.src[s.Start:s.End]
	return testrun.Edit{Span: s, Text: anotherLiteral(old)}
}

func anotherLiteral(old string) string {
	switch quote := strings.IndexAny(old, `"'`); {
	case digit(old):
		return anotherNumber(old)
	case old[quote] == '\'':
		if strings.Contains(old, "~") {
			return old[:quote] + "'#'"
		}
		return old[:quote] + "'~'"
	case old[0] == 'b' && quote+1 < strings.LastIndexByte(old, '"'):
		return sameLength(old, quote+1)
	}
	end := strings.LastIndexByte(old, '"')
	return old[:end] + "~tdd" + old[end:]
}

// sameLength puts another byte in the place of the first of a byte string, whose
// length is part of its type.
func sameLength(old string, at int) string {
	size := 1
	if old[at] == '\\' && !strings.Contains(old[:at], "r") {
		if size = 2; strings.HasPrefix(old[at:], `\x`) {
			size = 4
		}
	}
	to := "~"
	if old[at] == '~' {
		to = "#"
	}
	return old[:at] + to + old[min(at+size, len(old)-1):]
}

// anotherNumber is a number of the same type that is far away. It fits whatever
// type the old one fits.
func anotherNumber(old string) string {
	const far, most = 41, 127 - 41
	hit := integerPattern.FindStringSubmatch(old)
	if hit == nil {
		return anotherFraction(old)
	}
	v, err := strconv.ParseUint(strings.ReplaceAll(hit[1], "_", ""), 0, 64)
	if decimal := strings.TrimLeft(strings.ReplaceAll(hit[1], "_", ""), "0"); digit(decimal) && !strings.ContainsAny(hit[1], "xob") {
		v, err = strconv.ParseUint(decimal, 10, 64)
	}
	switch {
	case err != nil:
		v = far
	case v <= most:
		v += far
	default:
		v -= far
	}
	return strconv.FormatUint(v, 10) + hit[2]
}

// anotherFraction is anotherNumber for one with a fraction or an exponent.
func anotherFraction(old string) string {
	suffix := ""
	for _, s := range []string{"f32", "f64"} {
		if rest, ok := strings.CutSuffix(old, s); ok {
			old, suffix = strings.TrimSuffix(rest, "_"), s
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(old, "_", ""), 64)
	const large = 1e30
	if v = v*3 + 41.5; err != nil || v > large {
		v = 41.5
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text + suffix
}
