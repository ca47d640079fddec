package shell

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var (
	printsPattern     = lazyregexp.New(`(?:^|[\s;({|&])(?:echo(?: +-[neE]+)?|printf) +["']()`)
	echoPattern       = lazyregexp.New(`(?:^|[\s;({|&])echo +([\w$])`)
	plainPrintPattern = lazyregexp.New(`^\s*(?:echo|printf) [^|;&<>(){}\\]+$`)
	errorsPattern     = lazyregexp.New(`>&2`)
)

// near lists what is printed, with more before it, and in the other case.
func near(content string) []testrun.Mutant {
	return append(lines(content, func(line string) (testrun.Span, string, bool) {
		hit := printsPattern.FindStringSubmatchIndex(line)
		if hit == nil {
			hit = echoPattern.FindStringSubmatchIndex(line)
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
