package main

import (
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
)

// action is the next thing that the rules allow, for whoever does it.
type action struct {
	Role     gates.Role                 `json:"role"`
	Phase    gates.Phase                `json:"phase"`
	Types    []string                   `json:"types"`          // of the commit: feat or fix
	Expected string                     `json:"expected"`       // in words
	Or       string                     `json:"or,omitempty"`   // another commit that may come next
	Commit   []string                   `json:"commit"`         // the command that makes the step; the dots are to be replaced
	May      map[gates.Kind]gates.Reach `json:"may,omitempty"`  // how much of each kind of file the role may change
	Only     []string                   `json:"only,omitempty"` // the paths of a role that has its own
}

// nextAction is the next action at a position.
func nextAction(project *check.Project, pos gates.Position, next gates.Step) *action {
	plays, policy, rules := project.Settings.Plays(next.Role), project.Settings.Gates, project.Settings.Rules(next.Role)
	a := &action{
		Role: next.Role, Phase: next.Phase, Types: project.Settings.TypesOf(next.Role), Expected: project.Settings.Expected(pos, next.Role),
		May: map[gates.Kind]gates.Reach{}, Only: rules.Paths,
	}
	if policy.Pace == gates.PaceCycles && pos.Step.Phase != gates.PhaseRed {
		a.Or = "feat: … or fix: … that brings its failing test with it (gates.pace: cycles)"
	}
	for _, r := range project.Language.Rules {
		switch {
		case r.Kind == gates.KindOther:
		case plays != gates.Keeper:
			a.May[r.Kind] = policy.Reach(plays, r.Kind, project.Language.Inline())
		case rules.Kind(r.Kind) == gates.ReachNone:
			a.May[r.Kind] = gates.ReachNone
		}
	}
	a.Commit = []string{"git", "commit", "-m", a.Types[0] + ": …"}
	if plays != next.Role {
		a.Commit = append(a.Commit, "--trailer", gates.KeyRole+": "+string(next.Role))
	}
	return a
}

// showAction says what to commit next.
func (p *program) showAction(a *action) {
	if a == nil {
		return
	}
	then := ""
	if a.Role == gates.Tester {
		then = ", then feat: … that makes it pass"
	}
	p.under("commit", a.Expected+then)
	if a.Or != "" {
		p.under("", "or "+a.Or)
	}
}
