package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

var arithmeticPattern = lazyregexp.New(`(==|<=|>=|<|>)[ \t]*(\d+)`)

// altered makes a check expect another value. A search is the place of what looks for
// something in it.
func (f *finder) altered(e syntax.Expr, search int) []syntax.Edit {
	for i := e.From; i+1 < e.To; i++ {
		if denyPattern.MatchString(f.Word(i)) {
			return nil
		}
	}
	switch first := f.Word(e.From); {
	case first == "!", strings.HasPrefix(first, "assert_not"):
		return nil
	case first == "(":
		start := f.Span(e).Start
		hit := arithmeticPattern().FindStringSubmatchIndex(f.Source(e))
		if hit == nil {
			return nil
		}
		return other(f.Text, syntax.Span{Start: start + hit[4], End: start + hit[5]}, ways()[f.Text[start+hit[2]:start+hit[3]]])
	case strings.HasSuffix(f.Word(search), "grep"):
		words := f.words(syntax.Expr{From: search, To: e.To}, "-")
		slices.Reverse(words)
		return f.first(words)
	case strings.HasPrefix(first, "assert"):
		return f.first(f.words(e, "-"))
	}
	return f.compared(e)
}

// compared alters the first value that a condition compares with.
func (f *finder) compared(e syntax.Expr) []syntax.Edit {
	for i := e.From + 1; i+1 < e.To; i++ {
		op := f.Word(i)
		way, compares := ways()[op]
		numbers := strings.HasPrefix(op, "-")
		switch {
		case !compares:
			continue
		case op == "=~":
			return f.expression(i + 1)
		}
		for _, side := range []struct {
			at int
			to syntax.Way
		}{{i + 1, way}, {i - 1, way.Opposite()}} {
			if numbers && !numberPattern.MatchString(f.Word(side.at)) {
				continue
			}
			if edits := f.literal(side.at, side.to); edits != nil {
				return edits
			}
		}
	}
	return nil
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

// expression makes a regular expression match nothing.
func (f *finder) expression(i int) []syntax.Edit {
	if expansionPattern.MatchString(f.Word(i)) {
		return nil
	}
	start := f.Span(syntax.Expr{From: i, To: i + 1}).Start
	if strings.IndexByte(`"'`, f.Text[start]) >= 0 {
		start++
	}
	return []syntax.Edit{{Span: syntax.Span{Start: start, End: start}, Text: "tdd~"}}
}

var (
	numberPattern    = lazyregexp.New(`^["']?-?\d+["']?$`)
	expansionPattern = lazyregexp.New("\\$\\{[^}]*\\}|\\$\\w+|\\$[?#@*$!-]|\\$\\(.*\\)|`[^`]*`")
)

// literal is another value in the place of a word that is written out.
func (f *finder) literal(i int, to syntax.Way) []syntax.Edit {
	return other(f.Text, f.Span(syntax.Expr{From: i, To: i + 1}), to)
}

// other is another value in the place of a word that is written out.
func other(text string, at syntax.Span, to syntax.Way) []syntax.Edit {
	const far = 1 << 30
	word := text[at.Start:at.End]
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
		written = expansionPattern().ReplaceAllString(word, "")
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
