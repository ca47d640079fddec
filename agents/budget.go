package agents

import "github.com/git-tdd/git-tdd/llm"

// SelectFiles keeps the files that fit into a budget of tokens. The candidates are in
// the order of their importance. A long one is shown in part if there is an excerpt,
// and in outline if there is none; what is far from the step leaves half of the budget free.
func SelectFiles(candidates []ShownFile, budget int) (shown []ShownFile, omitted []string) {
	left := budget
	for _, f := range candidates {
		cost, part := llm.Tokens(f.Path)+llm.Tokens(f.Content), llm.Tokens(f.Path)+llm.Tokens(f.Excerpt)
		most := left
		if f.Far {
			most = left - budget/2
		}
		switch {
		case f.Distant, f.Excerpt == "" && cost > budget/4:
			cost = budget + 1
		case cost > most/2 && f.Excerpt != "" && part < cost*3/4:
			f.Content, f.InPart, cost = f.Excerpt, true, part
		}
		if cost > most {
			omitted = append(omitted, f.Path)
			continue
		}
		left -= cost
		shown = append(shown, f)
	}
	return shown, omitted
}
