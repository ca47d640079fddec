package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// mutants lists small changes of a source: what a method returns, what a condition
// asks, an operator, a constant.
func mutants(content string) []syntax.Mutant {
	m := mutator{text: content, lines: statements(content)}
	for i := range m.lines {
		m.statement(i)
	}
	return m.found
}

// mutator makes the mutants of a source.
type mutator struct {
	text  string
	lines []scan.Line
	found []syntax.Mutant
}

// note adds a mutant.
func (m *mutator) note(rank int, edit syntax.Edit) {
	what := strings.ReplaceAll(edit.Text, anotherValue+".call", "another value of ") + " for " + m.text[edit.Start:edit.End]
	made := syntax.MutantOf(m.text, edit, what)
	made.Rank = rank
	m.found = append(m.found, made)
}

// Statements that only declare, or that say what went wrong.
var silentPattern = lazyregexp.New(`^\s*(?:require\w*|include|extend|prepend|attr_\w+|alias\w*|class|module|private\w*|public|protected|raise|fail|puts|print|warn|p|pp|end|else|begin|rescue|ensure|logger|using|autoload|gem|def_delegators?)\b`)

var raisesPattern = lazyregexp.New(`^\s*(?:raise|fail)\b`)

// The places of a statement at which it is mutated.
var (
	conditionPattern = lazyregexp.New(`^\s*(?:if|elsif|unless)\s+(\S.*?)(?:\s+then\b.*)?$`)
	modifierPattern  = lazyregexp.New(`\S\s+(?:if|unless)\s+(\S.*)$`)
	returnPattern    = lazyregexp.New(`^\s*return\s+(\S.*?)(?:\s+(?:if|unless)\s.*)?$`)
	defPattern       = lazyregexp.New(`^\s*(?:\w+ +)?def\s`)
	endlessPattern   = lazyregexp.New(`^\s*(?:\w+ +)?def\s+[\w.?!]+(?:\([^)]*\))?\s+=\s`)
	operatorPattern  = lazyregexp.New(`[\w\])}"'?!] (==|!=|<=|>=|<|>|\+|-|\*\*|\*|/|%|&&|\|\||\+=|-=|\*=) \S`)
	constantPattern  = lazyregexp.New(`(?:^|[\s(\[{,=!])(\d[\d_]*(?:\.\d+)?|"_*"|'_*'|true|false)(?:$|[\s)\]},;.])`)
	openPattern      = lazyregexp.New(`^\s*(?:if|unless|case|while|until|for|begin|end|\}|\]|when|in|else|yield|next|break|loop)\b|\bdo(?:\s*\|.*\|)?\s*$|[^=!<>]=[^=~>]|<<[~-]`)
)

// statement notes the mutants of a statement.
func (m *mutator) statement(index int) {
	line := m.lines[index]
	raises := raisesPattern.MatchString(line.Masked) // only when it does so is behaviour
	if !raises && declares(line) {
		return
	}
	for _, condition := range []lazyregexp.Regexp{conditionPattern, modifierPattern} {
		if hit := condition.FindStringSubmatchIndex(line.Masked); hit != nil {
			m.note(1, m.around(group(line, hit), "!(", ")"))
			break
		}
	}
	if raises {
		return
	}
	if value, ok := m.value(index); ok {
		m.note(0, m.around(value, anotherValue+".call((", "))"))
	}
	for _, at := range scan.Each(operatorPattern, line.Masked) {
		m.note(2, syntax.Edit{Span: syntax.Span{Start: line.Start + at[0], End: line.Start + at[1]}, Text: swapped()[line.Masked[at[0]:at[1]]]})
	}
	for _, at := range scan.Each(constantPattern, line.Masked) {
		m.note(3, m.constant(syntax.Span{Start: line.Start + at[0], End: line.Start + at[1]}))
	}
}

// declares reports whether a statement only declares, or says what went wrong.
func declares(line scan.Line) bool {
	return silentPattern.MatchString(line.Masked) || defPattern.MatchString(line.Masked) && !endlessPattern.MatchString(line.Masked)
}

// group is where the first group of a pattern stands that matches a statement.
func group(line scan.Line, hit []int) syntax.Span {
	found := strings.TrimRight(line.Masked[hit[2]:hit[3]], " \t")
	return syntax.Span{Start: line.Start + hit[2], End: line.Start + hit[2] + len(found)}
}

// value is what a statement returns, if it does.
func (m *mutator) value(index int) (syntax.Span, bool) {
	line := m.lines[index]
	if declares(line) {
		return syntax.Span{}, false
	}
	if hit := returnPattern.FindStringSubmatchIndex(line.Masked); hit != nil {
		return group(line, hit), true
	}
	if hit := endlessPattern.FindStringIndex(line.Masked); hit != nil {
		return syntax.Span{Start: line.Start + hit[1], End: line.Start + len(strings.TrimRight(line.Masked, " \t\n"))}, true
	}
	if !m.returns(index) {
		return syntax.Span{}, false
	}
	start := len(line.Masked) - len(strings.TrimLeft(line.Masked, " \t\n"))
	return syntax.Span{Start: line.Start + start, End: line.Start + len(strings.TrimRight(line.Masked, " \t\n"))}, true
}

// around puts texts before and behind an expression.
func (m *mutator) around(at syntax.Span, before, behind string) syntax.Edit {
	return syntax.Edit{Span: at, Text: before + m.text[at.Start:at.End] + behind}
}

// constant is another literal.
func (m *mutator) constant(at syntax.Span) syntax.Edit {
	switch text := m.text[at.Start:at.End]; text {
	case "true":
		return syntax.Edit{Span: at, Text: "false"}
	case "false":
		return syntax.Edit{Span: at, Text: "true"}
	default:
		if strings.ContainsAny(text[:1], `"'`) {
			return m.around(at, "(", ` + "~")`)
		}
		return m.around(at, "(", " + 1)")
	}
}

// returns reports whether a statement is the last one of a method, and an
// expression.
func (m *mutator) returns(index int) bool {
	if index+1 >= len(m.lines) || index == 0 {
		return false
	}
	line, end := m.lines[index], m.lines[index+1]
	if strings.TrimSpace(end.Masked) != "end" || end.Indent >= line.Indent || openPattern.MatchString(line.Masked) || modifierPattern.MatchString(line.Masked) {
		return false
	}
	for i := index - 1; i >= 0; i-- {
		if m.lines[i].Indent < line.Indent {
			return m.lines[i].Indent == end.Indent && defPattern.MatchString(m.lines[i].Masked)
		}
	}
	return false
}

// swapped are the operators that take each other's place.
func swapped() map[string]string {
	return map[string]string{
		"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "*": "+", "**": "*", "/": "*", "%": "*",
		"&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "+=",
	}
}
