package php

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// another makes another value of one whose type shows only when the test runs.
const another = `(static fn ($v) => is_int($v) || is_float($v) ? $v * 3 + 41 : (is_string($v) ? $v . '~tdd' : (is_bool($v) ? !$v : [$v, '~tdd'])))(`

func replace(s testrun.Span, text string) []testrun.Edit {
	return []testrun.Edit{{Span: s, Text: text}}
}

// first alters the first of some expressions that is written out.
func (f *finder) first(list []testrun.Span, to testrun.Way) []testrun.Edit {
	for _, s := range list {
		if edits := f.altered(s, to); edits != nil {
			return edits
		}
	}
	return nil
}

var (
	numberPattern   = lazyregexp.New(`^-?(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)$`)
	stringPattern   = lazyregexp.New(`^(?:'_*'|"_*"|<<<_*)$`)
	joinedPattern   = lazyregexp.New(`^(?:'_*'|"_*")\s*\.`)
	variablePattern = lazyregexp.New(`^\$(\w+)$`)
	constantPattern = lazyregexp.New(`^(?:self|static)::([A-Z]\w*)$`)
	makesPattern    = lazyregexp.New(`^(?:new\s+[\w\\]+|array)\s*\(`)
)

// altered is another value than one that is written out: in place, or where a name
// is used that stands for such a value, in the method, in a constant of the class or
// in the rows of a data provider.
func (f *finder) altered(s testrun.Span, to testrun.Way) []testrun.Edit {
	text := f.masked[s.Start:s.End]
	switch lower := strings.ToLower(text); {
	case numberPattern.MatchString(text):
		return replace(s, "("+text+arithmetic(to)+")")
	case stringPattern.MatchString(text):
		return replace(s, "("+f.src[s.Start:s.End]+" . '~tdd')")
	case lower == "true", lower == "false":
		return replace(s, map[string]string{"true": "false", "false": "true"}[lower])
	case lower == "null":
		return replace(s, "'~tdd'")
	case text == "[]" || text == "array()":
		return replace(s, "['~tdd']")
	case strings.HasPrefix(text, "[") && scan.Closing(text, 0) == len(text):
		return f.element(s)
	case makesPattern.MatchString(text):
		open := strings.IndexByte(text, '(')
		if scan.Closing(text, open) == len(text) {
			return f.element(testrun.Span{Start: s.Start + open, End: s.End})
		}
	case joinedPattern.MatchString(text):
		end := s.Start + 2 + strings.IndexByte(text[1:], text[0])
		return replace(testrun.Span{Start: s.Start, End: end}, "("+f.src[s.Start:end]+" . '~tdd')")
	case variablePattern.MatchString(text):
		return f.named(s, f.values(text[1:]), to)
	case constantPattern.MatchString(text):
		return f.named(s, f.constant(constantPattern.FindStringSubmatch(text)[1]), to)
	}
	return nil
}

// arithmetic makes another number of one.
func arithmetic(to testrun.Way) string {
	switch to {
	case testrun.Up:
		return " + 1e15"
	case testrun.Down:
		return " - 1e15"
	case testrun.Other:
	}
	return " * 3 + 41"
}

// element alters the first value in a list that is written out.
func (f *finder) element(brackets testrun.Span) []testrun.Edit {
	var values []testrun.Span
	for _, s := range f.list(brackets) {
		values = append(values, f.value(s))
	}
	return f.first(values, testrun.Other)
}

// value is an entry of a list without its key.
func (f *finder) value(s testrun.Span) testrun.Span {
	for at := s.Start; at+1 < s.End; at++ {
		switch f.masked[at] {
		case '(', '[', '{':
			at = scan.Closing(f.masked, at) - 1
		case '=':
			if f.masked[at+1] == '>' {
				return f.trimmed(testrun.Span{Start: at + 2, End: s.End})
			}
		}
	}
	return s
}

// named alters the use of a name that stands for values that are all written out.
// Those are told as they are: the code under test may get them as well, and a data
// set is named by them.
func (f *finder) named(use testrun.Span, values []testrun.Span, to testrun.Way) []testrun.Edit {
	var told []testrun.Edit
	for _, v := range values {
		if text := f.masked[v.Start:v.End]; v.Start <= use.Start && use.Start < v.End || variablePattern.MatchString(text) || constantPattern.MatchString(text) {
			return nil // of one name only, or they could go round in circles
		}
		edits := f.altered(v, to)
		if edits == nil {
			return nil // computed
		}
		for _, e := range edits {
			if e.Start < e.End {
				told = append(told, testrun.Edit{Span: e.Span, Text: f.src[e.Start:e.End]})
			}
		}
	}
	switch {
	case len(values) == 0:
		return nil
	case to == testrun.Other:
		return append(testrun.Around(use, another, ")"), told...)
	}
	return append(testrun.Around(use, "(", arithmetic(to)+")"), told...)
}

