package shell

import (
	"maps"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
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
	assignedPattern = lazyregexp.New(`(?:^|[;)])[ \t]*(?:local[ \t]+|readonly[ \t]+)?\w+\+?=("_*"|'_*'|[^\s"'()$]+)`)
	// armPattern matches a word of those that an arm of case stands for, behindPattern what
	// stands before what the arm does.
	armPattern      = lazyregexp.New(`^(?:\(|[ \t]*\|[ \t]*)?([\w.+/@%:=-]+)(?:[ \t]*\|[^()&;]*)?\)(?:[ \t]|$)`)
	behindPattern   = lazyregexp.New(`^\(?[^\s()|&;<>]+(?:[ \t]*\|[ \t]*[^\s()|&;<>]+)*\)[ \t]+`)
	printingPattern = lazyregexp.New(`^(cat|sed|awk|[ef]?grep|tr|cut|sort|uniq|head|tail|wc|rev|paste|jq|bc|expr|basename|dirname|date|seq)[ \t]`)
)

// line is a line of a source, and the same with what is quoted hidden.
type line struct {
	syntax.Span

	masked string
	body   int // where it begins behind the head of a function, or what an arm of case stands for
}

// lines cuts a source, but for its tests.
func lines(content string) []line {
	_, masked := page().Mask(content)
	t := page().Parse(content)
	var out []line
	for _, e := range t.Lines(t.All()) {
		fn, open := head(t, e.From)
		l := line{Span: t.Span(e)}
		if open >= 0 && open+1 < e.To {
			l.body = t.Span(syntax.Expr{From: open + 1, To: e.To}).Start - l.Start
		}
		l.masked = strings.TrimRight(masked[l.Start:l.End], " ;")
		if open < 0 {
			l.body = len(behindPattern().FindString(l.masked))
		}
		if l.Start < l.End && fn.Test == "" && (open < 0 || l.body > 0) {
			out = append(out, l)
		}
	}
	return out
}

// mutants lists small changes of a source: what a condition asks, an operator, what is
// returned, written or kept; of a line the most telling first.
func mutants(content string) []syntax.Mutant {
	var out []syntax.Mutant
	for _, l := range lines(content) {
		if silentPattern.MatchString(l.masked[min(l.body, len(l.masked)):]) {
			continue
		}
		for rank, place := range places() {
			for _, at := range l.each(place) {
				if text := place.rewrite(content[at.Start:at.End]); text != "" {
					m := syntax.MutantOf(content, syntax.Edit{Span: at, Text: text}, text+" for "+content[at.Start:at.End])
					m.Rank, m.Result = rank, place.prints
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// place is where a line is mutated, and how.
type place struct {
	pattern lazyregexp.Regexp
	rewrite func(text string) string
	prints  bool // what the function prints
	arm     bool // it stands before what an arm of case does
}

func places() []place {
	return []place{
		{pattern: ifPattern, rewrite: func(text string) string { return "! { " + text + "; }" }},
		{pattern: returnPattern, rewrite: func(text string) string { return map[bool]string{true: "1", false: "0"}[text == "0"] }},
		{pattern: comparedPattern, rewrite: swapped},
		{pattern: operatorPattern, rewrite: swapped},
		{pattern: togetherPattern, rewrite: swapped},
		{pattern: assignedPattern, rewrite: otherWord},
		{pattern: wordPattern, rewrite: otherWord, prints: true},
		{pattern: lastPattern, rewrite: otherWord, prints: true},
		{pattern: armPattern, rewrite: func(text string) string { return text + "~tdd" }, arm: true},
		{pattern: printingPattern, rewrite: func(text string) string { return ": " + text }, prints: true},
	}
}

// each lists where a line is mutated, match by match; the next is looked for right behind the
// group.
func (l line) each(p place) []syntax.Span {
	if p.arm {
		l.body = 0
	}
	var out []syntax.Span
	for at := min(l.body, len(l.masked)); ; {
		hit := p.pattern().FindStringSubmatchIndex(l.masked[at:])
		if hit == nil || hit[2] == hit[3] {
			return out
		}
		out = append(out, syntax.Span{Start: l.Start + at + hit[2], End: l.Start + at + hit[3]})
		at += hit[3]
	}
}

// swapped is the operator that takes the place of another; empty if none does.
func swapped(op string) string {
	pairs := syntax.Contraries("= != -eq -ne -lt -ge -gt -le -z -n && || < >= > <= + -")
	maps.Copy(pairs, map[string]string{"==": "!=", "*": "+", "/": "*", "%": "*", "**": "*"})
	return pairs[op]
}

var givenPattern = lazyregexp.New(`^\$(?:\w+|\{\w+\})$`)

// otherWord is another value in the place of a word: one that is written out, or what
// is written beside an expansion.
func otherWord(word string) string {
	if edits := other(word, syntax.Span{End: len(word)}, syntax.Other); edits != nil {
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

var (
	printsPattern     = lazyregexp.New(`(?:^|[\s;({|&])(?:(?:echo(?: +-[neE]+)?|printf) +["']()|echo +()[\w$])`)
	elsePattern       = lazyregexp.New(`\|\|[ \t]*[^:;&|{}()\s][^;&|{}()]*$`)
	trimmedPattern    = lazyregexp.New(`\$\{\w+(%%?|##?)[^}]`)
	pipedPattern      = lazyregexp.New(`^["$][^|]*[^|>]\|[^|]`)
	plainPrintPattern = lazyregexp.New(`^(?:echo|printf) [^|;&<>(){}\\]+$`)
)

// near lists what is printed, with more before it, and in the other case; what is cut off at the
// other end of all places where it could be; a failure of which nothing comes, and one of which
// something does although its output is piped.
func near(content string) []syntax.Mutant {
	var more, otherCase []syntax.Mutant
	for _, l := range lines(content) {
		slip := func(from, to int, text string) {
			span := syntax.Span{Start: l.Start + from, End: l.Start + to}
			m := syntax.MutantOf(content, syntax.Edit{Span: span, Text: text}, text+" for "+content[span.Start:span.End])
			m.Rank, m.Subtle = syntax.Slip, true
			more = append(more, m)
		}
		for _, at := range trimmedPattern().FindAllStringSubmatchIndex(content[l.Start:l.End], -1) {
			slip(at[2], at[3], syntax.Contraries("% %% # ##")[content[l.Start+at[2]:l.Start+at[3]]])
		}
		if at := elsePattern().FindStringIndex(l.masked); at != nil {
			slip(at[0], len(l.masked), "|| :")
		}
		if text := content[l.Start:l.End]; pipedPattern.MatchString(l.masked) && strings.Contains("$\"", text[:1]) && strings.Contains(text[:2], "$") {
			slip(0, len(l.masked), "(set -o pipefail; "+text[:len(l.masked)]+")")
		}
		add := func(to *[]syntax.Mutant, at int, text string) {
			e := syntax.Edit{Span: syntax.Span{Start: l.Start + at, End: l.Start + at}, Text: text}
			*to = append(*to, syntax.MutantOf(content, e, text+" in "+content[l.Start:l.End]))
		}
		if hit := printsPattern().FindStringSubmatchIndex(l.masked); hit != nil && !strings.Contains(l.masked, ">&2") {
			add(&more, max(hit[2], hit[4]), "~")
		}
		if plainPrintPattern.MatchString(l.masked) {
			add(&otherCase, len(l.masked), " | tr 'a-zA-Z' 'A-Za-z'")
		}
	}
	return append(more, otherCase...)
}
