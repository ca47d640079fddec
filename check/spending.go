package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// RoleUsage is what the steps of a role have used, as their trailers claim.
type RoleUsage struct {
	Role  gates.Role `json:"role"`
	Steps int        `json:"steps"`
	gates.Usage
}

// mostSteps limits how many steps are summed up, so that it takes no longer in
// a long history.
const mostSteps = 500

// Spending sums up what each role has used, by the trailers of the last 500
// steps before a position, in the order of their first steps. Steps of people
// used nothing and are not counted.
func Spending(ctx context.Context, repo *gitx.Repo, pos gates.Position) ([]RoleUsage, error) {
	if !pos.Started() {
		return nil, nil
	}
	var out []RoleUsage
	seen := 0
	err := repo.Walk(ctx, pos.Commit, func(c gitx.Commit) bool {
		step, ok := gates.ParseStep(commitmsg.Parse(c.Message))
		if !ok {
			return true
		}
		if step.Review.Given() {
			out = addUsage(out, config.Reviewer, step.Review.Usage())
		}
		if step.Tokens != "" {
			out = addUsage(out, step.Role, step.Usage())
		}
		seen++
		return step.Number > 1 && seen < mostSteps
	})
	slices.Reverse(out)
	return out, err
}

func addUsage(all []RoleUsage, role gates.Role, used gates.Usage) []RoleUsage {
	i := slices.IndexFunc(all, func(u RoleUsage) bool { return u.Role == role })
	u := RoleUsage{Role: role}
	if i >= 0 {
		u = all[i]
		all = slices.Delete(all, i, i+1)
	}
	u.Steps++
	u.Usage = u.Plus(used)
	return append(all, u)
}
