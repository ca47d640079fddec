package evidence

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// callPattern matches a line that keeps what a call gives, with the call; plainPattern, what
// stands like a call and may be none, or do nothing by itself.
var (
	callPattern  = lazyregexp.New(`(?m)^([ \t]*)[\w<>\[\], .:&*$@]+?[ \t]*:?=[ \t]*((?:await )?[\w.$:>-]+\(.*\))(;?)[ \t]*$`)
	plainPattern = lazyregexp.New(`^(?:len|cap|append|make|new|string|u?int\d*|float\d+|byte|rune|min|max|copy|time\.Duration)\(`)
)

// doubled lets a test ask twice what it asks once: what a call gives that it keeps is asked for
// just before, too.
func (g *graded) doubled() (out []syntax.Edit) {
	from, to := g.lines()
	for _, at := range callPattern().FindAllStringSubmatchIndex(g.file.Content[from:to], -1) {
		indent, call, ends := g.file.Content[from+at[2]:from+at[3]], g.file.Content[from+at[4]:from+at[5]], g.file.Content[from+at[6]:from+at[7]]
		if !plainPattern.MatchString(call) && closing(call, strings.IndexByte(call, '(')) == len(call) {
			out = append(out, syntax.Edit{Span: syntax.Span{Start: from + at[0], End: from + at[0]}, Text: indent + call + ends + "\n"})
		}
	}
	return out
}

// repeated lets a test ask what a check asks of a function just before the check, too.
func (g *graded) repeated() (out []syntax.Edit) {
	text := g.file.Content
	for _, c := range g.own() {
		begin := strings.LastIndexByte(text[:c.At.Start], '\n') + 1
		line, _, _ := strings.Cut(text[begin:], "\n")
		if call := askedBy(functionPattern, strings.TrimLeft(text[begin:c.At.End], " \t")); call != "" && strings.Contains(line, call) && !plainPattern.MatchString(call) {
			indent, ends := line[:len(line)-len(strings.TrimLeft(line, " \t"))], line[len(strings.TrimRight(line, ";")):]
			out = append(out, syntax.Edit{Span: syntax.Span{Start: begin, End: begin}, Text: indent + call + ends + "\n"})
		}
	}
	return out
}

var (
	// functionPattern matches the beginning of a call of a function, ofPattern what makes it another one.
	functionPattern = lazyregexp.New(`(?:\bawait )?[A-Za-z_$]\w*[?!]?\(`)
	ofPattern       = lazyregexp.New(`(?:[.>:@]|\bnew )$`)
	// methodPattern matches the beginning of a call of something's method, namePattern a name.
	methodPattern = lazyregexp.New(`(?:\bawait )?[\w$@]+(?:(?:\.|->|::)\w+)*(?:\.|->)\w+[?!]?\(`)
	namePattern   = lazyregexp.New(`[A-Za-z_$@]\w*`)
	// givenPattern matches what a line gives a value to, partPattern the line of a part of something
	// that other lines begin or end.
	givenPattern = lazyregexp.New(`^([^=("']+?)[-+|:]?=[^=~>]`)
	partPattern  = lazyregexp.New(`^(?:[\s)}\]/#*]|$)|[({\[,:\\]\s*$|\b(?:do|then)$`)
)

// mostAbove is before how many lines above a check its question is asked, too.
const mostAbove = 4

// hastened lets a test ask what a check asks also before what it does first: before the lines
// above the check that stand as deep, and give nothing to what is asked.
func (g *graded) hastened() (out []syntax.Edit) {
	text := g.file.Content
	from, _ := g.lines()
	for _, c := range g.own() {
		begin := strings.LastIndexByte(text[:c.At.Start], '\n') + 1
		line, _, _ := strings.Cut(text[begin:], "\n")
		call := askedBy(methodPattern, strings.TrimLeft(text[begin:c.At.End], " \t"))
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for n := 0; call != "" && begin >= from && n <= mostAbove; n++ {
			ends := line[len(strings.TrimRight(line, ";")):]
			out = append(out, syntax.Edit{Span: syntax.Span{Start: begin, End: begin}, Text: indent + call + ends + "\n"})
			above := strings.LastIndexByte(text[:max(begin-1, 0)], '\n') + 1
			if before, deep := strings.CutPrefix(text[above:max(begin-1, 0)], indent); !deep || !apart(before, call) {
				break
			}
			begin = above
		}
	}
	return out
}

// askedBy is the first call that a pattern finds within the code of a check; empty if that is more
// than a line, or there is none.
func askedBy(pattern lazyregexp.Regexp, check string) string {
	for _, at := range pattern().FindAllStringIndex(check, -1) {
		call := check[at[0]:]
		if call = call[:closing(call, strings.IndexByte(call, '('))]; at[0] > 0 && !ofPattern.MatchString(check[:at[0]]) && call != "" && !strings.Contains(call, "\n") {
			return call
		}
	}
	return ""
}

// apart reports whether a line is whole, and gives nothing to a name in a call.
func apart(line, call string) bool {
	if partPattern.MatchString(line) {
		return false
	}
	given := givenPattern().FindStringSubmatch(line)
	return given == nil || !slices.ContainsFunc(namePattern().FindAllString(given[1], -1), func(name string) bool {
		return slices.Contains(namePattern().FindAllString(call, -1), name)
	})
}
