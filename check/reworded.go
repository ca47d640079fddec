package check

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

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
