package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// attempt is one try of a step.
type attempt struct {
	number   int
	answer   string
	plan     agents.EditPlan
	tree     gitx.ID
	judged   check.Judgement
	findings []string // empty where the attempt is accepted
	unjudged bool
	special  gates.Special
	complete bool // the tester has nothing left, and every criterion is covered
	ref      string
}

func (a *attempt) accepted() bool { return len(a.findings) == 0 }

// sameAs reports whether two attempts failed alike.
func (a *attempt) sameAs(b attempt) bool {
	return len(b.findings) > 0 && slices.Equal(a.findings, b.findings)
}

func (a *attempt) feedback() *agents.Feedback {
	return &agents.Feedback{Findings: a.findings, Output: tail(a.judged.After.Runs, outputLines), PreviousAnswer: a.answer}
}

// attempt asks for a plan (once a step) and for edits, applies them to HEAD's
// tree and has the result judged. The error is for what ends the step.
func (l *Loop) attempt(ctx context.Context, t *turn, n int, feedback *agents.Feedback) (attempt, error) {
	a := attempt{number: n}
	brief, err := l.brief(ctx, t, n, feedback)
	if err != nil {
		return a, err
	}
	if err := l.propose(ctx, t, &a, brief); err != nil {
		return a, err
	}
	if !a.accepted() {
		return a, nil
	}
	if a.plan.Done {
		return a, l.nothingLeft(ctx, t, &a)
	}
	if err := l.apply(ctx, t, &a); err != nil || !a.accepted() {
		return a, err
	}
	if t.plays == gates.Tester {
		return a, l.judgeTest(ctx, t, &a)
	}
	return a, l.judge(ctx, t, &a)
}

// propose asks the model and reads its answer. What is wrong with the answer
// is a finding: it goes back to the model.
func (l *Loop) propose(ctx context.Context, t *turn, a *attempt, brief agents.Brief) error {
	if t.plan == "" {
		prompt, err := agents.PlanPrompt(brief)
		if err != nil {
			return err
		}
		plan, err := l.ask(ctx, t, a, "plan", prompt)
		if err != nil || !a.accepted() {
			return err
		}
		t.plan = plan
		if err := l.journal.savePlan(t, plan); err != nil {
			return err
		}
	}
	prompt, err := agents.EditPrompt(brief, t.plan)
	if err != nil {
		return err
	}
	if a.answer, err = l.ask(ctx, t, a, "edit", prompt); err != nil || !a.accepted() {
		return err
	}
	a.plan, err = agents.ParseEditPlan(a.answer, agents.DefaultLimits())
	if bad, ok := errors.AsType[*agents.PlanError](err); ok {
		a.refusePlan(bad.Problems)
		return nil
	}
	return err
}

func (a *attempt) refusePlan(problems []agents.Problem) {
	for _, p := range problems {
		a.findings = append(a.findings, gates.Finding{Gate: "plan", Path: p.Path, Seen: p.Seen, Remedy: p.Remedy}.String())
	}
}

// ask sends one prompt. An answer that is no answer (cut off, too large, not
// what the API promises) refuses the attempt; all else that fails ends the step.
func (l *Loop) ask(ctx context.Context, t *turn, a *attempt, task string, prompt agents.Prompt) (string, error) {
	l.doing(t.doing(a.number, task))
	res, err := t.model.Client.Complete(ctx, llm.Request{
		Label: prompt.Label, Model: t.model.Model, Messages: prompt.Messages,
		Temperature: t.model.Heat, Schema: prompt.Schema,
	})
	t.usage.Prompt += res.Usage.Prompt
	t.usage.Completion += res.Usage.Completion
	t.usage.Estimated = t.usage.Estimated || res.Usage.Estimated
	t.log.asked(prompt, res, err)
	if e, ok := errors.AsType[*llm.Error](err); ok && badAnswer(e.Kind) {
		a.findings = append(a.findings, gates.Finding{
			Gate: "plan", Seen: "the model's answer could not be used: " + e.Message, Remedy: "answer shorter, and in the form that was asked for",
		}.String())
		return "", nil
	}
	return res.Text, err
}

// badAnswer reports whether an error is about the answer and not about the way
// to the model, so that asking again may help.
func badAnswer(k llm.Kind) bool {
	return k == llm.KindTruncated || k == llm.KindTooLarge || k == llm.KindBadAnswer || k == llm.KindRefused
}

// apply writes the edits on top of HEAD's tree, as objects: no file of the user
// is touched, and none of the workbench by a path that a model named.
func (l *Loop) apply(ctx context.Context, t *turn, a *attempt) error {
	modes := map[string]string{}
	for _, e := range t.project.Entries {
		modes[e.Path] = e.Mode
	}
	if problems := agents.CheckPaths(a.plan, modes, offLimits(t)); len(problems) > 0 {
		a.refusePlan(problems)
		return nil
	}
	var edits []gitx.TreeEdit
	var written []string
	for _, e := range a.plan.Edits {
		edits = append(edits, gitx.TreeEdit{Path: e.Path, Content: []byte(e.Content), Delete: e.Action == agents.Delete})
		if e.Action != agents.Delete {
			written = append(written, e.Path)
		}
	}
	tree, err := l.opts.Repo.WriteTree(ctx, t.head.Tree, edits)
	if err != nil {
		return err
	}
	l.doing(t.doing(a.number, "fmt"))
	formatted, run, err := t.project.Format(ctx, tree, written)
	if err != nil {
		return err
	}
	t.log.ran(run)
	a.tree = formatted
	if a.tree == t.head.Tree {
		a.findings = append(a.findings, gates.Finding{
			Gate: "plan", Seen: "the edits change nothing", Remedy: "change something, or answer that you are done",
		}.String())
	}
	return nil
}

