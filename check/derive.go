package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Derived is a change taken apart: the commits that would have led to it, had its
// tests been written first. No ref names those that were made for it.
type Derived struct {
	Base  gitx.Commit // what was there before, with the change's configuration
	Red   gitx.Commit // that, with its tests, what helps them and their data
	Green gitx.Commit // the whole of it
	// Project is what the whole says about itself.
	Project *Project
	// Change is from the commit before to the whole.
	Change gates.Change
	// Plain is set if what the tests are worth is measured only where the verdict turns on
	// it, and without small errors in the sources. Otherwise old tests and new ones are held
	// against these for as long as there is Patience, see [Proposal].
	Plain    bool
	Patience time.Duration
}

// Apart is a change to take apart: what differs between a commit and a tree.
type Apart struct {
	Parent gitx.ID // a commit; empty if there is none
	Tree   gitx.ID
	// Late is set if the configuration comes with the tests: what it names may be theirs.
	Late bool
}

// Derive takes a change apart.
func (c *Checker) Derive(ctx context.Context, a Apart) (d Derived, err error) {
	tree := a.Tree
	before, err := c.treeOf(ctx, a.Parent)
	if err != nil {
		return d, err
	}
	if before == "" {
		if before, err = c.opts.Repo.WriteTree(ctx, "", nil); err != nil {
			return d, err
		}
	}
	if d.Project, err = c.project(ctx, tree); err != nil {
		return d, err
	}
	lang := d.Project.Language
	if d.Change, err = c.Change(ctx, lang, before, tree); err != nil {
		return d, err
	}
	configuration, err := c.bringConfiguration(ctx, d.Change, tree)
	if err != nil {
		return d, err
	}
	configured, err := c.opts.Repo.WriteTree(ctx, before, configuration)
	if err != nil {
		return d, fmt.Errorf("put the new configuration under the old sources: %w", err)
	}
	edits, err := c.bringTests(ctx, lang, d.Change, configured, tree)
	if err != nil {
		return d, err
	}
	red, err := c.opts.Repo.WriteTree(ctx, configured, edits)
	if err == nil {
		red, err = c.joined(ctx, lang, d.Change, red)
	}
	if err == nil {
		red, err = c.documented(ctx, d, red, tree)
	}
	if err != nil {
		return d, fmt.Errorf("put the new tests under the old sources: %w", err)
	}
	if a.Late {
		configured = before
	}
	err = c.standIn(ctx, &d, a.Parent, before, []gitx.ID{configured, red, tree})
	return d, err
}

// joined is a tree in which the sources that a change adds are joined to the others as
// they are with it, but are empty save for their tests: without that, tests that stand
// in new sources would not run.
func (c *Checker) joined(ctx context.Context, lang testrun.Language, change gates.Change, tree gitx.ID) (gitx.ID, error) {
	var edits []gitx.TreeEdit
	for _, f := range change.Files {
		if f.New == nil || f.New.Kind != gates.KindSource || f.New.Binary {
			continue
		}
		joins := lang.At(f.New.Path).Syntax.Joins
		if joins == nil {
			continue
		}
		text, err := c.text(ctx, tree, f.New.Path)
		if err != nil {
			return "", err
		}
		old := joins(f.Was().Source)
		lines := slices.DeleteFunc(joins(f.New.Source), func(line string) bool { return slices.Contains(old, line) })
		if f.Old == nil {
			text = inlineTests(f.Is())
		} else if len(lines) == 0 {
			continue
		}
		edits = append(edits, gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Content: []byte(ended(text) + ended(strings.Join(lines, "\n")))})
	}
	return c.opts.Repo.WriteTree(ctx, tree, edits)
}

