package syntax

import (
	"slices"
	"strings"
	"unicode"
)

// Mask returns a text of the same length in which comments are blank, and one in which
// the contents of texts and patterns are hidden, too, so that every bracket and every word
// in it is code.
func (p *Page) Mask(text string) (bare, masked string) { return p.Parse(text).mask() }

func (t *Tree) mask() (bare, masked string) {
	blank, hidden := []byte(t.Text), []byte(t.Text)
	for _, c := range t.comments {
		heredoc := t.Text[c.Start] == '\n'
		for i := c.Start; i < c.End; i++ {
			switch {
			case heredoc:
				hidden[i] = '_'
			case t.Text[i] != '\n':
				blank[i], hidden[i] = ' ', ' '
			}
		}
	}
	for i := range t.tokens {
		if t.Kind(i) >= Text {
			in := t.contents(i)
			copy(hidden[in.Start:], strings.Repeat("_", in.End-in.Start))
		}
	}
	return string(blank), string(hidden)
}

// Quoted is what stands between the quotes of token i, as it is written.
func (t *Tree) Quoted(i int) string { in := t.contents(i); return t.Text[in.Start:in.End] }

// Title is what stands between the quotes of token i, without the backslashes before
// quotes.
func (t *Tree) Title(i int) string {
	return strings.NewReplacer(`\'`, `'`, `\"`, `"`, "\\`", "`", `\\`, `\`).Replace(t.Quoted(i))
}

// contents is what stands between the quotes of token i: of a heredoc, all behind the
// signs that begin it.
func (t *Tree) contents(i int) Span {
	at, word := t.tokens[i].Span, t.Word(i)
	open := strings.IndexAny(word, "\"'`/")
	if word[0] == '%' { // %w[a b]
		open = 1 + len(word[1:]) - len(strings.TrimLeftFunc(word[1:], unicode.IsLetter))
		end := strings.LastIndexAny(word, ")]}>"+word[open:min(open+1, len(word))])
		return Span{at.Start + min(open+1, len(word)), at.Start + max(open+1, end)}
	}
	switch {
	case strings.HasPrefix(word, "<<"):
		return Span{at.Start + len(word) - len(strings.TrimLeft(word, "<")), at.End}
	case open < 0:
		return Span{at.End, at.End}
	}
	quote := word[open : open+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(word[open:], triple) && len(word) > open+3 {
		quote = triple
	}
	end := len(word)
	if closing := strings.LastIndex(word, quote); closing > open && t.Kind(i) == Pattern || strings.HasSuffix(word, quote) && closing > open {
		end = closing
	}
	return Span{at.Start + min(open+len(quote), end), at.Start + end}
}

// directive is what a tool reads in a comment, without its layout; empty if none reads it.
func (t *Tree) directive(comment Span) string {
	c := t.Text[comment.Start:comment.End]
	if c[0] == '\n' {
		return c + "\n"
	}
	if t.page.Directive == nil || !t.page.Directive(c) {
		return ""
	}
	words := slices.DeleteFunc(strings.Fields(c), func(w string) bool { return strings.Contains(w, "*") && strings.Trim(w, "/*") == "" })
	return strings.Join(words, " ") + "\n"
}

// Plain is a source without its comments and its layout: two sources of the same code
// do the same. Comments that tools read stay, and so do line breaks that count, and where
// indentation makes blocks which lines are in which.
func (p *Page) Plain(text string) string {
	t := p.Parse(text)
	var out strings.Builder
	var indents []int
	said := 0 // comments
	for i, token := range t.tokens {
		for ; said < len(t.comments) && t.comments[said].Start < token.Start; said++ {
			out.WriteString(t.directive(t.comments[said]))
		}
		if p.Silent == nil || !p.Silent(t, i) {
			indents = t.layout(indents, i, &out)
			out.WriteString(t.Word(i) + "\n")
		}
	}
	for _, c := range t.comments[said:] {
		out.WriteString(t.directive(c))
	}
	return out.String()
}

// layout writes what counts of the layout before token i: the end of a line, a blank, and
// which blocks end and begin with its line. It returns how far those are indented that it
// stands in.
func (t *Tree) layout(indents []int, i int, out *strings.Builder) []int {
	p := t.page
	if p.Break != nil && (i == 0 || t.Broken(i)) && p.Break(t, i) {
		out.WriteByte('\n')
	}
	if p.Spaced && i > 0 && !t.Adjacent(i) {
		out.WriteByte(' ')
	}
	if p.Heads == nil || !t.Begins(i) {
		return indents
	}
	for len(indents) > 0 && last(indents) > t.Indent(i) {
		indents = indents[:len(indents)-1]
		out.WriteString("}\n")
	}
	if last(indents) < t.Indent(i) {
		indents = append(indents, t.Indent(i))
		out.WriteString("{\n")
	}
	return indents
}
