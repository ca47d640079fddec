package shell

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

var (
	printsPattern     = lazyregexp.New(`(?:^|[\s;({|&])(?:echo(?: +-[neE]+)?|printf) +["']()`)
	echoPattern       = lazyregexp.New(`(?:^|[\s;({|&])echo +([\w$])`)
	plainPrintPattern = lazyregexp.New(`^\s*(?:echo|printf) [^|;&<>(){}\\]+$`)
	errorsPattern     = lazyregexp.New(`>&2`)
)

// near lists what is printed, with more before it, and in the other case.
func near(content string) []syntax.Mutant {
	var more, otherCase []syntax.Mutant
	for _, line := range statements(content) {
		add := func(to *[]syntax.Mutant, at int, text string) {
			e := syntax.Edit{Span: syntax.Span{Start: line.Start + at, End: line.Start + at}, Text: text}
			*to = append(*to, syntax.MutantOf(content, e, text+" in "+strings.TrimSpace(content[line.Start:line.Start+len(line.Masked)])))
		}
		hit := printsPattern.FindStringSubmatchIndex(line.Masked)
		if hit == nil {
			hit = echoPattern.FindStringSubmatchIndex(line.Masked)
		}
		if hit != nil && !errorsPattern.MatchString(line.Masked) {
			add(&more, hit[2], "~")
		}
		if plainPrintPattern.MatchString(line.Masked) {
			add(&otherCase, len(strings.TrimRight(line.Masked, " \t\n")), " | tr 'a-zA-Z' 'A-Za-z'")
		}
	}
	return append(more, otherCase...)
}
