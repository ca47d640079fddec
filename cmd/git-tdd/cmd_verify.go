package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// proof is one commit of a verified range.
type proof struct {
	Commit   gitx.ID         `json:"commit"`
	Step     int             `json:"step,omitempty"`
	Role     gates.Role      `json:"role,omitempty"`
	Subject  string          `json:"subject"`
	Seen     string          `json:"seen"` // what was measured
	Verdict  string          `json:"verdict"`
	Findings []gates.Finding `json:"findings,omitempty"`
}

// The verdicts of a proof.
const (
	held     = "held"
	refused  = "refused"
	unjudged = "unjudged"
)

func (p *program) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "prove a history: judge each commit as if it were made now", ArgsUsage: "[RANGE]",
		Description: "RANGE is what git log takes, as in main..topic; by default the commits since the\n" +
			"first step, that one included. Exit 0: every commit held; 1: one was refused; 3: one could not be judged.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
			&cli.BoolFlag{Name: "fresh", Usage: "measure every tree anew, whatever is on record"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return &usageError{"verify takes one range"}
			}
			fresh := check.UseRecord
			if c.Bool("fresh") {
				fresh = check.Anew
			}
			proofs, measured, err := p.verify(c.Context, c.Args().First(), fresh, func(pr proof) {
				if !c.Bool("json") {
					p.showProof(pr)
				}
			})
			if err != nil {
				return err
			}
			if c.Bool("json") {
				if err := p.json(proofs); err != nil {
					return err
				}
			} else {
				p.sumUp(proofs, measured)
			}
			return verdictOf(proofs)
		},
	}
}

// verify judges the commits of a range, the oldest first, and says how many
// trees it had to measure for that.
func (p *program) verify(ctx context.Context, revisions string, fresh check.Fresh, tell func(proof)) (proofs []proof, measured int, err error) {
	repo, err := p.open(ctx)
	if err != nil {
		return nil, 0, err
	}
	ids, err := commits(ctx, repo, revisions)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) == 0 {
		return nil, 0, &unjudgedError{"there is nothing to verify: " + nothingIn(revisions)}
	}
	checker, err := p.checker(repo, fresh, nil)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	for i, id := range ids {
		if p.err.live {
			p.err.status(fmt.Sprintf("verify %d/%d  %s", i+1, len(ids), id.Short()))
		}
		pr, err := prove(ctx, repo, checker, id)
		if err != nil {
			return proofs, checker.Count(), err
		}
		proofs = append(proofs, pr)
		tell(pr)
	}
	p.err.quiet()
	return proofs, checker.Count(), nil
}

// nothingIn says why there may be no commit to judge.
func nothingIn(revisions string) string {
	if revisions != "" {
		return "the range " + quote(revisions) + " holds no commit"
	}
	return "no commit of this history carries Tdd-Step; name a range, and in a shallow clone fetch the history first (git fetch --unshallow)"
}

// commits lists a range along first parents, the oldest first.
func commits(ctx context.Context, repo *gitx.Repo, revisions string) ([]gitx.ID, error) {
	if revisions != "" {
		ids, err := repo.List(ctx, revisions)
		if err != nil {
			return nil, &usageError{"the range " + quote(revisions) + " cannot be read: " + err.Error()}
		}
		return ids, nil
	}
	head, err := repo.Head(ctx)
	if err != nil || head.Unborn() {
		return nil, err
	}
	pos, err := check.FindPosition(ctx, repo, head.Commit)
	if err != nil || !pos.Started() {
		return nil, err
	}
	var ids []gitx.ID
	first := 0
	err = repo.Walk(ctx, string(head.Commit), func(c gitx.Commit) bool {
		ids = append(ids, c.ID)
		step, ok := gates.ParseStep(commitmsg.Parse(c.Message))
		if ok {
			first = len(ids)
		}
		return !ok || step.Number > 1
	})
	ids = ids[:first]
	slices.Reverse(ids)
	return ids, err
}

func prove(ctx context.Context, repo *gitx.Repo, checker *check.Checker, id gitx.ID) (proof, error) {
	commit, err := repo.Commit(ctx, string(id))
	if err != nil {
		return proof{}, err
	}
	pr := proof{Commit: id, Subject: commitmsg.Parse(commit.Message).Subject, Verdict: held}
	j, err := checker.Commit(ctx, string(id))
	if err != nil {
		return pr, err
	}
	if step, ok := gates.ParseStep(commitmsg.Parse(commit.Message)); ok {
		pr.Step, pr.Role = step.Number, step.Role
	}
	pr.Findings = j.Verdict.Findings
	if j.After.Facts.Outcome != "" {
		pr.Seen = gates.TestsText(j.After.Facts)
	}
	switch {
	case !j.Verdict.Judged:
		pr.Verdict = unjudged
	case !j.Verdict.Accepted():
		pr.Verdict = refused
	}
	return pr, nil
}

func (p *program) showProof(pr proof) {
	mark := p.out.paint(green, "✓")
	if pr.Verdict != held {
		mark = p.out.paint(red, "✗")
	}
	p.out.printf("%s %s %3s %-11s %s  %s\n", mark, pr.Commit.Short(), number(pr.Step), clean(string(pr.Role)), clean(pr.Subject), clean(pr.Seen))
	for _, f := range pr.Findings {
		p.out.printf("    %s\n", clean(f.String()))
	}
}

func number(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

func (p *program) sumUp(proofs []proof, measured int) {
	counts := map[string]int{}
	for _, pr := range proofs {
		counts[pr.Verdict]++
	}
	text := fmt.Sprintf("%s: %d held, %d refused", count(len(proofs), "commit"), counts[held], counts[refused])
	if measured == 0 {
		text += " (facts on record; --fresh measures anew)"
	} else {
		text += fmt.Sprintf(" (%s measured)", count(measured, "tree"))
	}
	if n := counts[unjudged]; n > 0 {
		text += fmt.Sprintf(", %d could not be judged", n)
	}
	p.out.printf("%s\n", text)
}

// verdictOf is the error that a set of proofs ends in.
func verdictOf(proofs []proof) error {
	has := func(v string) bool {
		return slices.ContainsFunc(proofs, func(pr proof) bool { return pr.Verdict == v })
	}
	switch {
	case has(refused):
		return &refusedError{}
	case has(unjudged):
		return &unjudgedError{"a commit could not be judged; see above"}
	}
	return nil
}
