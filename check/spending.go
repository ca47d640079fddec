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
// steps of a history, in the order of their first steps. Steps of people used nothing
// and are not counted; what is said of reviews is counted as the reviewer's.
func Spending(ctx context.Context, repo *gitx.Repo, head gitx.ID, pos gates.Position) ([]RoleUsage, error) {
	if !pos.Started() {
		return nil, nil
	}
	var steps []gates.Step
	left, ended := mostSteps, false
	err := repo.Walk(ctx, string(head), func(c gitx.Commit) bool {
		m := commitmsg.Parse(c.Message)
		step, ok := gates.ParseStep(m)
		if !ok {
			step = advice(m)
		}
		if ended && step.Role != config.Planner { // who may have planned before the first step
			return false
		}
		if ok {
			left--
		}
		ended = ended || ok && step.Number == 1
		steps = append(steps, step)
		return left > 0
	})
	return spent(steps), err
}

// advice is what a commit that takes no step claims of those who advise.
func advice(m commitmsg.Message) gates.Step {
	step := gates.Step{Review: gates.ParseReview(m)}
	if value(m, gates.KeyRole) == string(config.Planner) {
		step.Role, step.Tokens, step.Cost = config.Planner, value(m, gates.KeyTokens), value(m, gates.KeyCost)
	}
	return step
}

// spent sums up what each role has used in some steps, the latest first.
func spent(steps []gates.Step) []RoleUsage {
	var out []RoleUsage
	for _, step := range steps {
		if step.Review.Given() {
			out = addUsage(out, config.Reviewer, step.Review.Usage())
		}
		if step.Tokens != "" {
			out = addUsage(out, step.Role, step.Usage())
		}
	}
	slices.Reverse(out)
	return out
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
