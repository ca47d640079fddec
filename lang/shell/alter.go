package shell

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// words cuts a command at its white space.
func words(start int, masked string) []syntax.Span {
	var out []syntax.Span
	for i := 0; i < len(masked); {
		if strings.IndexByte(" \t\n\\", masked[i]) >= 0 {
			i++
			continue
		}
		from := i
		for i < len(masked) && strings.IndexByte(" \t\n", masked[i]) < 0 {
			i++
		}
		out = append(out, syntax.Span{Start: start + from, End: start + i})
	}
	return out
}

var (
	arithmeticPattern = lazyregexp.New(`(==|<=|>=|<|>)[ \t]*(\d+)`)
	searchPattern     = lazyregexp.New(`(?:^|\|[ \t]*)[ef]?grep[ \t]`)
	assertPattern     = lazyregexp.New(`^(?:assert\w*)(?:[ \t]|$)`)
	denyPattern       = lazyregexp.New(`^assert_not|^!|[ \t]-\w*[vL]\w*[ \t]`)
	endPattern        = lazyregexp.New(`[|&;<>]`)
)

// altered makes a check expect another value.
func (f *finder) altered(at syntax.Span, masked string) []syntax.Edit {
	if denyPattern.MatchString(masked) {
		return nil
	}
	if strings.HasPrefix(masked, "((") {
		hit := arithmeticPattern.FindStringSubmatchIndex(masked)
		if hit == nil {
			return nil
		}
		return f.literal(syntax.Span{Start: at.Start + hit[4], End: at.Start + hit[5]}, ways()[masked[hit[2]:hit[3]]])
	}
	if hit := searchPattern.FindStringIndex(masked); hit != nil {
		return f.firstOf(f.arguments(at.Start+hit[1], masked[hit[1]:]))
	}
	if hit := assertPattern.FindStringIndex(masked); hit != nil {
		return f.lastOf(f.arguments(at.Start+hit[1], masked[hit[1]:]))
	}
	return f.compared(words(at.Start, masked))
}

// arguments are the words of a command up to where another one begins, without its
// options.
func (f *finder) arguments(start int, masked string) []syntax.Span {
	if end := endPattern.FindStringIndex(masked); end != nil {
		masked = masked[:end[0]]
	}
	var out []syntax.Span
	for _, w := range words(start, masked) {
		if f.text[w.Start] != '-' {
			out = append(out, w)
		}
	}
	return out
}

func (f *finder) firstOf(words []syntax.Span) []syntax.Edit {
	for _, w := range words {
		if edits := f.literal(w, syntax.Other); edits != nil {
			return edits
		}
	}
	return nil
}

func (f *finder) lastOf(words []syntax.Span) []syntax.Edit {
	for i := range words {
		if edits := f.literal(words[len(words)-1-i], syntax.Other); edits != nil {
			return edits
		}
	}
	return nil
}

// compared alters the first value that a condition compares with.
func (f *finder) compared(words []syntax.Span) []syntax.Edit {
	for i := 1; i+1 < len(words); i++ {
		op := f.text[words[i].Start:words[i].End]
		way, compares := ways()[op]
		if !compares {
			continue
		}
		if op == "=~" {
			return f.expression(words[i+1])
		}
		edits := f.operand(op, words[i+1], way)
		if edits == nil {
			edits = f.operand(op, words[i-1], opposite(way))
		}
		if edits != nil {
			return edits
		}
	}
	return nil
}

// operand alters a value that an operator compares, if it is written out.
func (f *finder) operand(op string, at syntax.Span, to syntax.Way) []syntax.Edit {
	if strings.HasPrefix(op, "-") && !numberPattern.MatchString(f.text[at.Start:at.End]) {
		return nil
	}
	return f.literal(at, to)
}

// ways are the operators that compare, and where the value on their right must go for
// a comparison to fail.
func ways() map[string]syntax.Way {
	return map[string]syntax.Way{
		"=": syntax.Other, "==": syntax.Other, "=~": syntax.Other, "-eq": syntax.Other,
		"-ge": syntax.Up, "-gt": syntax.Up, ">=": syntax.Up, ">": syntax.Up,
		"-le": syntax.Down, "-lt": syntax.Down, "<=": syntax.Down, "<": syntax.Down,
	}
}

// opposite is where the value on the left must go.
func opposite(way syntax.Way) syntax.Way {
	switch way {
	case syntax.Up:
		return syntax.Down
	case syntax.Down:
		return syntax.Up
	case syntax.Other:
	}
	return way
}

// expression makes a regular expression match nothing.
func (f *finder) expression(at syntax.Span) []syntax.Edit {
	if expansionPattern.MatchString(f.text[at.Start:at.End]) {
		return nil
	}
	start := at.Start
	if strings.IndexByte(`"'`, f.text[start]) >= 0 {
		start++
	}
	return []syntax.Edit{{Span: syntax.Span{Start: start, End: start}, Text: "tdd~"}}
}

// document alters the first line of a here-document.
func (f *finder) document(at syntax.Span) []syntax.Edit {
	line := strings.IndexByte(f.text[at.Start:at.End], '\n')
	if line < 0 {
		return nil
	}
	begin := at.Start + line + 1
	return []syntax.Edit{{Span: syntax.Span{Start: begin, End: begin}, Text: "~tdd"}}
}

var (
	numberPattern    = lazyregexp.New(`^["']?-?\d+["']?$`)
	expansionPattern = lazyregexp.New("\\$\\{[^}]*\\}|\\$\\w+|\\$[?#@*$!-]|\\$\\(.*\\)|`[^`]*`")
)

// far is how far up or down a value is taken.
const far = 1 << 30

// literal is another value in the place of one that is written out.
func (f *finder) literal(at syntax.Span, to syntax.Way) []syntax.Edit {
	word := f.text[at.Start:at.End]
	if numberPattern.MatchString(word) {
		n, err := strconv.Atoi(strings.Trim(word, `"'`))
		if err != nil {
			return nil
		}
		n += map[syntax.Way]int{syntax.Other: 41, syntax.Up: far, syntax.Down: -far}[to]
		return []syntax.Edit{{Span: at, Text: strconv.Itoa(n)}}
	}
	written := word
	if !strings.HasPrefix(word, "'") {
		written = expansionPattern.ReplaceAllString(word, "")
	}
	empty := word == `""` || word == `''`
	if to != syntax.Other || !empty && strings.Trim(written, `"'*`) == "" || word[0] != '\'' && strings.ContainsAny(written, "$`") {
		return nil
	}
	end := at.End
	if quote := word[len(word)-1]; quote == '"' || quote == '\'' {
		end--
	}
	return []syntax.Edit{{Span: syntax.Span{Start: end, End: end}, Text: "~tdd"}}
}
