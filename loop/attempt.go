package loop

import (
	"context"
	"errors"
	"slices"

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
	complete bool // the tester has nothing left, and nothing contradicts it
	ref      string
}

func (a *attempt) accepted() bool { return len(a.findings) == 0 }

func (a *attempt) refuse(f gates.Finding) { a.findings = append(a.findings, f.String()) }

func (a *attempt) refusePlan(problems []agents.Problem) {
	for _, p := range problems {
		a.refuse(gates.Finding{Gate: "plan", Path: p.Path, Seen: p.Seen, Remedy: p.Remedy})
	}
}

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
	err := l.try(ctx, t, &a, feedback)
	for i, f := range a.findings {
		a.findings[i] = l.opts.Redact(f)
	}
	return a, err
}

func (l *Loop) try(ctx context.Context, t *turn, a *attempt, feedback *agents.Feedback) error {
	if err := l.propose(ctx, t, a, feedback); err != nil || !a.accepted() {
		return err
	}
	if a.plan.Done {
		return l.nothingLeft(ctx, t, a)
	}
	if err := l.apply(ctx, t, a); err != nil || !a.accepted() {
		return err
	}
	if t.plays == gates.Tester {
		return l.judgeTest(ctx, t, a)
	}
	return l.judge(ctx, t, a)
}

// propose asks the model and reads its answer. What is wrong with the answer
// is a finding: it goes back to the model.
func (l *Loop) propose(ctx context.Context, t *turn, a *attempt, feedback *agents.Feedback) error {
	brief := t.material
	brief.Attempt, brief.Feedback = a.number, feedback
	for _, name := range sortedKeys(t.dirty) {
		brief.OffLimits = append(brief.OffLimits, agents.OffLimit{Path: name, Why: userWork(t.dirty[name])})
	}
	if t.plan == "" {
		if err := l.makePlan(ctx, t, a, brief); err != nil || !a.accepted() {
			return err
		}
	}
	var err error
	if a.answer, err = l.ask(ctx, t, a, question{brief, agents.TaskEdit}); err != nil || !a.accepted() {
		return err
	}
	a.plan, err = agents.ParseEditPlan(a.answer, agents.DefaultLimits())
	if bad, ok := errors.AsType[*agents.PlanError](err); ok {
		a.refusePlan(bad.Problems)
		return nil
	}
	l.redactWords(&a.plan)
	return err
}

// maxPlan bounds a plan, in bytes: it goes into every later prompt of the step.
const maxPlan = 4 << 10

func (l *Loop) makePlan(ctx context.Context, t *turn, a *attempt, brief agents.Brief) error {
	answer, err := l.ask(ctx, t, a, question{brief, agents.TaskPlan})
	if err != nil || !a.accepted() {
		return err
	}
	t.plan = clip(readable(l.opts.Redact(answer)), maxPlan)
	l.record(l.journal.savePlan(t))
	return nil
}

// question is what one request asks.
type question struct {
	brief agents.Brief
	task  string
}

// ask sends one prompt: the one place where requests are made, so that no
// secret leaves in any. An answer that is no answer (cut off, too large, not
// what the API promises) refuses the attempt; all else that fails ends the step.
func (l *Loop) ask(ctx context.Context, t *turn, a *attempt, q question) (string, error) {
	prompt, err := l.prompt(ctx, t, q.brief, q.task)
	if err != nil {
		return "", err
	}
	for i := range prompt.Messages {
		prompt.Messages[i].Content = l.opts.Redact(prompt.Messages[i].Content)
	}
	l.doing(t.doing(a.number, q.task))
	res, err := t.model.Client.Complete(ctx, llm.Request{
		Label: prompt.Label, Model: t.model.Model, Messages: prompt.Messages,
		Temperature: t.model.Heat, Schema: prompt.Schema,
	})
	t.usage.Prompt += res.Usage.Prompt
	t.usage.Completion += res.Usage.Completion
	t.usage.Estimated = t.usage.Estimated || res.Usage.Estimated
	t.log.asked(prompt, res, err)
	if e, ok := errors.AsType[*llm.Error](err); ok && badAnswer(e.Kind) {
		a.refuse(gates.Finding{
			Gate: "plan", Seen: "the model's answer could not be used: " + e.Message, Remedy: "answer shorter, and in the form that was asked for",
		})
		return "", nil
	}
	return res.Text, err
}

// badAnswer reports whether an error is about the answer and not about the way
// to the model, so that asking again may help.
func badAnswer(k llm.Kind) bool {
	return k == llm.KindTruncated || k == llm.KindTooLarge || k == llm.KindBadAnswer || k == llm.KindRefused
}

// redactWords takes secrets out of what a model says for the commit. What it
// writes into files is the project's, and stays.
func (l *Loop) redactWords(plan *agents.EditPlan) {
	plan.Notes = l.opts.Redact(plan.Notes)
	if plan.Commit == nil {
		return
	}
	c := plan.Commit
	c.Summary = l.opts.Redact(c.Summary)
	for i := range c.Rationale {
		c.Rationale[i] = l.opts.Redact(c.Rationale[i])
	}
	for i := range c.DiffSummary {
		c.DiffSummary[i].Intent = l.opts.Redact(c.DiffSummary[i].Intent)
	}
}
