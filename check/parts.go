package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// A tree is tested in parts, of which most have one: the whole. Each project of
// several is measured in a tree of its own, without the folders of the projects that
// it does not read. What is not there cannot matter, so a commit that touches only
// those leaves that tree, and all that is on record of it, as it was.

// part is one project of a tree and what measures it.
type part struct {
	testrun.Project
	measurer *facts.Measurer
	key      string // identifies the measurer
}

// part returns one project with the one measurer for all trees with the same
// commands.
func (c *Checker) part(p *Project, one testrun.Project) (*part, error) {
	w := p.Settings.Workbench
	carried := c.carries(p.Settings.Gates)
	key := fmt.Sprintf("%q %q %q %q %q %q %q %q %v %v",
		one.Language.Name, one.Language.Described, one.Commands.Test, one.Commands.Check, one.Commands.Fmt, one.Commands.Report, p.Settings.Contain, w, one.Commands.Timeout, carried)
	if one.Dir != "" || len(one.Inner) > 0 {
		key += fmt.Sprintf(" in %q without %q, %q", one.Dir, one.Inner, one.Unseen)
	}
	out := &part{Project: one, key: key, measurer: c.measurers[key]}
	if out.measurer != nil {
		return out, nil
	}
	var permit func() error
	if c.opts.Permit != nil {
		permit = func() error { return c.opts.Permit(p) }
	}
	m, err := facts.New(facts.Options{
		Repo: c.opts.Repo, Dirs: c.opts.Dirs, Environ: c.opts.Environ, Folder: one.Folder,
		Language: one.Language, Languages: c.opts.Languages, Commands: one.Commands,
		Setup: w.SetupCmd, Link: slices.Concat(one.Up(one.Language.Link), w.Link), Env: w.Env,
		Carried: carried, Contain: c.contain(p.Settings.Contain), Walls: c.walls(w),
		Anew: c.opts.Fresh == Anew, Permit: permit, Observer: c.opts.Observer, Redact: c.opts.Redact,
	})
	if err == nil {
		out.measurer, c.measurers[key] = m, m
	}
	return out, err
}

// seen is the tree in which a part is measured; empty if nothing of it is there.
func (c *Checker) seen(ctx context.Context, p *part, tree gitx.ID) (gitx.ID, error) {
	if tree == "" || p.Dir == "" && len(p.Unseen) == 0 {
		return tree, nil
	}
	if p.Dir != "" {
		_, err := c.opts.Repo.Info(ctx, string(tree)+":"+p.Dir)
		if errors.Is(err, gitx.ErrMissing) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
	return c.opts.Repo.Without(ctx, tree, p.Unseen)
}

// Each returns the facts of each part of a project, in the order of its Parts.
func (c *Checker) Each(ctx context.Context, p *Project, tree gitx.ID) ([]testrun.Result, error) {
	return c.each(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) { return c.partOf(ctx, part, seen) })
}

// each asks the parts of a project about a tree. One of which nothing is there is not asked: it
// has no test.
func (c *Checker) each(ctx context.Context, p *Project, tree gitx.ID, of func(*part, gitx.ID) (testrun.Result, error)) (out []testrun.Result, err error) {
	if p.Unmeasurable != nil {
		return nil, p.Unmeasurable
	}
	for _, part := range p.parts {
		seen, err := c.seen(ctx, part, tree)
		if err != nil {
			return nil, err
		}
		r := testrun.Result{Facts: gates.Facts{Outcome: gates.Empty, Detail: gates.DetailTest}}
		if seen != "" {
			r, err = of(part, seen)
		}
		if out = append(out, r); err != nil {
			return out, err
		}
	}
	return out, nil
}

// whole puts together what the parts of a project show of a tree.
func (c *Checker) whole(ctx context.Context, p *Project, tree gitx.ID, of func(*part, gitx.ID) (testrun.Result, error)) (testrun.Result, error) {
	parts, err := c.each(ctx, p, tree, of)
	return Join(tree, parts), err
}

// Join is the result of several projects of a tree.
func Join(tree gitx.ID, parts []testrun.Result) testrun.Result {
	if len(parts) == 1 {
		parts[0].Facts.Tree = string(tree)
		return parts[0]
	}
	var out testrun.Result
	all := make([]gates.Facts, len(parts))
	for i, p := range parts {
		all[i] = p.Facts
		out.Runs = append(out.Runs, p.Runs...)
	}
	out.Facts = gates.Join(string(tree), all)
	return out
}

// Of returns the facts of a tree under a project's commands.
func (c *Checker) Of(ctx context.Context, p *Project, tree gitx.ID) (testrun.Result, error) {
	parts, err := c.Each(ctx, p, tree)
	return Join(tree, parts), err
}

// partOf is Of for one part, and the tree in which it is measured.
func (c *Checker) partOf(ctx context.Context, p *part, seen gitx.ID) (testrun.Result, error) {
	return c.opts.Shared.facts.of(sharedKey{p.key, seen}, c.keeps, func() (testrun.Result, error) {
		e, err := c.entry(ctx, p, seen)
		return e.Result, err
	})
}

// keeps reports whether this process has to remember a result, because it must
// not use what is on record, or because nothing keeps it.
func (c *Checker) keeps(r testrun.Result) bool {
	if !r.Facts.Finished() {
		return c.opts.Once
	}
	return c.opts.Fresh == Anew
}

