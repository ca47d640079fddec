package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// ErrNotReady says that the repository is in no state to take a step.
var ErrNotReady = errors.New("not ready for a step")

// position is where a step starts: HEAD, its project, and the last step of its history.
type position struct {
	head    gitx.Head
	commit  gitx.Commit
	project *check.Project
	history gates.Position
}

// number is that of the step to take.
func (p position) number() int { return p.history.Step.Number + 1 }

// position reads where the repository stands.
func (l *Loop) position(ctx context.Context) (p position, err error) {
	if p.head, err = l.head(ctx); err != nil {
		return p, err
	}
	if p.commit, err = l.opts.Repo.Commit(ctx, string(p.head.Commit)); err != nil {
		return p, err
	}
	p.project, err = l.opts.Checker.Project(ctx, p.head.Tree)
	if p.project != nil && p.project.File == "" {
		return p, fmt.Errorf("%w: HEAD has no %s; `git tdd init` adds one", ErrNotReady, config.FileName)
	}
	if err != nil {
		return p, err
	}
	p.history, err = l.opts.Checker.Position(ctx, p.head.Commit)
	return p, err
}

func (l *Loop) head(ctx context.Context) (gitx.Head, error) {
	head, err := l.opts.Repo.Head(ctx)
	underway := l.opts.Repo.Underway()
	switch {
	case err != nil:
		return head, err
	case underway != "":
		return head, fmt.Errorf("%w: a %[2]s is under way, and a step would become part of it; finish it, or give it up with `git %[2]s --abort`", ErrNotReady, underway)
	case head.Unborn():
		return head, fmt.Errorf("%w: there is no commit yet; `git tdd init` makes the first", ErrNotReady)
	case head.Detached():
		return head, fmt.Errorf("%w: HEAD is detached, so a step would belong to no branch; `git switch -c NAME` makes one", ErrNotReady)
	case l.branch != "" && l.branch != head.Branch:
		return head, fmt.Errorf("%w: HEAD is on %s now, and this run works on %s; switch back, or start a run here", ErrNotReady, head.Branch, l.branch)
	}
	l.branch = head.Branch
	return head, nil
}

// turn is whose turn it is at a position.
type turn struct {
	position
	role  gates.Role
	plays gates.Role
	model Answerer
	base  *gates.Facts // of the tree before a red, once they were asked for; nil otherwise
	// dispute is why it is this role's turn, out of the rotation; empty as a rule.
	dispute dispute
	// together says that it is asked for the code that makes its test pass, too.
	together bool
}

func (t turn) doing(attempt int, what string) Doing {
	return Doing{
		Step: t.number(), Role: t.role, Model: t.model.Name, Attempt: attempt,
		MaxAttempts: t.project.Settings.MaxAttempts, What: what,
	}
}

// editable reports whether the role may change a file, as far as the path tells.
func (t turn) editable(path string) bool {
	kind, settings := t.project.Language.Kind(path), t.project.Settings
	switch {
	case t.plays == gates.Keeper:
		return settings.Rules(t.role).Reach(path, kind) != gates.ReachNone && !gates.Protected(t.project.Protected(), path)
	case kind == gates.KindOther:
		return false
	case kind == gates.KindSource && t.together:
		return true
	}
	return settings.Gates.Reach(t.plays, kind, t.project.Language.At(path).Inline()) != gates.ReachNone
}

func (l *Loop) whoseTurn(ctx context.Context, at position, d dispute) (turn, error) {
	if special, _ := commitmsg.Parse(at.commit.Message).Get(gates.KeyOutcome); special == string(gates.Complete) {
		return turn{}, &StopError{Reason: Done, Text: "HEAD says that the kata is complete; add a criterion to it, or a failing test, to go on"}
	}
	settings := at.project.Settings
	t := turn{position: at, role: check.Turn(settings, at.history), dispute: d}
	if d.why != "" {
		if err := l.handBack(ctx, &t); err != nil {
			return turn{}, err
		}
	}
	t.plays = settings.Plays(t.role)
	if settings.Roles[t.role].ByHuman() {
		return turn{}, l.humanTurn(ctx, t, fmt.Sprintf("the %s's turn is played by a person (roles.%s.model: human)", t.role, t.role))
	}
	var err error
	if t.together, err = l.together(t); err != nil {
		return turn{}, err
	}
	t.model, err = l.opts.Answerer(settings, t.role)
	return t, err
}

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
