package main

import (
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
)

// brief is a status without what an agent does not need for its next step: a thousand bytes.
type brief struct {
	standingAt

	Next    *nextStep    `json:"next,omitempty"`
	Action  *briefAction `json:"action,omitempty"`
	Tests   string       `json:"tests,omitempty"`   // of HEAD, if they are on record
	Failing []string     `json:"failing,omitempty"` // the first of them
}

// nextStep is a step that is still to be taken.
type nextStep struct {
	Number int `json:"step"`
	Cycle  int `json:"cycle"`
}

// turn is what comes next, for whoever takes it.
type turn struct {
	Role     gates.Role  `json:"role"`
	Phase    gates.Phase `json:"phase"`
	Types    []string    `json:"types"`        // of the commit: feat or fix
	Expected string      `json:"expected"`     // in words
	Or       string      `json:"or,omitempty"` // another commit that may come next
	Commit   []string    `json:"commit"`       // the command that makes the step; the dots are to be replaced
}

// briefAction is an action without its patterns.
type briefAction struct {
	turn

	May  map[gates.Kind]gates.Reach `json:"may,omitempty"`  // how much of each kind of file the role may change
	Only []string                   `json:"only,omitempty"` // the paths of a role that has its own
}

// named is how many failing tests a brief names.
const named = 3

func (s status) brief() brief {
	b := brief{standingAt: s.standingAt}
	if s.Next != nil {
		b.Next = &nextStep{s.Next.Number, s.Next.Cycle}
	}
	if s.Facts != nil {
		b.Tests = gates.TestsText(*s.Facts)
		for _, t := range s.Facts.With(gates.StatusFailed) {
			if len(b.Failing) < named {
				b.Failing = append(b.Failing, t.ID)
			}
		}
	}
	if a := s.Action; a != nil {
		b.Action = &briefAction{turn: a.turn, May: map[gates.Kind]gates.Reach{}, Only: a.own}
		for _, r := range a.Paths {
			if r.Kind != gates.KindOther {
				b.Action.May[r.Kind] = r.May
			}
		}
	}
	return b
}

// action is the next thing that the rules allow, for programs that drive.
type action struct {
	turn

	// Paths says what the role may change. The first pattern that matches decides;
	// Otherwise is for paths that none matches.
	Paths     []reach     `json:"paths"`
	Otherwise gates.Reach `json:"otherwise"`
	Protected []string    `json:"protected"` // patterns of what no agent may change, whatever Paths says

	own []string // patterns of a role with paths of its own
}

// reach is what a role may do to the paths of one pattern.
type reach struct {
	Pattern string      `json:"pattern"`
	Kind    gates.Kind  `json:"kind"`
	May     gates.Reach `json:"may"`
}

// nextAction is the next action at a position.
func nextAction(project *check.Project, pos gates.Position, next gates.Step) *action {
	plays := project.Settings.Plays(next.Role)
	policy, inline := project.Settings.Gates, project.Language.Inline()
	a := &action{
		turn:      turn{Role: next.Role, Phase: next.Phase, Types: project.Settings.TypesOf(next.Role), Expected: project.Settings.Expected(pos, next.Role)},
		Otherwise: policy.Reach(plays, gates.KindOther, inline), Protected: gates.AlwaysProtected(project.Protected()),
	}
	if policy.Pace == gates.PaceCycles && pos.Step.Phase != gates.PhaseRed {
		a.Or = "feat: … or fix: … that brings its failing test with it (gates.pace: cycles)"
	}
	rules := project.Settings.Rules(next.Role)
	if plays == gates.Keeper {
		a.Otherwise = gates.ReachNone
	}
	for _, r := range project.Language.Rules {
		if plays == gates.Keeper {
			if rules.Kind(r.Kind) == gates.ReachNone {
				a.Paths = append(a.Paths, reach{r.Pattern, r.Kind, gates.ReachNone})
			}
			continue
		}
		a.Paths = append(a.Paths, reach{r.Pattern, r.Kind, policy.Reach(plays, r.Kind, inline)})
	}
	a.own = rules.Paths
	for _, pattern := range rules.Paths {
		a.Paths = append(a.Paths, reach{pattern, gates.KindOther, gates.ReachAll})
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
