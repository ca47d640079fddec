package agents

import (
	"slices"

	"github.com/git-tdd/git-tdd/llm"
)

// maxFar is how many files are shown of which nothing about the step speaks.
const maxFar = 40

// SelectFiles keeps the files that fit into a budget of tokens. The candidates are in
// the order of their importance. Each is shown in part first, if there is an excerpt, and in
// outline if it is long and there is none; what is left then shows the first of them whole. What
// is far from the step leaves half of the budget free.
func SelectFiles(candidates []ShownFile, budget int) (shown []ShownFile, omitted []string) {
	left := budget
	files := make([]ShownFile, len(candidates)) // without a path if they are left out
	take := func(i int, f ShownFile, most int) {
		if more := f.tokens() - files[i].tokens(); more <= most {
			left -= more
			files[i] = f
		}
	}
	for i, f := range candidates {
		if !f.Far && (f.Excerpt != "" || f.tokens() <= budget/4) {
			take(i, f.inPart(), left)
		}
	}
	far := 0
	for i, f := range candidates {
		switch {
		case files[i].InPart:
			take(i, f, left/2)
		case f.Far && far < maxFar:
			far++
			take(i, f, min(left-budget/2, budget/4))
		}
	}
	for i, f := range candidates {
		if files[i].Path == "" {
			omitted = append(omitted, f.Path)
		}
	}
	return slices.DeleteFunc(files, func(f ShownFile) bool { return f.Path == "" }), omitted
}

func (f ShownFile) tokens() int { return llm.Tokens(f.Path) + llm.Tokens(f.Content) }

// inPart is the excerpt of a file, if it has one that is a good deal shorter.
func (f ShownFile) inPart() ShownFile {
	short := f
	if short.Content = f.Excerpt; f.Excerpt == "" || short.tokens() >= f.tokens()*3/4 {
		return f
	}
	short.InPart = true
	return short
}