// Entry is everything known about one measurement of a tree: when it was made,
// with which toolchain, what the commands said. It is not shared with other
// checkers.
func (c *Checker) Entry(ctx context.Context, p *Project, tree gitx.ID) (facts.Entry, error) {
	return c.entries(ctx, p, tree, c.entry)
}

// Known returns what is on record for a tree, without running anything.
func (p *Project) Known(ctx context.Context, tree gitx.ID) (facts.Entry, bool) {
	if tree == "" {
		return facts.Entry{}, false
	}
	e, err := p.checker.entries(ctx, p, tree, recorded)
	return e, err == nil
}

func (c *Checker) entries(ctx context.Context, p *Project, tree gitx.ID, of func(context.Context, *part, gitx.ID) (facts.Entry, error)) (facts.Entry, error) {
	var all []facts.Entry
	r, err := c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		e, err := of(ctx, part, seen)
		all = append(all, e)
		return e.Result, err
	})
	return together(all, r), err
}

// entry is Entry for one part.
func (c *Checker) entry(ctx context.Context, p *part, seen gitx.ID) (facts.Entry, error) {
	if c.opts.Fresh == Recorded {
		return recorded(ctx, p, seen)
	}
	return p.measurer.Entry(ctx, seen)
}

// recorded is entry without running anything.
func recorded(_ context.Context, p *part, seen gitx.ID) (facts.Entry, error) {
	if e, ok := p.measurer.Known(seen); ok {
		return e, nil
	}
	return facts.Entry{}, ErrNotRecorded
}

// together is what is known about the measurements of all parts: as old as the
// oldest, as well confirmed as the least. Of nothing everything is known.
func together(all []facts.Entry, r testrun.Result) facts.Entry {
	if len(all) == 0 {
		return facts.Entry{Result: r, Measured: time.Now(), Runs: 1}
	}
	out := all[0]
	for _, e := range all[1:] {
		if e.Measured.Before(out.Measured) {
			out.Measured = e.Measured
		}
		out.Runs = min(out.Runs, e.Runs)
		out.Silent, out.Flaky = slices.Concat(out.Silent, e.Silent), slices.Concat(out.Flaky, e.Flaky)
		if !strings.Contains(out.Toolchain, e.Toolchain) {
			out.Toolchain += e.Toolchain
		}
	}
	out.Result = r
	return out
}

// later reports whether this checker ran one tree after another one. Of several
// projects each has runs of its own.
func (p *Project) later(tree, than gitx.ID) bool {
	return len(p.parts) == 1 && p.parts[0].measurer.Later(tree, than)
}

// narrows reports whether some tests can be run by themselves.
func (p *Project) narrows(tests []gates.Test) bool {
	return slices.ContainsFunc(p.parts, func(part *part) bool {
		return part.Language.Narrowed(part.Commands.Test, part.Local(part.asked(evidence.Question{Tests: tests}).Tests)) != nil
	})
}

// Format formats the named files of a tree.
func (c *Checker) Format(ctx context.Context, p *Project, tree gitx.ID, files []string) (gitx.ID, []testrun.Run, error) {
	var edits []gitx.TreeEdit
	var runs []testrun.Run
	_, err := c.each(ctx, p, tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) { // of one that goes nothing is left
		own := slices.DeleteFunc(slices.Clone(files), func(f string) bool { _, ok := part.Within(f); return !ok })
		if len(own) == 0 {
			return r, nil
		}
		more, run, err := part.measurer.Format(ctx, seen, own)
		if err == nil {
			edits, runs = append(edits, more...), append(runs, run)
		}
		return r, err
	})
	if err != nil {
		return "", runs, err
	}
	tree, err = c.opts.Repo.WriteTree(ctx, tree, edits)
	return tree, runs, err
}

// confirm returns the facts of a tree after a number of runs, and what differed
// between them.
func (c *Checker) confirm(ctx context.Context, p *Project, tree gitx.ID, runs int) (r testrun.Result, flaky []string, err error) {
	r, err = c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		r, differ, err := part.measurer.Confirm(ctx, seen, runs)
		flaky = append(flaky, differ...)
		return r, err
	})
	return r, flaky, err
}

// Author says whose code is measured.
type Author string

// The authors.
const (
	Person   Author = ""         // whoever commits here
	Agent    Author = "agent"    // a model, or a coding agent
	Somebody Author = "somebody" // it was not seen being committed here
)

// contain says whether commands run within walls.
func (c *Checker) contain(policy config.Contain) facts.Contain {
	switch {
	case policy == config.ContainOff || policy == config.ContainAgents && c.opts.Author == Person:
		return facts.Free
	case policy == config.ContainAgents && c.opts.Author == Somebody:
		return facts.Within
	}
	return facts.Strictly
}

// walls are what a project lets its commands reach.
func (c *Checker) walls(w config.Workbench) testrun.Walls {
	return testrun.Walls{Network: sandbox.Network(w.Network), Read: c.places(w.Read), Write: c.places(w.Write), Own: c.opts.Own}
}

// places are paths of the configuration on this machine.
func (c *Checker) places(paths []string) []string {
	home := envvar.Get(c.opts.Environ, "HOME")
	return gates.Each(paths, func(path string) string { return config.Outside(path, c.opts.Repo.Top, home) })
}
