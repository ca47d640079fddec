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
	for _, at := range givesPattern.FindAllStringSubmatchIndex(masked, -1) {
		value := content[at[2]:at[3]]
		for _, close := range nearValues() {
			out = append(out, testrun.Mutant{
				Line: 1 + strings.Count(content[:at[2]], "\n"), What: "a value that is close to it for " + value,
				Edit: testrun.Edit{Span: testrun.Span{Start: at[2], End: at[3]}, Text: close + "(" + value + ")"},
			})
		}
	}
	for _, at := range throwsPattern.FindAllStringSubmatchIndex(masked, -1) {
		class, other := content[at[2]:at[3]], `\LengthException`
		if strings.HasSuffix(class, "LengthException") {
			other = `\DomainException`
		}
		out = append(out, testrun.Mutant{
			Line: 1 + strings.Count(content[:at[2]], "\n"), What: other + " for " + class,
			Edit: testrun.Edit{Span: testrun.Span{Start: at[2], End: at[3]}, Text: other},
		})
	}
	return out
}
