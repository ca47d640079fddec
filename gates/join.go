package gates

import (
	"cmp"
	"slices"
)

// Join is the facts of a tree of several projects, given those of each; their ids
// differ. What keeps one project from being judged keeps the tree from it, and one
// whose tests cannot be told apart makes the whole no finer.
func Join(tree string, parts []Facts) Facts {
	out := Facts{Tree: tree, Outcome: Empty, Tests: []Test{}, Detail: DetailTest}
	for _, p := range parts {
		out.Outcome, out.Check = worseOutcome(out.Outcome, p.Outcome), worseOutcome(out.Check, p.Check)
		out.Tests = append(out.Tests, p.Tests...)
		out.Diagnostics = append(out.Diagnostics, p.Diagnostics...)
		out.CheckDiagnostics = append(out.CheckDiagnostics, p.CheckDiagnostics...)
		out.DurationMS += p.DurationMS
		out.TestMS += p.SuiteMS()
		if p.Detail == DetailExitCode && p.Outcome != Empty {
			out.Detail = DetailExitCode
		}
		out.Coverage = joinCoverage(out.Coverage, p.Coverage)
	}
	slices.SortFunc(out.Tests, func(a, b Test) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// worseOutcome is the one that says more about what is wrong. Nothing at all is the
// best: no check is configured.
func worseOutcome(a, b Outcome) Outcome {
	return worse([]Outcome{"", Empty, Passed, Failed, Broken, Timeout, Crashed}, a, b)
}

// joinCoverage puts the coverage of two projects together.
func joinCoverage(a, b *Coverage) *Coverage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &Coverage{Files: slices.Concat(a.Files, b.Files), Unknown: cmp.Or(a.Unknown, b.Unknown)}
}
