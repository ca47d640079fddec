package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// acceptanceLine finds candidates; whether one is a trailer is decided by reading it.
const acceptanceLine = `^[Tt][Dd][Dd]-[Aa][Cc][Cc][Ee][Pp][Tt]`

// claimedTest is an acceptance test that a step opened.
type claimedTest struct {
	gates.OpenTest
	passed bool // as a later step says
}

// claim is a list of acceptance tests after one more commit.
func claim(open []claimedTest, commit gitx.Commit) []claimedTest {
	step, ok := gates.ParseStep(commitmsg.Parse(commit.Message))
	if !ok {
		return open
	}
	for i := range open {
		open[i].passed = open[i].passed || slices.Contains(step.Accepted, open[i].ID)
	}
	for _, r := range step.Acceptance {
		now := claimedTest{OpenTest: gates.OpenTest{ID: r.ID, Step: step.Number, Commit: string(commit.ID)}}
		if len(step.Criteria) > 0 {
			now.Criterion = step.Criteria[0]
		}
		i := slices.IndexFunc(open, func(o claimedTest) bool { return o.ID == r.ID })
		switch {
		case step.Outcome == gates.Acceptance:
			if i >= 0 {
				open = slices.Delete(open, i, i+1)
			}
			open = append(open, now)
		case step.Outcome == gates.Disputed && len(open) > 0: // what was mended is as old as it was
			if i < 0 {
				i = len(open) - 1
			}
			open[i].ID = r.ID
		}
	}
	return open
}

// Open lists the acceptance tests that are open at a commit. base is the facts
// before its red, if there is one.
func (c *Checker) Open(ctx context.Context, commit gitx.ID, now gates.Facts, base *gates.Facts) ([]gates.OpenTest, error) {
	then := now
	if base != nil {
		then = *base
	}
	if commit == "" || len(then.With(gates.StatusFailed)) == 0 {
		return nil, nil // as in nearly every history: nothing to look for
	}
	claimed, err := c.claimed(ctx, commit)
	claimed = slices.DeleteFunc(slices.Clone(claimed), func(t claimedTest) bool { return t.passed || then.StatusOf(t.ID) != gates.StatusFailed })
	open := gates.Each(claimed, func(t claimedTest) gates.OpenTest { return t.OpenTest })
	for i, o := range open {
		if t, _ := then.Lookup(o.ID); t.File != "" {
			continue
		}
		opened, err := c.opts.Repo.Commit(ctx, o.Commit)
		if err != nil {
			return nil, err
		}
		if open[i].Files, err = c.paths(ctx, opened); err != nil {
			return nil, err
		}
	}
	return open, err
}

// claimed lists the acceptance tests that the steps up to a commit opened, behind merges
// too. It is asked once for each commit.
func (c *Checker) claimed(ctx context.Context, commit gitx.ID) ([]claimedTest, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if open, ok := c.acceptance[commit]; ok {
		return open, nil
	}
	at, err := c.opts.Repo.Commit(ctx, string(commit))
	if err != nil {
		return nil, err
	}
	before, known := c.acceptance[onlyParent(at)] // as when a range is verified
	open, more := slices.Clone(before), []gitx.ID{at.ID}
	if !known {
		more, err = c.opts.Repo.Matching(ctx, commit, acceptanceLine)
	}
	for _, id := range more {
		if at, err = c.opts.Repo.Commit(ctx, string(id)); err != nil {
			break
		}
		open = claim(open, at)
	}
	if err == nil {
		c.acceptance[commit] = open
	}
	return open, err
}

// onlyParent is the parent of a commit that has one.
func onlyParent(c gitx.Commit) gitx.ID {
	if len(c.Parents) != 1 {
		return ""
	}
	return c.Parents[0]
}