// bringConfiguration lists the edits that put the configuration of a tree into the one
// that a change starts from. Where it names sources that the change adds, empty ones
// stand in for them.
func (c *Checker) bringConfiguration(ctx context.Context, change gates.Change, tree gitx.ID) ([]gitx.TreeEdit, error) {
	var gone, come []gitx.TreeEdit
	var named [][]byte
	for _, f := range change.Files {
		if f.Old != nil && f.Old.Kind == gates.KindConfig {
			gone = append(gone, gitx.TreeEdit{Path: f.Old.Path, Delete: true})
		}
		if f.New == nil || f.New.Kind != gates.KindConfig {
			continue
		}
		obj, err := c.opts.Repo.Object(ctx, string(tree)+":"+f.New.Path)
		if err != nil {
			return nil, err
		}
		come = append(come, gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Blob: obj.ID})
		named = append(named, obj.Content)
	}
	for _, f := range change.Files {
		if f.Old == nil && f.New.Kind == gates.KindSource && bytes.Contains(bytes.Join(named, []byte("\n")), []byte(path.Base(f.New.Path))) {
			come = append(come, gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Content: []byte{}})
		}
	}
	return append(gone, come...), nil
}

// Crossed is what the tests of before make of the sources of a change; without tests if the
// change leaves all of them as they were.
func (c *Checker) Crossed(ctx context.Context, d Derived) (gates.Facts, error) {
	a, err := c.acrossOf(ctx, d)
	if err != nil {
		return gates.Facts{}, err
	}
	found, err := c.crossing(ctx, a)
	return found.shown, err
}

// acrossOf is the tree before a change that was taken apart, and that with it.
func (c *Checker) acrossOf(ctx context.Context, d Derived) (across, error) {
	before, err := c.Of(ctx, d.Project, d.Base.Tree)
	return across{project: d.Project, change: d.Change, before: before.Facts, old: d.Base.Tree, tree: d.Green.Tree}, err
}

// Alone runs one test of a change's red and no other, if its language allows that, in the time
// that the facts of a tree like it leave.
func (c *Checker) Alone(ctx context.Context, d Derived, t gates.Test, like gates.Facts) (gates.Facts, error) {
	r, err := c.whole(ctx, d.Project, d.Red.Tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) {
		own := part.asked(evidence.Question{Tests: []gates.Test{t}, For: "by itself"})
		if len(own.Tests) == 0 {
			return r, nil
		}
		a := altered(like, own)
		a.Tests, a.Longer = own.Tests, facts.Limit{}
		r.Facts, err = part.measurer.Answer(ctx, seen, a)
		return r, err
	})
	return r.Facts, err
}

// standIn makes commits of the trees of a change that was taken apart, on a parent whose tree
// is the one before. A tree that is as the last is that one's commit.
func (c *Checker) standIn(ctx context.Context, d *Derived, parent, before gitx.ID, trees []gitx.ID) (err error) {
	at := gitx.Commit{ID: parent, Tree: before}
	for i, to := range []*gitx.Commit{&d.Base, &d.Red, &d.Green} {
		if at.ID == "" || at.Tree != trees[i] {
			subject := []string{"chore: configuration", "test: tests", "feat: sources"}[i]
			commit := gitx.NewCommit{Tree: trees[i], Message: subject + "\n", Unsigned: true, Author: gitx.Ident{Name: "git-tdd", Mail: "git-tdd@localhost"}}
			if at.ID != "" {
				commit.Parents = []gitx.ID{at.ID}
			}
			if at.ID, err = c.opts.Repo.CommitTree(ctx, commit); err != nil {
				return err
			}
		}
		at.Tree = trees[i]
		*to = at
	}
	return nil
}

// JudgeRed judges the red of a change that was taken apart. What its tests are worth
// shows with the green.
func (c *Checker) JudgeRed(ctx context.Context, d Derived) (Judgement, error) {
	return c.Judge(ctx, Proposal{Parent: d.Base.ID, Tree: d.Red.Tree, Message: "test: tests\n", Position: &gates.Position{}, Derived: true, Plain: true})
}

