package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/katas"
)

// serves notes the first acceptance criterion that an agent's characterization names, if the
// kata lists it and passing tests do not cover the whole of it yet.
func (c *Checker) serves(ctx context.Context, p Proposal, j *Judgement) error {
	k := j.Case
	ids, _ := gates.Criteria(k.Message)
	if !k.Agent || k.Special != gates.Characterization || k.Policy.Characterization == gates.Allow || len(ids) == 0 || p.Parent == "" {
		return nil
	}
	covered, err := c.Covered(ctx, j.Project, p.Parent, k.Before)
	for _, listed := range katas.ParseCriteria([]byte(j.Project.Kata)) {
		if k.Serves == 0 && slices.Contains(ids, listed.ID) && !covered[listed.ID].Whole() {
			k.Serves = listed.ID
		}
	}
	return err
}
