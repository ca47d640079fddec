package shell

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// words cuts a command at its white space.
func words(start int, masked string) []testrun.Span {
	var out []testrun.Span
	for i := 0; i < len(masked); {
		if strings.IndexByte(" \t\n\\", masked[i]) >= 0 {
			i++
			continue
		}
		from := i
		for i < len(masked) && strings.IndexByte(" \t\n", masked[i]) < 0 {
			i++
		}
		out = append(out, testrun.Span{Start: start + from, End: start + i})
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
func (f *finder) altered(at testrun.Span, masked string) []testrun.Edit {
	if denyPattern.MatchString(masked) {
		return nil
	}
	if strings.HasPrefix(masked, "((") {
		hit := arithmeticPattern.FindStringSubmatchIndex(masked)
		if hit == nil {
			return nil
		}
		return f.literal(testrun.Span{Start: at.Start + hit[4], End: at.Start + hit[5]}, ways()[masked[hit[2]:hit[3]]])
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
func (f *finder) arguments(start int, masked string) []testrun.Span {
	if end := endPattern.FindStringIndex(masked); end != nil {
		masked = masked[:end[0]]
	}
	var out []testrun.Span
	for _, w := range words(start, masked) {
		if f.text[w.Start] != '-' {
			out = append(out, w)
		}
	}
	return out
}

func (f *finder) firstOf(words []testrun.Span) []testrun.Edit {
	for _, w := range words {
		if edits := f.literal(w, testrun.Other); edits != nil {
			return edits
		}
	}
	return nil
}

func (f *finder) lastOf(words []testrun.Span) []testrun.Edit {
	for i := range words {
		if edits := f.literal(words[len(words)-1-i], testrun.Other); edits != nil {
			return edits
		}
	}
	return nil
}

// compared alters the first value that a condition compares with.
func (f *finder) compared(words []testrun.Span) []testrun.Edit {
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
func (f *finder) operand(op string, at testrun.Span, to testrun.Way) []testrun.Edit {
	if strings.HasPrefix(op, "-") && !numberPattern.MatchString(f.text[at.Start:at.End]) {
		return nil
	}
	return f.literal(at, to)
}

// ways are the operators that compare, and where the value on their right must go for
// a comparison to fail.
func ways() map[string]testrun.Way {
	return map[string]testrun.Way{
		"=": testrun.Other, "==": testrun.Other, "=~": testrun.Other, "-eq": testrun.Other,
		"-ge": testrun.Up, "-gt": testrun.Up, ">=": testrun.Up, ">": testrun.Up,
		"-le": testrun.Down, "-lt": testrun.Down, "<=": testrun.Down, "<": testrun.Down,
	}
}

// opposite is where the value on the left must go.
func opposite(way testrun.Way) testrun.Way {
	switch way {
	case testrun.Up:
		return testrun.Down
	case testrun.Down:
		return testrun.Up
	case testrun.Other:
	}
	return way
}

// expression makes a regular expression match nothing.
func (f *finder) expression(at testrun.Span) []testrun.Edit {
	if expansionPattern.MatchString(f.text[at.Start:at.End]) {
		return nil
	}
	start := at.Start
	if strings.IndexByte(`"'`, f.text[start]) >= 0 {
		start++
	}
	return []testrun.Edit{{Span: testrun.Span{Start: start, End: start}, Text: "tdd~"}}
}

// document alters the first line of a here-document.
func (f *finder) document(at testrun.Span) []testrun.Edit {
	line := strings.IndexByte(f.text[at.Start:at.End], '\n')
	if line < 0 {
		return nil
	}
	begin := at.Start + line + 1
	return []testrun.Edit{{Span: testrun.Span{Start: begin, End: begin}, Text: "~tdd"}}
}

var (
	numberPattern    = lazyregexp.New(`^["']?-?\d+["']?$`)
	expansionPattern = lazyregexp.New("\\$\\{[^}]*\\}|\\$\\w+|\\$[?#@*$!-]|\\$\\(.*\\)|`[^`]*`")
)

// far is how far up or down a value is taken.
const far = 1 << 30

// literal is another value in the place of one that is written out.
func (f *finder) literal(at testrun.Span, to testrun.Way) []testrun.Edit {
	word := f.text[at.Start:at.End]
	if numberPattern.MatchString(word) {
		n, err := strconv.Atoi(strings.Trim(word, `"'`))
		if err != nil {
			return nil
		}
		n += map[testrun.Way]int{testrun.Other: 41, testrun.Up: far, testrun.Down: -far}[to]
		return []testrun.Edit{{Span: at, Text: strconv.Itoa(n)}}
	}
	written := word
	if !strings.HasPrefix(word, "'") {
		written = expansionPattern.ReplaceAllString(word, "")
	}
	empty := word == `""` || word == `''`
	if to != testrun.Other || !empty && strings.Trim(written, `"'*`) == "" || word[0] != '\'' && strings.ContainsAny(written, "$`") {
		return nil
	}
	end := at.End
	if quote := word[len(word)-1]; quote == '"' || quote == '\'' {
		end--
	}
	return []testrun.Edit{{Span: testrun.Span{Start: end, End: end}, Text: "~tdd"}}
}
