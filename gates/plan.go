package gates

import (
	"fmt"
	"path"

	"github.com/git-tdd/git-tdd/commitmsg"
)

// planner names who writes the plan. It takes no step, so it is none of the roles.
const planner = "planner"

// PlanDir is the folder of the plan, which no other agent changes.
const PlanDir = "docs/plan"

// plans reports whether a commit says that it is the planner's.
func (c *Premise) plans() bool {
	header, err := commitmsg.ParseHeader(c.Message.Subject)
	return c.Agent && err == nil && header.Type == "docs" && value(c.Message, KeyRole) == planner
}

// planOnly refuses whatever a planner changes beside the plan.
func planOnly(c *Premise) []Finding {
	var out []Finding
	for _, f := range c.Change.Files {
		for _, side := range []*File{f.Old, f.New} {
			if side != nil && !ofPlan(side) {
				out = append(out, Finding{
					Path: side.Path, Seen: "the planner changes what is no part of the plan",
					Remedy: fmt.Sprintf("write Markdown files directly below %s, and nothing else", PlanDir),
				})
				break
			}
		}
	}
	return out
}

func ofPlan(f *File) bool {
	const plain = "100644"
	return path.Dir(f.Path) == PlanDir && path.Ext(f.Path) == ".md" && f.Mode == plain
}
