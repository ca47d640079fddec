package agents

// EstimateTokens estimates how many tokens a text has: one for 2.5 bytes,
// rounded up. Code has shorter tokens than prose, so this errs on the high
// side.
func EstimateTokens(s string) int { return (2*len(s) + 4) / 5 }

// SelectFiles keeps the files that fit into a budget of tokens. The candidates
// are ordered by importance and keep their order; one that is too large for
// what is left is skipped, and smaller ones after it may still fit. A distant one
// is skipped in any case.
func SelectFiles(candidates []ShownFile, budget int) (shown []ShownFile, omitted []string) {
	for _, f := range candidates {
		cost := EstimateTokens(f.Path) + EstimateTokens(f.Content)
		if f.Distant || cost > budget {
			omitted = append(omitted, f.Path)
			continue
		}
		budget -= cost
		shown = append(shown, f)
	}
	return shown, omitted
}