// offLimits says which paths this step must leave alone, and why.
func offLimits(t *turn) func(path string) (string, bool) {
	patterns := t.project.Protected()
	return func(path string) (string, bool) {
		if gates.Protected(patterns, path) {
			return "this path is protected from agents", true
		}
		if state, ok := t.dirty[path]; ok {
			return fmt.Sprintf("the user has uncommitted work there (%s)", state), true
		}
		return "", false
	}
}

// judge asks the gates.
func (l *Loop) judge(ctx context.Context, t *turn, a *attempt) error {
	var err error
	a.judged, err = l.opts.Checker.Judge(ctx, l.proposal(t, a))
	if err != nil {
		return err
	}
	for _, r := range a.judged.After.Runs {
		t.log.ran(r)
	}
	for _, f := range a.judged.Verdict.Findings {
		a.findings = append(a.findings, f.String())
	}
	a.unjudged = !a.judged.Verdict.Judged
	return nil
}

// judgeTest asks the gates about a tester's change: as a red test or, where it
// passes at once and the policy allows agents that, as a characterization.
func (l *Loop) judgeTest(ctx context.Context, t *turn, a *attempt) error {
	if err := l.judge(ctx, t, a); err != nil || a.accepted() {
		return err
	}
	if t.project.Settings.Gates.Characterization != gates.Allow || !a.judged.Case.After.Green() {
		return nil
	}
	second := attempt{number: a.number, answer: a.answer, plan: a.plan, tree: a.tree, special: gates.Characterization}
	if err := l.judge(ctx, t, &second); err != nil {
		return err
	}
	if second.accepted() {
		*a = second
	}
	return nil
}

// nothingLeft takes a role's word that there is nothing to do, and holds it
// against the facts where it can be.
func (l *Loop) nothingLeft(ctx context.Context, t *turn, a *attempt) error {
	switch t.plays {
	case gates.Refactorer:
		a.tree, a.special = t.head.Tree, gates.Skipped
		return l.judge(ctx, t, a)
	case gates.Tester:
		return l.completed(ctx, t, a)
	case gates.Implementor:
	}
	a.findings = append(a.findings, gates.Finding{
		Gate: "plan", Seen: "the " + string(t.role) + " says that it is done, but a test is failing", Remedy: "make the failing test pass",
	}.String())
	return nil
}

// completed holds "there is nothing left to test" against the kata's criteria.
func (l *Loop) completed(ctx context.Context, t *turn, a *attempt) error {
	criteria, err := l.criteria(ctx, t)
	if err != nil {
		return err
	}
	var open []string
	next := 0
	for _, c := range criteria {
		if !c.Covered {
			open = append(open, strconv.Itoa(c.ID))
			next = cmp.Or(next, c.ID)
		}
	}
	if len(open) > 0 {
		a.findings = append(a.findings, gates.Finding{
			Gate: "done", Seen: "no passing test covers these acceptance criteria yet: " + join(open, 20),
			Remedy: fmt.Sprintf("write one failing test, for criterion %d, and answer \"criterion\": %d", next, next),
		}.String())
	}
	a.complete, a.tree = a.accepted(), t.head.Tree
	return nil
}

// refuse keeps a refused attempt and tells of it.
func (l *Loop) refuse(ctx context.Context, t *turn, a *attempt) error {
	if err := l.keep(ctx, t, a); err != nil {
		return err
	}
	t.log.refused(*a)
	if l.opts.Listener.Refused != nil {
		l.opts.Listener.Refused(Attempt{Number: a.number, Findings: a.findings, Ref: a.ref})
	}
	return nil
}

// keep stores a refused attempt as a commit of its own below refs/tdd/attempts;
// one that came to no tree has HEAD's. The ref that ends in /last is the newest
// of the step, for status to find.
func (l *Loop) keep(ctx context.Context, t *turn, a *attempt) error {
	c := t.project.Settings.Commit
	id, err := l.opts.Repo.CommitTree(ctx, gitx.NewCommit{
		Tree: cmp.Or(a.tree, t.head.Tree), Parents: []gitx.ID{t.head.Commit}, Unsigned: true,
		Author:  gitx.Ident{Name: c.AuthorName, Mail: c.AuthorEmail},
		Message: fmt.Sprintf("attempt %d of step %d (%s), refused\n\n%s\n", a.number, t.number(), t.role, strings.Join(a.findings, "\n")),
	})
	if err != nil {
		return err
	}
	a.ref = fmt.Sprintf("%s/%d-%s", AttemptsOf(t.number(), t.role), a.number, id.Short())
	for _, name := range []string{a.ref, AttemptsOf(t.number(), t.role) + "/last"} {
		now, err := l.opts.Repo.Ref(ctx, name)
		if err != nil {
			return err
		}
		if now == id {
			continue
		}
		if err := l.opts.Repo.UpdateRef(ctx, gitx.RefUpdate{Name: name, New: id, Old: now, Log: "refused attempt"}); err != nil {
			return err
		}
	}
	return nil
}

// AttemptsOf is the folder of refs that keeps the refused attempts of a step.
func AttemptsOf(step int, role gates.Role) string {
	return fmt.Sprintf("refs/tdd/attempts/%d-%s", step, role)
}
