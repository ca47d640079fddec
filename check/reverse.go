package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// reach is how many commits back to look for a red: far enough for the tests
// that people still work on.
const reach = 200

// reverse measures the new tests with the sources of a red, if a refactoring
// changed tests: a test that was red there must be red again, or it no longer
// checks what it did. It measures one tree: that of the latest red whose test
// has changed, or otherwise whose file has.
func (c *Checker) reverse(ctx context.Context, p Proposal, j *Judgement) (*gates.Reversed, error) {
	commit, found, err := c.formerRed(ctx, p.Parent, j.Case.Change)
	if err != nil || found == nil {
		return nil, err
	}
	edits, err := c.bringTests(ctx, j.Project.Language, j.Case.Change, commit.Tree, p.Tree)
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	tree, err := c.opts.Repo.WriteTree(ctx, commit.Tree, edits)
	if err != nil {
		return nil, fmt.Errorf("put the new tests on the sources of step %d: %w", found.Step, err)
	}
	result, err := c.Of(ctx, j.Project, tree)
	found.Facts = result.Facts
	return found, err
}

// formerRed finds the red to hold changed tests against; nil if there is none.
func (c *Checker) formerRed(ctx context.Context, from gitx.ID, change gates.Change) (at gitx.Commit, found *gates.Reversed, err error) {
	standing, where := undisputed(), gitx.ID("")
	_, _, err = c.earlier(ctx, from, func(commit gitx.Commit) bool {
		step, ok := gates.ParseStep(commitmsg.Parse(commit.Message))
		seen := seenOn(commit, step)
		for _, red := range standing(step) {
			file, text := change.Touches(red.ID)
			if seen != "" && !red.ByFile() && (text || file && found == nil) {
				where, found = seen, &gates.Reversed{Step: step.Number, Test: red.ID}
			}
			if text {
				return true
			}
		}
		return ok && step.Number <= 1
	})
	if err == nil && found != nil {
		at, err = c.opts.Repo.Commit(ctx, string(where))
	}
	return at, found, err
}

// seenOn is the commit on whose sources the red of a step failed: that of a cycle was
// derived on those of before. Empty if it has none.
func seenOn(commit gitx.Commit, step gates.Step) gitx.ID {
	switch {
	case step.Phase == gates.PhaseRed:
		return commit.ID
	case step.Phase == gates.PhaseCycle && len(commit.Parents) > 0:
		return commit.Parents[0]
	}
	return ""
}

// bringTests lists the edits that put the changed tests, as they are now, into
// an older tree: test files whole, tests inside sources in place of those in
// the older source.
func (c *Checker) bringTests(ctx context.Context, lang testrun.Language, change gates.Change, old, now gitx.ID) ([]gitx.TreeEdit, error) {
	there, err := c.byPath(ctx, old)
	if err != nil {
		return nil, err
	}
	var gone, come []gitx.TreeEdit
	for _, f := range change.Files {
		if f.Was().ForTests() && there[f.Old.Path].Path != "" {
			gone = append(gone, gitx.TreeEdit{Path: f.Old.Path, Delete: true})
		}
		switch {
		case f.Is().ForTests():
			obj, err := c.opts.Repo.Info(ctx, string(now)+":"+f.New.Path)
			if err != nil {
				return nil, err
			}
			come = append(come, gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Blob: obj.ID})
		case inlineTests(f.Is()) != "" && there[f.New.Path].Path != "":
			edit, err := c.graft(ctx, lang, there[f.New.Path], inlineTests(f.Is()))
			if err != nil {
				return nil, err
			}
			come = append(come, edit)
		}
	}
	return append(gone, come...), nil
}

// graft puts tests into a source file, in the place of its own.
func (c *Checker) graft(ctx context.Context, lang testrun.Language, e gitx.Entry, tests string) (gitx.TreeEdit, error) {
	was, err := c.file(ctx, lang, &e)
	if err != nil {
		return gitx.TreeEdit{}, err
	}
	obj, err := c.opts.Repo.Object(ctx, string(e.ID))
	return gitx.TreeEdit{Path: e.Path, Mode: e.Mode, Content: withTests(string(obj.Content), was, tests)}, err
}

