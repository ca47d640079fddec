package loop

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// humanTurn says that a person takes the next step, why, and how. Nothing is measured for it.
func (l *Loop) humanTurn(ctx context.Context, t turn, why string) error {
	known, _ := t.project.Known(ctx, t.head.Tree)
	listed, err := l.criteria(ctx, t.position, known.Result.Facts)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "step %d is yours: %s", t.number(), why)
	say := func(what, line string) { fmt.Fprintf(&text, "\n  %-10s %s", what, line) }
	if t.dispute.why != "" {
		text.WriteString(t.evidence())
		return &StopError{Reason: HumanTurn, Text: text.String()}
	}
	say("expected", t.project.Settings.Expected(t.history, t.role))
	for _, r := range t.history.Step.Red {
		if t.plays == gates.Implementor {
			say("red", r.String())
		}
	}
	for _, c := range listed {
		if t.plays == gates.Tester && !c.Whole {
			say("criterion", fmt.Sprintf("%d. %s", c.ID, c.Text))
			break
		}
	}
	asked := gates.Asked(&gates.Case{Premise: gates.Premise{Role: t.role, Plays: t.plays, Rules: t.project.Settings.Rules(t.role), Position: t.history, Policy: t.project.Settings.Gates}})
	say("gates", strings.Join(asked, ", ")+" (git tdd explain NAME)")
	example := map[gates.Role]string{
		gates.Tester:      "test: what it checks",
		gates.Implementor: "feat: what works now",
		gates.Refactorer:  "refactor: what is simpler now",
		gates.Keeper:      t.project.Settings.Rules(t.role).Type + ": what is better now",
	}[t.plays]
	say("commit", `git add -A && git commit -m "`+example+`"`)
	if t.plays == gates.Implementor && t.history.Step.Phase == gates.PhaseRed {
		say("or", "git tdd step --dispute \"why nobody can satisfy it\"")
	}
	say("then", "git tdd run")
	return &StopError{Reason: HumanTurn, Text: text.String()}
}