// JudgeGreen judges the green of a change that was taken apart, given its red.
func (c *Checker) JudgeGreen(ctx context.Context, d Derived, red Judgement) (Judgement, error) {
	step := red.Step
	step.Number, step.Role, step.Cycle, step.Phase = 1, gates.Tester, 1, gates.PhaseRed
	return c.judgePart(ctx, d, Proposal{
		Parent: d.Red.ID, Tree: d.Green.Tree, Message: "feat: sources\n", Position: &gates.Position{Commit: string(d.Red.ID), Step: step},
	})
}

// JudgePinned judges the tests of a change as a characterization: they pass without it.
func (c *Checker) JudgePinned(ctx context.Context, d Derived) (Judgement, error) {
	return c.judgePart(ctx, d, Proposal{Parent: d.Base.ID, Tree: d.Red.Tree, Message: MessageOf("test: tests", gates.Characterization)})
}

// JudgeWhole judges what differs between a commit and the whole of a change as a
// refactoring, or as what it is said to be.
func (c *Checker) JudgeWhole(ctx context.Context, d Derived, from gitx.Commit, as gates.Special) (Judgement, error) {
	return c.judgePart(ctx, d, Proposal{Parent: from.ID, Tree: d.Green.Tree, Message: MessageOf("refactor: sources", as)})
}

// MessageOf is a message of nothing but a subject and what makes the commit special.
func MessageOf(subject string, outcome gates.Special) string {
	if outcome == gates.Ordinary {
		return subject + "\n"
	}
	return subject + "\n\n" + gates.KeyOutcome + ": " + string(outcome) + "\n"
}

// judgePart judges a part of a change: where nothing else is said, as the beginning of a history.
func (c *Checker) judgePart(ctx context.Context, d Derived, p Proposal) (Judgement, error) {
	p.Derived, p.Brief, p.Plain, p.Patience = true, true, d.Plain, d.Patience
	p.Position = cmp.Or(p.Position, &gates.Position{})
	j, err := c.Judge(ctx, p)
	if err != nil || !p.Plain || j.Verdict.Accepted() || j.Case.Hopeless() {
		return j, err
	}
	p.Plain, p.Quick = false, true
	return c.Judge(ctx, p)
}

// judgeCycle judges a commit that brings tests and code together: the whole, and the
// red and the green that are derived from it. What the tests are worth is asked of the
// parts.
func (c *Checker) judgeCycle(ctx context.Context, p Proposal, j *Judgement) error {
	p.Plain = true
	if err := c.measure(ctx, p, j); err != nil {
		return err
	}
	parts, err := c.partsOf(ctx, p, j)
	if err != nil {
		return err
	}
	j.compose(p, j.Case.Red)
	j.Verdict = gates.Judge(j.Case)
	for _, part := range parts {
		j.Verdict.Add(part.Verdict.Enforced(j.Case))
	}
	return nil
}

// partsOf judges the red of a commit and, if that is one, its green.
func (c *Checker) partsOf(ctx context.Context, p Proposal, j *Judgement) ([]Judgement, error) {
	if !j.Case.After.Complete() {
		return nil, nil // the whole says so
	}
	d, err := c.Derive(ctx, Apart{Parent: p.Parent, Tree: p.Tree})
	if err != nil {
		return nil, err
	}
	pos := j.Case.Position
	red, err := c.judgePart(ctx, d, Proposal{Parent: d.Base.ID, Tree: d.Red.Tree, Message: "test: tests\n", Position: &j.Case.Position})
	if j.Case.Red = red.Step.Red; err != nil || !red.Verdict.Accepted() {
		return []Judgement{red}, err
	}
	pos.Commit, pos.Step = string(d.Red.ID), red.Step
	green, err := c.judgePart(ctx, d, Proposal{Parent: d.Red.ID, Tree: d.Green.Tree, Message: "feat: sources\n", Position: &pos})
	return []Judgement{red, green}, err
}
