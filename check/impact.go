package check

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Carry measures, where a project wants it so, only those tests of a tree that a change
// can have an effect on. What the others showed before stands in for them, in this
// checker and in later ones with Options.Carried, until the tree is measured whole.
func (c *Checker) Carry(ctx context.Context, p *Project, from gitx.ID, change gates.Change, tree gitx.ID) error {
	if !c.carries(p.Settings.Gates) {
		return nil
	}
	for _, part := range p.parts {
		if err := c.carryPart(ctx, part, from, change, tree); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) carryPart(ctx context.Context, p *part, from gitx.ID, change gates.Change, tree gitx.ID) error {
	was, now, err := ofBoth(ctx, from, tree, func(ctx context.Context, tree gitx.ID) (gitx.ID, error) { return c.seen(ctx, p, tree) })
	if err != nil || was == "" || now == "" || was == now {
		return err
	}
	impact, known, err := c.impact(ctx, p, change, was, now)
	if err != nil || !known {
		return err
	}
	run, left, err := p.measurer.Carry(ctx, was, now, impact)
	if left > 0 {
		c.opts.Carried(run, left)
	}
	return err
}

// impact finds out what a change between two trees of a part can have an effect on; known is
// false where that cannot be told.
func (c *Checker) impact(ctx context.Context, p *part, change gates.Change, was, now gitx.ID) (i testrun.Impact, known bool, err error) {
	changed, inside := touched(p, change)
	if !inside || p.Language.Uses == nil {
		return i, false, nil
	}
	before, after, err := ofBoth(ctx, was, now, c.sources)
	if err != nil {
		return i, false, err
	}
	i, known = p.Language.Impact(before.In(p.Folder), after.In(p.Folder), changed)
	return i.Below(p.Folder), known, nil
}

// carries reports whether tests that a change has no effect on need not be run.
func (c *Checker) carries(policy gates.Policy) bool {
	return c.opts.Carried != nil && policy.Impact == gates.On
}

// touched lists what a change touches of a part, without documents that nothing
// mentions. It reports whether the part holds all that it can see of the change.
func touched(p *part, change gates.Change) (changed []string, inside bool) {
	for _, f := range change.Files {
		for _, side := range f.Sides() {
			if side.Kind == gates.KindOther && !f.Reached && !testrun.Data(path.Base(side.Path)) || !p.Sees(side.Path) {
				continue
			}
			own, ok := p.Within(side.Path)
			if !ok {
				return nil, false
			}
			changed = append(changed, own)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), true
}

// sources are the files of a tree, to be read. One that is too large to be read by
// anybody, or a submodule, holds nothing.
func (c *Checker) sources(ctx context.Context, tree gitx.ID) (testrun.Sources, error) {
	entries, err := c.byPath(ctx, tree)
	return testrun.Sources{Paths: slices.Sorted(maps.Keys(entries)), Read: func(name string) string {
		obj, err := c.opts.Repo.Object(ctx, string(entries[name].ID))
		if err != nil {
			return ""
		}
		return string(obj.Content)
	}}, err
}