// values are what a variable of the method stands for: what it is given in one
// place, or what a data provider gives a parameter.
func (f *finder) values(name string) []testrun.Span {
	if n := slices.Index(f.params, name); n >= 0 {
		return f.provided(n)
	}
	var out []testrun.Span
	for _, at := range assignmentPattern.FindAllStringSubmatchIndex(f.masked[f.body.Start:f.body.End], -1) {
		start := f.body.Start + at[1] - 1
		if f.src[f.body.Start+at[2]:f.body.Start+at[3]] == name {
			out = append(out, f.trimmed(testrun.Span{Start: start, End: scan.StatementEnd(f.masked, start)}))
		}
	}
	if len(out) > 1 || modified(f.masked[f.body.Start:f.body.End], name) {
		return nil
	}
	return out
}

var assignmentPattern = lazyregexp.New(`\$(\w+)\s*=[^=>]`)

// modified reports whether a variable is changed, or bound otherwise than by being
// given a value.
func modified(body, name string) bool {
	for _, at := range modifiedPattern.FindAllStringSubmatch(body, -1) {
		if at[1] == name || at[2] == name || at[3] == name {
			return true
		}
	}
	return false
}

var modifiedPattern = lazyregexp.New(`\$(\w+)\s*(?:[-+*/.%|&^?]+=[^=]|\+\+|--|\[[^\]]*\]\s*=[^=>])|(?:as|=>)\s*&?\$(\w+)|&\$(\w+)`)

var classConstantPattern = lazyregexp.New(`\bconst\s+(?:\w+\s+)?(\w+)\s*=[^=>]`)

// constant is what a constant of the class stands for.
func (f *finder) constant(name string) []testrun.Span {
	var out []testrun.Span
	for _, at := range classConstantPattern.FindAllStringSubmatchIndex(f.masked, -1) {
		if f.src[at[2]:at[3]] == name {
			out = append(out, f.trimmed(testrun.Span{Start: at[1] - 1, End: scan.StatementEnd(f.masked, at[1]-1)}))
		}
	}
	if len(out) > 1 {
		return nil
	}
	return out
}

var providerPattern = lazyregexp.New(`@dataProvider\s+(\w+)|DataProvider\(\s*['"](\w+)['"]`)

// provided are the values that the data providers of the method give its n-th
// parameter.
func (f *finder) provided(n int) []testrun.Span {
	var out []testrun.Span
	for _, hit := range providerPattern.FindAllStringSubmatch(f.lead, -1) {
		for _, m := range f.methods {
			if m.name == hit[1]+hit[2] {
				out = append(out, f.column(m, n)...)
			}
		}
	}
	return out
}

var rowPattern = lazyregexp.New(`\b(return|yield)\b`)

// column is the n-th value of each row that a provider returns or yields.
func (f *finder) column(m method, n int) []testrun.Span {
	var out []testrun.Span
	for _, at := range rowPattern.FindAllStringSubmatchIndex(f.masked[m.body.Start:m.body.End], -1) {
		start := m.body.Start + at[1]
		whole := f.trimmed(testrun.Span{Start: start, End: scan.StatementEnd(f.masked, start)})
		if f.src[m.body.Start+at[2]:m.body.Start+at[3]] == "yield" {
			out = append(out, f.cell(f.value(whole), n)...)
			continue
		}
		for _, row := range f.entries(whole) {
			out = append(out, f.cell(f.value(row), n)...)
		}
	}
	return out
}

// entries are those of a list that is written out.
func (f *finder) entries(s testrun.Span) []testrun.Span {
	if s.Start >= s.End || f.masked[s.Start] != '[' {
		return nil
	}
	return f.list(s)
}

// cell is what a row gives the n-th parameter.
func (f *finder) cell(row testrun.Span, n int) []testrun.Span {
	for i, cell := range f.entries(row) {
		key, keyed := f.key(cell)
		if !keyed && i == n || keyed && (key == strconv.Itoa(n) || n < len(f.params) && key == f.params[n]) {
			return []testrun.Span{f.value(cell)}
		}
	}
	return nil
}

// key is the key of an entry.
func (f *finder) key(s testrun.Span) (string, bool) {
	v := f.value(s)
	if v.Start == s.Start {
		return "", false
	}
	return strings.Trim(strings.TrimSuffix(strings.TrimSpace(f.bare[s.Start:v.Start]), "=>"), `'" `), true
}
