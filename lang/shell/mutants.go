package shell

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// The places of a command at which it is mutated. The first
// group is what another text takes the place of, by rewrite.
var (
	// What is said to a person, loaded or set up shows in no result.
	silentPattern   = lazyregexp.New(`>&2|/dev/(?:stderr|tty)|^(?:source|\.|set|shopt|trap|local -|declare -|readonly|export PATH|while|until)\b`)
	ifPattern       = lazyregexp.New(`^(?:if|elif)[ \t]+(\S.*?)[ \t]*(?:;[ \t]*then\b.*)?$`)
	returnPattern   = lazyregexp.New(`(?:^|[ \t;&|{])(?:return|exit)[ \t]+(\d+)\b`)
	comparedPattern = lazyregexp.New(`[ \t](==?|!=|-eq|-ne|-lt|-le|-gt|-ge|-z|-n|=~)[ \t]`)
	operatorPattern = lazyregexp.New(`\(\(.*?[\w)}"'] *(==|!=|<=|>=|&&|\|\||\*\*|<|>|\+|-|\*|/|%) *[\w($"'].*?\)\)`)
	togetherPattern = lazyregexp.New(`[\])}"'\w][ \t]+(&&|\|\|)[ \t]`)
	wordPattern     = lazyregexp.New(`^(?:echo|printf)(?:[ \t]+-\w+)*[ \t]+([^\s;|&<>]+)`)
	lastPattern     = lazyregexp.New(`^(?:echo|printf)[ \t]+[^|;&<>]*[ \t]("_+"|\$\{?\w+\}?)[ \t]*(?:[|;&}].*)?$`)
	assignedPattern = lazyregexp.New(`^(?:local[ \t]+|readonly[ \t]+)?\w+\+?=("_*"|'_*'|[^\s"'()$]+)`)
	printingPattern = lazyregexp.New(`^(cat|sed|awk|[ef]?grep|tr|cut|sort|uniq|head|tail|wc|rev|paste|jq|bc|expr|basename|dirname|date|seq)[ \t]`)
)

// mutants lists small changes of a source: what a condition asks, an operator, what is
// returned, written or kept.
func mutants(content string) []syntax.Mutant {
	f := &finder{text: content}
	var out []syntax.Mutant
	for _, line := range statements(content) {
		start := line.Start + line.Indent
		out = append(out, f.mutants(start, strings.TrimRight(line.Masked[line.Indent:], " \t\n;"))...)
	}
	return out
}

// mutants lists those of a command, the most telling first.
func (f *finder) mutants(start int, masked string) []syntax.Mutant {
	if _, isTest := headOf(masked, masked); silentPattern.MatchString(masked) || isTest {
		return nil
	}
	body := 0
	if hit := headPattern.FindStringIndex(masked); hit != nil {
		if body = hit[1]; strings.TrimSpace(masked[body:]) == "" {
			return nil
		}
		body += len(masked[body:]) - len(strings.TrimLeft(masked[body:], " \t"))
	}
	start, masked = start+body, masked[body:]
	var out []syntax.Mutant
	for rank, place := range []struct {
		pattern lazyregexp.Regexp
		rewrite func(text string) string
	}{
		{ifPattern, func(text string) string { return "! { " + text + "; }" }},
		{returnPattern, otherStatus},
		{comparedPattern, swapped},
		{operatorPattern, swapped},
		{togetherPattern, swapped},
		{assignedPattern, other},
		{wordPattern, other},
		{lastPattern, other},
		{printingPattern, func(text string) string { return ": " + text }},
	} {
		for _, hit := range scan.Each(place.pattern, masked) {
			at := syntax.Span{Start: start + hit[0], End: start + hit[1]}
			if text := place.rewrite(f.text[at.Start:at.End]); text != "" {
				m := syntax.MutantOf(f.text, syntax.Edit{Span: at, Text: text}, text+" for "+f.text[at.Start:at.End])
				m.Rank = rank
				out = append(out, m)
			}
		}
	}
	return out
}

// otherStatus is failure for success, and the other way round.
func otherStatus(status string) string {
	if status == "0" {
		return "1"
	}
	return "0"
}

// swapped is the operator that takes the place of another.
func swapped(op string) string {
	pairs := []string{
		"=", "!=", "==", "!=", "-eq", "-ne", "-lt", "-ge", "-gt", "-le", "-z", "-n", "&&", "||", "<", ">=", ">", "<=",
		"+", "-", "*", "+", "/", "*", "%", "*", "**", "*", "!=", "=", "-ne", "-eq", "-ge", "-lt", "-le", "-gt", "-n", "-z", "||", "&&", ">=", "<", "<=", ">", "-", "+",
	}
	if at := slices.Index(pairs, op); at >= 0 && op != "=~" {
		return pairs[at^1]
	}
	return ""
}

var givenPattern = lazyregexp.New(`^\$(?:\w+|\{\w+\})$`)

// other is another value in the place of a word: one that is written out, or what
// is written beside an expansion.
func other(word string) string {
	one := &finder{text: word}
	if edits := one.literal(syntax.Span{End: len(word)}, syntax.Other); edits != nil {
		return syntax.Apply(word, edits)
	}
	switch {
	case strings.HasPrefix(word, `"`) && strings.HasSuffix(word, `"`) && len(word) > 1:
		return word[:len(word)-1] + `~tdd"`
	case givenPattern.MatchString(word):
		return word + "~tdd"
	}
	return ""
}

// code is a source without its comments, blank lines and white space at ends of lines.
func code(content string) string {
	bare, _ := mask(content)
	var out []string
	for line := range strings.Lines(bare) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
