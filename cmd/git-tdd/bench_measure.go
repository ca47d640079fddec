package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/matrix"
	"github.com/git-tdd/git-tdd/verify"
)

// measure says what came of the steps: by what is measured of the last tree, and
// of the whole history anew.
func (r *benchRun) measure(ctx context.Context) (err error) {
	head, err := r.d.repo.Head(ctx)
	if err != nil {
		return err
	}
	r.result.Head = string(head.Commit)
	checker, err := r.checker(check.UseRecord, check.Agent)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	project, err := checker.Project(ctx, head.Tree)
	if err != nil {
		return err
	}
	now, err := checker.Of(ctx, project, head.Tree)
	if err != nil {
		return err
	}
	covered, err := checker.Covered(ctx, project, head.Commit, now.Facts)
	if err != nil {
		return err
	}
	for _, c := range katas.ParseCriteria(r.Material.Text) {
		if r.result.Criteria.All++; covered[c.ID].Whole() {
			r.result.Criteria.Met++
		}
	}
	if len(r.Material.Hidden) > 0 {
		if r.result.Hidden, err = r.hiddenTests(ctx, checker, project, head.Tree); err != nil {
			return err
		}
	}
	return r.verify(ctx)
}

// hiddenTests lays the hidden tests over the tree, in the place of the run's own,
// and runs them in a workbench within walls. No commit has that tree.
func (r *benchRun) hiddenTests(ctx context.Context, checker *check.Checker, project *check.Project, tree gitx.ID) (*matrix.Hidden, error) {
	entries, err := r.d.repo.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	var edits []gitx.TreeEdit
	hidden := map[string]bool{}
	for _, f := range r.Material.Hidden {
		hidden[f.Path] = true
		edits = append(edits, gitx.TreeEdit{Path: f.Path, Content: f.Content})
	}
	for _, e := range entries {
		if project.Language.Kind(e.Path) == gates.KindTest && !hidden[e.Path] {
			edits = append(edits, gitx.TreeEdit{Path: e.Path, Delete: true})
		}
	}
	if tree, err = r.d.repo.WriteTree(ctx, tree, edits); err != nil {
		return nil, err
	}
	laid, err := checker.Project(ctx, tree)
	if err != nil {
		return nil, err
	}
	shown, err := checker.Of(ctx, laid, tree)
	if err != nil {
		return nil, err
	}
	return hiddenResult(shown.Facts, hidden), nil
}

// hiddenResult counts the tests of the hidden files. Where a runner does not say
// in which file a test stands, all of its tests are taken for hidden: the run's
// own are gone, but for those inside sources.
func hiddenResult(f gates.Facts, hidden map[string]bool) *matrix.Hidden {
	out := &matrix.Hidden{Outcome: string(f.Outcome)}
	for _, t := range f.Tests {
		switch {
		case t.File != "" && !hidden[t.File]:
		case t.Status == gates.StatusPassed:
			out.Passed++
		default:
			out.Failed++
			out.Failing = append(out.Failing, t.ID+": "+gates.Gist(t.Message))
		}
	}
	if out.Passed+out.Failed == 0 && len(f.Diagnostics) > 0 {
		out.Why = firstLine(f.Diagnostics[0].Message)
	}
	return out
}

// verify judges every commit of the run anew: nothing on record counts, and
// nothing of what a trailer says.
func (r *benchRun) verify(ctx context.Context) error {
	found, err := verify.Find(ctx, r.d.repo, "")
	if err != nil || r.result.Steps == 0 {
		return err
	}
	proven, err := verify.Run(ctx, verify.Options{
		Repo: r.d.repo, Open: func() (*check.Checker, error) { return r.checker(check.Anew, check.Somebody) },
	}, found.Commits)
	if err != nil {
		return err
	}
	v := &r.result.Verified
	v.Held, v.Refused, v.Unjudged = proven.Count(verify.Held), proven.Count(verify.Refused), proven.Count(verify.Unjudged)
	for _, proof := range proven.Commits {
		if proof.Verdict != verify.Held {
			v.Why = append(v.Why, proof.Commit.Short()+" "+proof.Subject+": "+strings.Join(slices.Concat([]string{string(proof.Verdict)}, gates.Tell(proof.Findings)), "; "))
		}
	}
	return nil
}
