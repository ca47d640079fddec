package check

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// leftOut are the statements that a change added to a source, each left out by itself: a
// line, or what its indentation holds together, as a condition with all that depends on
// it. No language is needed for that: what does not go without a line says so itself.
func leftOut(r rewriting, code func(string) string) []syntax.Mutant {
	var out []syntax.Mutant
	now, added := r.now, r.added
	for _, h := range hunks(r.was, now) {
		at := h.start
		for i, line := range h.now {
			n := statementLines(h.now[i:])
			text := strings.Join(h.now[i:i+n], "")
			e := syntax.Edit{Span: syntax.Span{Start: at, End: at + len(text)}}
			if !added.alters(syntax.Edit{Span: syntax.Span{Start: at, End: at + len(line)}}) {
				at += len(line) // it only moved
				continue
			}
			out = append(out, untidied(now, at, line, added)...)
			at += len(line)
			if n == 0 || !balanced(text) || openPattern.MatchString(now[:e.Start]) {
				continue
			}
			if put := syntax.Apply(now, []syntax.Edit{e}); code == nil || code(put) != code(now) && !imports(now, e.Start, text, "", code) {
				out = append(out, leftOutMutant(now, e, n))
			}
		}
	}
	return out
}

// leftOutMutant leaves out a statement of some lines.
func leftOutMutant(now string, e syntax.Edit, lines int) syntax.Mutant {
	m := syntax.MutantOf(now, e, "this is left out")
	if m.Lines, m.Rank = true, 2; lines > 1 {
		m.Rank = -1
	}
	return m
}

// untidied are the calls in a line that only tidy a value, as a sort does, each left out.
func untidied(now string, start int, line string, added additions) (out []syntax.Mutant) {
	for _, hit := range tidyingPattern().FindAllStringIndex(line, -1) {
		method, part := line[hit[0]] == '.', line[hit[0]:hit[1]]
		if beside := line[:hit[0]]; !method && strings.HasSuffix(beside, ".") || strings.HasSuffix(beside, ">") || strings.HasSuffix(beside, "$") {
			continue
		}
		if after := line[hit[1]:] + " "; method == (after[0] == '(') || after[0] == '!' || after[0] == '?' {
			continue
		}
		m := syntax.MutantOf(now, syntax.Edit{Span: syntax.Span{Start: start + hit[0], End: start + hit[1]}}, "without "+part)
		if m.Rank = 2; added.alters(m.Edit) {
			out = append(out, m)
		}
	}
	return out
}

var tidyingPattern = lazyregexp.New(`\.(?:trim|[lr]?strip|chomp|reversed?|rev|sort|sorted|uniq|unique|distinct|compact|flatten|lower|upper|downcase|upcase|casefold|capitalize|title|` +
	`abs|floor|ceil|round|trim(?:Start|End|_start|_end)|to(?:Lower|Upper)(?:Case)?|to_(?:ascii_)?(?:lower|upper)case|toSorted|toReversed)\b(?:\(\))?|` +
	`\b(?:sorted|abs|round|floor|ceil|[lr]?trim|strto(?:lower|upper)|ucfirst|ucwords|array_(?:unique|reverse|values)|` +
	`strings\.(?:TrimSpace|ToLower|ToUpper)|Math\.(?:abs|floor|ceil|round)|std::(?:abs|floor|ceil|round))\b`)

var (
	// blockPattern matches a line that rules what is indented below it; what defines
	// something is left to the lines in it.
	blockPattern = lazyregexp.New(`^\s*(?:if|unless|for|foreach|while|until|loop|switch|case|match|select|try|begin|with|defer|go)\b`)
	// goesOnPattern matches a line that goes on with what one above it began.
	goesOnPattern = lazyregexp.New(`^\s*(?:[})\]]|(?:end|fi|done|esac|else|elif|elsif|elseif|except|catch|finally|rescue|ensure|case|default|when|then)\b)`)
	// openPattern matches a text that goes on within a statement.
	openPattern = lazyregexp.New(`[(\[,\\+*|&=?]\s*$`)
	// boundPattern matches what others need: what defines or names something, gives it
	// back, marks something, or is a part of a statement.
	boundPattern = lazyregexp.New(`^\s*(?:[@.&|+?:#'"]|(?:return|yield) *[^;\s]|(?:func|function|def|fn|pub|class|struct|enum|trait|impl|mod|use|using|import|from|package|namespace|template|typedef|type|interface|record|public|private|protected|static|export|module|require|require_relative|include|const|let|var|local|declare|readonly|auto|final)\b|(?:[\w<>:,*&\[\]]+ +)*[$&*]?\w+(?:, *[$&*]?\w+)*\s*(?::=|=[^=~>]))|[{(\[:,\\+&|=?]\s*$|\b(?:then|do)\s*$`)
)

// statementLines is how many of some lines the statement takes that begins with the
// first; 0 if none does.
func statementLines(lines []string) int {
	first := lines[0]
	if strings.TrimSpace(first) == "" || goesOnPattern.MatchString(first) {
		return 0
	}
	n, own := 1, gates.Indent(first)
	for i := 1; i < len(lines); i++ {
		blank, deep := strings.TrimSpace(lines[i]) == "", gates.Indent(lines[i])
		if !blank && (deep < own || deep == own && !goesOnPattern.MatchString(lines[i])) {
			break
		}
		if !blank {
			n = i + 1
		}
	}
	if n == 1 && boundPattern.MatchString(first) || n > 1 && !blockPattern.MatchString(first) {
		return 0
	}
	return n
}

// balanced reports whether as many brackets are closed in a text as are opened.
func balanced(text string) bool {
	return !slices.ContainsFunc([]string{"()", "[]", "{}"}, func(pair string) bool {
		return strings.Count(text, pair[:1]) != strings.Count(text, pair[1:])
	})
}

var (
	// saidPattern matches a text between quotes.
	saidPattern = lazyregexp.New(`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|` + "`[^`]*`")
	// spokenPattern matches a word of a text in its last group; before it come what a value
	// takes the place of, and what is written with a backslash.
	spokenPattern = lazyregexp.New(`%[-+ #0-9.*]*(?:\([^)]*\)|\{[^}]*\})?[A-Za-z]|[$#]?\{[^{}]*\}|\$\w+|\\.|([A-Za-z]{2,})`)
)

// reworded are the texts that a change added to a source, each in other words: what an error
// says is no value that a small error would alter, and yet may be all that a change is about.
func reworded(r rewriting, _ func(string) string) []syntax.Mutant {
	var out []syntax.Mutant
	now := r.now
	for _, at := range saidPattern().FindAllStringIndex(now, -1) {
		e := syntax.Edit{Span: syntax.Span{Start: at[0], End: at[1]}, Text: inOtherWords(now[at[0]:at[1]])}
		if e.Text != now[at[0]:at[1]] && r.added.alters(e) {
			m := syntax.MutantOf(now, e, e.Text+" for "+now[at[0]:at[1]])
			m.Rank = 3
			out = append(out, m)
		}
	}
	return out
}

// inOtherWords is a text in which each word begins with the next letter.
func inOtherWords(text string) string {
	said := []byte(text)
	for _, at := range spokenPattern().FindAllStringSubmatchIndex(text, -1) {
		switch first := at[2]; {
		case first < 0:
		case said[first] == 'z', said[first] == 'Z':
			said[first] -= 25
		default:
			said[first]++
		}
	}
	return string(said)
}
