package php

import (
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// nearValues are values that differ from the one that they are called with by no more
// than a loose comparison lets pass: the next number, the other case, another order;
// the number before, a blank in front, another first element.
func nearValues() []string {
	return []string{
		`(function ($v) { return is_int($v) ? $v + 1 : (is_float($v) ? $v + 0.05 * abs($v) + 0.05 : (is_string($v) ` +
			`? (strtolower($v) ^ strtoupper($v) ^ $v) : (is_array($v) ? array_reverse($v) : $v))); })`,
		`(function ($v) { return is_int($v) ? $v - 1 : (is_float($v) ? $v - 0.05 * abs($v) - 0.05 : (is_string($v) ` +
			`? "\n" . $v : (is_array($v) && $v ? array_replace($v, [array_keys($v)[0] => null]) : $v))); })`,
	}
}

// near lists what functions return, as values that are hardly other ones.
func near(content string) []testrun.Mutant {
	_, masked := mask(content)
	var out []testrun.Mutant
	mutant := func(at testrun.Span, text, what string) {
		out = append(out, testrun.MutantOf(content, testrun.Edit{Span: at, Text: text}, what+" "+content[at.Start:at.End]))
	}
	for _, hit := range givesPattern.FindAllStringSubmatchIndex(masked, -1) {
		at := testrun.Span{Start: hit[2], End: hit[3]}
		for _, value := range nearValues() {
			mutant(at, value+"("+content[at.Start:at.End]+")", "a value close to")
		}
	}
	for _, hit := range throwsPattern.FindAllStringSubmatchIndex(masked, -1) {
		at, other := testrun.Span{Start: hit[2], End: hit[3]}, `\LengthException`
		if strings.HasSuffix(content[at.Start:at.End], "LengthException") {
			other = `\DomainException`
		}
		mutant(at, other, other+" for")
	}
	return out
}