// disputed finds the tree that a commit which disputes something is compared with,
// or the parent's, if it disputes nothing.
func (c *Checker) disputed(ctx context.Context, p Proposal, j *Judgement, parent, before gitx.ID) (against gitx.ID, err error) {
	k := j.Case
	var of gates.OpenTest
	if k.Special == gates.Disputed && k.Plays == gates.Tester && k.Position.Step.Phase != gates.PhaseRed && p.Parent != "" {
		now, err := c.Of(ctx, j.Project, parent)
		if err != nil {
			return "", err
		}
		open, err := c.Open(ctx, p.Parent, now.Facts, nil)
		if err != nil {
			return "", err
		}
		if len(open) > 0 {
			of = open[len(open)-1]
			k.Dispute.Of = of.ID
		}
	}
	if !k.Disputes() {
		return before, nil
	}
	if of.ID == "" {
		against, k.Dispute, err = c.WithoutRed(ctx, p.Parent, k.Position)
	} else {
		against, k.Dispute, err = c.WithoutOpen(ctx, p.Parent, of)
		k.Position.Open = []gates.OpenTest{of}
	}
	k.Dispute.Untouched = p.Tree == parent
	return against, err
}

// WithoutOpen is the tree that a commit would have without an open acceptance test:
// the files that its step changed are as they were before, all others stay.
func (c *Checker) WithoutOpen(ctx context.Context, from gitx.ID, of gates.OpenTest) (gitx.ID, gates.Dispute, error) {
	later, err := c.opts.Repo.List(ctx, of.Commit+".."+string(from))
	if err != nil {
		return "", gates.Dispute{}, err
	}
	var commits []gitx.Commit
	for _, id := range append(later, gitx.ID(of.Commit)) {
		commit, err := c.opts.Repo.Commit(ctx, string(id))
		if err != nil {
			return "", gates.Dispute{}, err
		}
		if len(commit.Parents) < 2 || string(commit.ID) == of.Commit { // what a merge brings was changed elsewhere
			commits = append(commits, commit)
		}
	}
	pos, err := c.Position(ctx, from)
	if err != nil {
		return "", gates.Dispute{}, err
	}
	if pos.Step.Criteria = nil; of.Criterion > 0 {
		pos.Step.Criteria = []int{of.Criterion}
	}
	tree, d, err := c.without(ctx, from, pos, commits, func(commit gitx.Commit) bool {
		step, _ := gates.ParseStep(commitmsg.Parse(commit.Message))
		return string(commit.ID) == of.Commit || step.Outcome == gates.Disputed && len(step.Acceptance) > 0
	})
	d.Of = of.ID
	return tree, d, err
}

// acceptances notes what a commit has to do with acceptance tests: those that are
// open before it, that it takes back, and the criteria that it may name.
func (c *Checker) acceptances(ctx context.Context, p Proposal, j *Judgement) (err error) {
	k := j.Case
	if ids, _ := gates.Criteria(k.Message); k.Special == gates.Acceptance || len(ids) > 0 {
		k.Listed, err = c.listed(ctx, p, j)
	}
	if err != nil || p.Position != nil || !k.Position.Started() && !k.Merge {
		return err
	}
	open, err := c.Open(ctx, p.Parent, k.Before, k.Base)
	if err != nil {
		return err
	}
	k.Position.Open = append(k.Position.Open, open...)
	if k.Plays != "" || !reverts(k.Message.Subject) {
		return nil
	}
	for _, o := range open {
		tree, _, err := c.WithoutOpen(ctx, p.Parent, o)
		if err != nil {
			return err
		}
		if tree == p.Tree {
			k.Withdrawn = append(k.Withdrawn, o.ID)
		}
	}
	return nil
}

// tests writes into the step which tests it turned red, or which acceptance tests
// it opened and made pass.
func (j *Judgement) tests(reds []gates.Red) {
	if j.Step.Red = reds; j.Case.Opens() {
		j.Step.Red, j.Step.Acceptance = nil, reds
	}
	if j.Case.Plays == gates.Implementor {
		j.Step.Accepted = gates.Each(j.Case.Accepted(), gates.Test.Name)
	}
}
