package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/katas"
)

// serves is the acceptance criterion that an agent's characterization names, if the
// kata lists it and passing tests do not cover the whole of it yet; 0 if there is
// none, or if nobody asks.
func (c *Checker) serves(ctx context.Context, p Proposal, j *Judgement) (int, error) {
	k := j.Case
	ids, _ := gates.Criteria(k.Message)
	if !k.Agent || k.Special != gates.Characterization || k.Policy.Characterization == gates.Allow || len(ids) == 0 || p.Parent == "" {
		return 0, nil
	}
	covered, err := c.Covered(ctx, j.Project, p.Parent, k.Before)
	if err != nil {
		return 0, err
	}
	for _, listed := range katas.ParseCriteria([]byte(j.Project.Kata)) {
		if slices.Contains(ids, listed.ID) && !covered[listed.ID].Whole() {
			return listed.ID, nil
		}
	}
	return 0, nil
}