// documented is a tree whose sources have the documentation of another one, if its examples are
// tests.
func (c *Checker) documented(ctx context.Context, d Derived, red, whole gitx.ID) (gitx.ID, error) {
	var edits []gitx.TreeEdit
	for _, f := range d.Change.Files {
		docs := d.Project.Language.At(f.Path()).Syntax.Docs
		if docs == nil || f.Old == nil || f.New == nil || f.Renamed() || f.New.Kind != gates.KindSource {
			continue
		}
		was, now, err := ofBoth(ctx, red, whole, func(ctx context.Context, tree gitx.ID) (string, error) { return c.text(ctx, tree, f.Path()) })
		if err != nil {
			return "", err
		}
		if text := docs.Bring(was, now); text != was {
			edits = append(edits, gitx.TreeEdit{Path: f.Path(), Mode: f.New.Mode, Content: []byte(text)})
		}
	}
	return c.opts.Repo.WriteTree(ctx, red, edits)
}

// weakened gathers what shows whether a commit outside the loop makes tests
// check less.
func (c *Checker) weakened(ctx context.Context, p Proposal, j *Judgement) (*gates.Reversed, error) {
	touched := slices.ContainsFunc(j.Case.Change.Files, gates.FileChange.TouchesTest)
	if p.Parent == "" || j.Case.Plays != "" || j.Case.FixupOf != "" || j.Case.OnRed() || !touched {
		return nil, nil //nolint:nilnil // nothing may be less
	}
	return c.reverse(ctx, p, j)
}

// sides gathers what a merge makes of its other parents.
func (c *Checker) sides(ctx context.Context, p Proposal, j *Judgement) (out []gates.Side, err error) {
	for _, other := range p.Others {
		side, err := c.side(ctx, p, other, j)
		if err != nil {
			return nil, err
		}
		out = append(out, side)
	}
	return out, nil
}

// side gathers what a merge makes of one other parent. A fork that is beyond the
// end of a shallow clone is not known.
func (c *Checker) side(ctx context.Context, p Proposal, other gitx.ID, j *Judgement) (side gates.Side, err error) {
	tree, err := c.treeOf(ctx, other)
	if err != nil {
		return side, err
	}
	if side.Change, side.Facts, err = c.compared(ctx, j.Project, tree, p.Tree); err != nil {
		return side, err
	}
	if side.Open, err = c.Open(ctx, other, side.Facts, nil); err != nil {
		return side, err
	}
	fork, err := c.opts.Repo.MergeBase(ctx, p.Parent, other)
	if err != nil || fork == "" {
		return side, err
	}
	start, err := c.treeOf(ctx, fork)
	if err != nil {
		return side, err
	}
	if side.Theirs, side.Fork, err = c.compared(ctx, j.Project, start, tree); err != nil {
		return side, err
	}
	side.Ours, err = c.Change(ctx, j.Project.Language, start, j.parent)
	return side, err
}

// compared is what differs between two trees, and the facts of the first.
func (c *Checker) compared(ctx context.Context, p *Project, before, after gitx.ID) (gates.Change, gates.Facts, error) {
	change, err := c.Change(ctx, p.Language, before, after)
	if err != nil {
		return change, gates.Facts{}, err
	}
	was, err := c.Of(ctx, p, before)
	return change, was.Facts, err
}

// automatic reports whether a merge has no content of its own: each file is as one
// side made it, and as the other side left it since their fork. What it brings is
// judged where it was made.
func (c *Checker) automatic(ctx context.Context, p Proposal) (bool, error) {
	if len(p.Others) != 1 {
		return false, nil
	}
	fork, err := c.opts.Repo.MergeBase(ctx, p.Parent, p.Others[0])
	if err != nil || fork == "" {
		return false, err
	}
	merged, err := c.byPath(ctx, p.Tree)
	if err != nil {
		return false, err
	}
	var sides [3]map[string]gitx.Entry // ours, theirs and the fork's
	paths := maps.Clone(merged)
	for i, commit := range []gitx.ID{p.Parent, p.Others[0], fork} {
		tree, err := c.treeOf(ctx, commit)
		if err == nil {
			sides[i], err = c.byPath(ctx, tree)
		}
		if err != nil {
			return false, err
		}
		maps.Copy(paths, sides[i])
	}
	for path := range paths {
		ours, theirs, was, now := sides[0][path], sides[1][path], sides[2][path], merged[path]
		if (now != ours || theirs != was && theirs != ours) && (now != theirs || ours != was) {
			return false, nil
		}
	}
	return true, nil
}
