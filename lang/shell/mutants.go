package shell

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var (
	arithmeticPattern = lazyregexp.New(`\(\([^()]*?[\w)] ?(==|!=|<=|>=|[-+*/%<>]) ?[\w($][^()]*\)\)`)
	conditionPattern  = lazyregexp.New(`^[ \t]*(?:if|elif|while) +()(?:\[|\(\(|test\b|grep\b)`)
	printsPattern     = lazyregexp.New(`(?:^|[\s;({|&])(?:echo(?: +-[neE]+)?|printf) +["']()`)
	wordPattern       = lazyregexp.New(`(?:^|[\s;({|&])echo +([\w$])`)
	leavesWithPattern = lazyregexp.New(`(?:^|[\s;{&|])(?:return|exit) +(\d+)\b`)
	plainPrintPattern = lazyregexp.New(`^\s*(?:echo|printf) [^|;&<>(){}\\]+$`)
	errorsPattern     = lazyregexp.New(`>&2`)
)

// mutants lists small changes of a source: an operator, a condition, what is printed,
// the status that a function ends with; the first of these on each line.
func mutants(content string) []testrun.Mutant {
	return lines(content, func(line string) (testrun.Span, string, bool) {
		if errorsPattern.MatchString(line) {
			return testrun.Span{}, "", false
		}
		if hit := arithmeticPattern.FindStringSubmatchIndex(line); hit != nil {
			return testrun.Span{Start: hit[2], End: hit[3]}, swapped(line[hit[2]:hit[3]]), true
		}
		if hit := conditionPattern.FindStringSubmatchIndex(line); hit != nil {
			return testrun.Span{Start: hit[2], End: hit[3]}, "! ", true
		}
		if hit := printsPattern.FindStringSubmatchIndex(line); hit != nil {
			return testrun.Span{Start: hit[2], End: hit[3]}, "~", true
		}
		if hit := wordPattern.FindStringSubmatchIndex(line); hit != nil {
			return testrun.Span{Start: hit[2], End: hit[2]}, "~", true
		}
		if hit := leavesWithPattern.FindStringSubmatchIndex(line); hit != nil {
			to := "0"
			if line[hit[2]:hit[3]] == "0" {
				to = "41"
			}
			return testrun.Span{Start: hit[2], End: hit[3]}, to, true
		}
		return testrun.Span{}, "", false
	})
}

// near lists what is printed, with more before it, and in the other case.
func near(content string) []testrun.Mutant {
	return append(lines(content, func(line string) (testrun.Span, string, bool) {
		hit := printsPattern.FindStringSubmatchIndex(line)
		if hit == nil {
			hit = wordPattern.FindStringSubmatchIndex(line)
		}
		if hit == nil || errorsPattern.MatchString(line) {
			return testrun.Span{}, "", false
		}
		return testrun.Span{Start: hit[2], End: hit[2]}, "~", true
	}), lines(content, func(line string) (testrun.Span, string, bool) {
		trimmed := strings.TrimRight(line, " \t\n")
		return testrun.Span{Start: len(trimmed), End: len(trimmed)}, " | tr 'a-zA-Z' 'A-Za-z'", plainPrintPattern.MatchString(line)
	})...)
}

// lines makes the mutants of a source line by line.
func lines(content string, of func(masked string) (testrun.Span, string, bool)) []testrun.Mutant {
	_, masked := mask(content)
	var out []testrun.Mutant
	at, number, block := 0, 0, 0
	for line := range strings.Lines(masked) {
		number++
		if strings.HasPrefix(line, "}") {
			block = at
		}
		if s, text, ok := of(line); ok {
			e := testrun.Edit{Span: testrun.Span{Start: at + s.Start, End: at + s.End}, Text: text}
			out = append(out, testrun.Mutant{Line: number, Block: block, What: text + " in " + strings.TrimSpace(content[at:at+len(line)]), Edit: e})
		}
		at += len(line)
	}
	return out
}

// swapped is the operator that takes another's place.
func swapped(op string) string {
	return map[string]string{
		"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
	}[op]
}
