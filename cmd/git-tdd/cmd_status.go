package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/loop"
)

// status is all that is known of where a branch stands. As JSON it is what an agent needs
// for its next step: a thousand bytes.
type status struct {
	Branch        string   `json:"branch"` // empty if HEAD is detached
	Commit        string   `json:"commit"` // empty if the branch is unborn
	Ready         bool     `json:"ready"`  // whether a step can be taken
	Why           string   `json:"why,omitempty"`
	Complete      bool     `json:"complete,omitempty"`
	Hooks         string   `json:"hooks,omitempty"`         // what to do if commits pass unguarded, as in a fresh clone
	Unguarded     bool     `json:"unguarded,omitempty"`     // HEAD was committed with the hooks switched off
	Claimed       bool     `json:"claimed,omitempty"`       // the last step's tree was never measured here: its trailers are only claims
	Contradiction string   `json:"contradiction,omitempty"` // how the facts contradict the trailers
	Interrupted   bool     `json:"interrupted,omitempty"`   // a step waits to be finished
	LastFailure   string   `json:"last_failure,omitempty"`
	Telling       []string `json:"telling,omitempty"` // the gates that let through what they would refuse

	Next    *nextStep `json:"next,omitempty"`
	Action  *action   `json:"action,omitempty"`  // nil if there is nothing to do, or something to mend first
	Tests   string    `json:"tests,omitempty"`   // of HEAD, if they are on record
	Failing []string  `json:"failing,omitempty"` // the first of them

	checker  *check.Checker
	project  *check.Project
	head     gitx.Head
	next     gates.Step // Number 0 if there is none
	position gates.Position
	subject  string       // of the position's commit
	facts    *gates.Facts // of HEAD's tree, if they are on record
	measured time.Time
	criteria []check.Criterion // of the kata, as far as the facts tell
}

// nextStep is a step that is still to be taken.
type nextStep struct {
	Number int `json:"step"`
	Cycle  int `json:"cycle"`
}

func (p *program) statusCommand() *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "whose turn it is, what to commit next, what the tests show", Before: p.inRepo,
		Description: "Runs no command of the repository: facts are shown where they are on record.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON: what whoever takes the next step has to know"},
		},
		Action: func(c *cli.Context) error {
			s, err := p.status(c.Context)
			if err == nil && c.Bool("json") {
				if s.Hooks, err = (hooks.Installer{Repo: p.repo}).Unguarded(c.Context); err != nil {
					return err
				}
				return p.json(s)
			}
			if err == nil {
				p.showStatus(s)
			}
			return err
		},
	}
}

// json prints a value as indented JSON.
func (p *program) json(v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	p.out.printf("%s\n", data)
	return nil
}

func (p *program) status(ctx context.Context) (status, error) {
	head, err := p.repo.Head(ctx)
	if err != nil {
		return status{}, err
	}
	s := status{Branch: head.Name(), Commit: string(head.Commit), head: head, checker: p.checker(check.Options{Fresh: check.Recorded})}
	if head.Unborn() {
		s.Why = "there is no commit yet; `git tdd init` makes the first"
		return s, nil
	}
	if s.Interrupted, err = p.repo.Interrupted(ctx); err != nil {
		return s, err
	}
	if s.position, err = check.FindPosition(ctx, p.repo, head.Commit); err != nil {
		return s, err
	}
	err = s.complete(ctx, p.repo)
	return s, err
}

// complete completes a status with what the tree and the facts say.
func (s *status) complete(ctx context.Context, repo *gitx.Repo) error {
	project, err := s.checker.Outline(ctx, s.head.Tree)
	if s.project = project; err != nil {
		return err
	}
	if project.File == "" {
		s.Why = "HEAD has no .tdd.yaml; `git tdd init` adds one"
		return nil
	}
	last, err := repo.Commit(ctx, string(s.head.Commit))
	if err != nil {
		return err
	}
	outcome, _ := commitmsg.Parse(last.Message).Get(gates.KeyOutcome)
	s.Complete, s.Unguarded = outcome == string(gates.Complete), outcome == string(gates.Unguarded)
	role := check.Turn(project.Settings, s.position)
	next := s.position.Following(role, project.Settings.Plays(role))
	s.next, s.Next, s.Telling = next, &nextStep{next.Number, next.Cycle}, project.Settings.Gates.Telling()
	if s.position.Started() {
		at, err := repo.Commit(ctx, s.position.Commit)
		if err != nil {
			return err
		}
		s.subject = commitmsg.Parse(at.Message).Subject
		_, known := project.Known(ctx, at.Tree)
		s.Claimed = !known
	}
	base, err := s.recorded(ctx)
	if err == nil {
		s.criteria, err = s.checker.Criteria(ctx, project, s.head.Commit, base)
	}
	if err != nil {
		return err
	}
	if s.LastFailure, err = lastFailure(ctx, repo, s.head.Commit, loop.AttemptsOf(next.Number, next.Role)); err != nil {
		return err
	}
	switch err := project.Unmeasurable; {
	case err != nil:
		s.Why = err.Error()
	case s.head.Detached():
		s.Why = "HEAD is detached; `git switch -c NAME` makes a branch for the next step"
	default:
		s.Ready = s.Contradiction == ""
	}
	if s.Ready && !s.Complete {
		s.Action = nextAction(project, s.position, next)
	}
	return nil
}

// lastFailure is why the newest refused attempt of a step was refused; empty if
// that was an attempt on top of another commit, as in another working tree.
func lastFailure(ctx context.Context, repo *gitx.Repo, head gitx.ID, attempts string) (string, error) {
	c, err := repo.Commit(ctx, attempts+"/last")
	if errors.Is(err, gitx.ErrMissing) {
		return "", nil
	}
	if err != nil || !slices.Contains(c.Parents, head) {
		return "", err
	}
	subject, reasons, _ := strings.Cut(c.Message, "\n\n") // taken apart as a message, findings would be trailers
	return subject + ": " + firstLine(reasons), nil
}

// showFew prints the first of some tests, and how many more there are, which `git tdd facts` lists.
func (p *program) showFew(what string, tests []string) {
	const most = 8
	for _, t := range tests[:min(len(tests), most)] {
		p.under("", what+": "+t)
	}
	if more := len(tests) - most; more > 0 {
		p.under("", fmt.Sprintf("%s: %d more, see `git tdd facts`", what, more))
	}
}

// showStatus prints a status.
func (p *program) showStatus(s status) {
	out, now := p.out, time.Now()
	where := "on " + s.Branch
	if s.Branch == "" {
		where = "HEAD detached at " + gitx.ID(s.Commit).Short()
	}
	switch {
	case s.next.Number == 0:
		out.printf("%s: %s\n", where, s.Why)
		return
	case s.Complete:
		out.printf("%s: the kata is complete\n", where)
	default:
		out.printf("%s: next is step %d, by the %s (%s), cycle %d\n", where, s.next.Number,
			out.paint(bold, string(s.next.Role)), s.next.Phase, s.next.Cycle)
	}
	p.showAction(s.Action)
	if s.position.Started() {
		step := s.position.Step
		const front = 28 // columns, with the number
		subject := s.subject
		if width := out.width(); width > 0 {
			subject = cut(clean.Text(subject), max(front, width-front-columns(step.Tests)))
		}
		out.printf("last   step %d %s %s  %s\n", step.Number, p.phase(step.Phase), subject, step.Tests)
		p.showFew("red", gates.Each(step.Red, gates.Red.String))
		if s.Claimed {
			p.under("", "claimed by its trailers, never measured here; `git tdd verify` judges it")
		}
	}
	p.showFacts(s, now)
	p.showCriteria(s)
	p.under("failed", s.LastFailure)
	p.under("note", s.Why)
	p.under("note", telling(s.Telling))
	if s.Unguarded {
		p.under("note", "HEAD was committed with the hooks switched off; `git tdd verify HEAD^!` judges it")
	}
	if s.Interrupted {
		p.under("note", "a commit is landing, or its landing was cut off: `git tdd doctor --repair` finishes it; commit nothing before")
	}
}

// under is a row of a status, folded on a terminal; without a name it belongs to the row
// above it, and without a text it is left out.
func (p *program) under(name, text string) {
	const front = 7 // columns
	if text == "" {
		return
	}
	p.out.printf("%s%s\n", pad(name, front), p.out.folded(text, front))
}

func (p *program) showFacts(s status, now time.Time) {
	if s.facts == nil {
		p.out.printf("facts  HEAD has not been measured here yet\n")
		return
	}
	p.under("facts", gates.TestsText(*s.facts)+" (measured "+ago(s.measured, now)+")")
	p.showFew("failed", gates.Each(s.facts.With(gates.StatusFailed), func(t gates.Test) string { return t.ID + " (" + string(t.Class) + ")" }))
	if s.facts.Outcome == gates.Failed || s.facts.Outcome == gates.Broken {
		p.under("", "on record; `git tdd facts --fresh` measures anew")
	}
	if s.Contradiction != "" {
		p.out.printf("%s  %s\n", p.out.paint(red, "wrong"), s.Contradiction)
	}
}
