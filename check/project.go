package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Options says where to check and how.
type Options struct {
	Repo    *gitx.Repo
	Dirs    facts.Dirs
	Environ []string // the user's environment
	// Languages are those that a project can be of.
	Languages testrun.Languages
	Fresh     Fresh
	// Evidence is how much is measured of what tests are worth where the policy does
	// not say so; empty is full.
	Evidence gates.EvidenceMode
	// Permit is asked before any command of a project runs, and its error is
	// returned unchanged. Nil permits everything.
	Permit func(*Project) error
	// Shared is set if several checkers work in parallel.
	Shared *Shared
	Phase  func(name string)   // called before each command starts; may be nil
	Log    io.Writer           // gets the output of the commands; nil discards it
	Redact func(string) string // takes secrets out of what commands said; nil leaves them in
}

// Fresh says whether facts on record may be used.
type Fresh string

// The values of Fresh.
const (
	UseRecord Fresh = ""
	Anew      Fresh = "anew"     // every tree is measured once in this process, whatever is on record
	Recorded  Fresh = "recorded" // nothing is measured: what is not on record is ErrNotRecorded
)

// ErrNotRecorded says that a tree has not been measured here.
var ErrNotRecorded = errors.New("this tree has not been measured here")

// maxProjects limits how many trees are remembered whole: a commit needs its
// own and those just before it.
const maxProjects = 16

// Checker judges commits of one repository.
type Checker struct {
	opts Options

	mu        sync.Mutex
	projects  map[gitx.ID]*Project
	configs   map[string]Declared // by file and text
	measurers map[string]*facts.Measurer
	positions map[gitx.ID]gates.Position
}

// New makes a checker. Nothing is read or run before the first question.
func New(opts Options) *Checker {
	if opts.Shared == nil {
		opts.Shared = &Shared{}
	}
	opts.Evidence = cmp.Or(opts.Evidence, gates.EvidenceFull)
	return &Checker{
		opts: opts, projects: map[gitx.ID]*Project{}, configs: map[string]Declared{}, measurers: map[string]*facts.Measurer{},
		positions: map[gitx.ID]gates.Position{},
	}
}

// Close releases the workbenches.
func (c *Checker) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, m := range c.measurers {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}

// Count is how many measurements were made, not counting cached ones.
func (c *Checker) Count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.measurers {
		n += m.Count()
	}
	return n
}

// Project is what a tree says about itself.
type Project struct {
	Declared
	Language testrun.Language
	Commands testrun.Commands
	Entries  []gitx.Entry
	Kata     string // the kata's text; empty if the tree has none

	measurer     *facts.Measurer
	commands     string // identifies the measurer among those of all checkers
	unmeasurable error  // why nothing can be measured here; nil if it can
}

// Unmeasurable says why nothing can be measured here: nothing says how the
// project is tested. It is nil if something does.
func (p *Project) Unmeasurable() error { return p.unmeasurable }

// Known returns what is on record for a tree, without running anything.
func (p *Project) Known(tree gitx.ID) (facts.Entry, bool) {
	if p.unmeasurable != nil {
		return facts.Entry{}, false
	}
	return p.measurer.Known(tree)
}

// KnownGrades returns what is on record of what the tests of a tree are worth,
// without running anything.
func (p *Project) KnownGrades(tree gitx.ID) map[string]gates.Grade {
	entry, ok := p.Known(tree)
	if !ok {
		return nil
	}
	graded, _ := p.measurer.KnownGrades(tree, entry)
	return graded.Grades
}

// Format formats the named files of a tree; see facts.Measurer.
func (p *Project) Format(ctx context.Context, tree gitx.ID, paths []string) (gitx.ID, testrun.Run, error) {
	return p.measurer.Format(ctx, tree, paths)
}

// Project reads what a tree says about itself. The error wraps
// [config.ErrNoLanguage] if nothing says how it is tested.
func (c *Checker) Project(ctx context.Context, tree gitx.ID) (*Project, error) {
	p, err := c.project(ctx, tree)
	if err != nil {
		return nil, err
	}
	return p, p.unmeasurable
}

// project is Project for trees that need not be measurable.
func (c *Checker) project(ctx context.Context, tree gitx.ID) (*Project, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.projects[tree]; ok {
		return p, nil
	}
	p, err := c.read(ctx, tree)
	if err != nil {
		return nil, err
	}
	if len(c.projects) >= maxProjects {
		clear(c.projects)
	}
	c.projects[tree] = p
	return p, nil
}

func (c *Checker) read(ctx context.Context, tree gitx.ID) (*Project, error) {
	declared, err := c.declared(ctx, tree)
	if err != nil {
		return nil, err
	}
	p := &Project{Declared: declared}
	if p.Entries, err = c.opts.Repo.Entries(ctx, tree); err != nil {
		return nil, err
	}
	if p.Kata, err = c.kata(ctx, tree, declared.Settings.Kata); err != nil {
		return nil, err
	}
	return p, c.identify(p)
}

// Outline is what can be said about a tree after reading one file: it has no
// entries and no kata. In a tree of 20,000 files the entries take 36 ms, four
// times a status. If the configuration does not say how the project is
// tested, it is the same as Project.
func (c *Checker) Outline(ctx context.Context, tree gitx.ID) (*Project, error) {
	declared, err := ReadSettings(ctx, c.opts.Repo, tree, c.opts.Environ, c.opts.Languages)
	if err != nil {
		return nil, err
	}
	if declared.Settings.NeedsPaths(c.opts.Languages) {
		return c.project(ctx, tree)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &Project{Declared: declared}
	return p, c.identify(p)
}

// identify finds the language, the commands and the measurer.
func (c *Checker) identify(p *Project) (err error) {
	p.Language, err = p.Settings.Resolve(c.opts.Languages, paths(p.Entries))
	if errors.Is(err, config.ErrNoLanguage) {
		p.Language, p.unmeasurable = testrun.Generic(), err
		return nil
	}
	if err != nil {
		return err
	}
	p.Commands = p.Settings.Commands(p.Language)
	p.measurer, err = c.measurer(p)
	return err
}

func (c *Checker) kata(ctx context.Context, tree gitx.ID, name string) (string, error) {
	if name == "" || tree == "" {
		return "", nil
	}
	text, _, err := c.opts.Repo.Text(ctx, tree, name)
	return string(text), err
}

func paths(entries []gitx.Entry) []string {
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Path)
	}
	return out
}

// measurer returns the one measurer for all trees with the same commands.
func (c *Checker) measurer(p *Project) (*facts.Measurer, error) {
	w := p.Settings.Workbench
	key := fmt.Sprintf("%q %q %q %q %q %q %q %q %q %v",
		p.Language.Name, p.Language.Described, p.Commands.Test, p.Commands.Check, p.Commands.Fmt, p.Commands.Report, w.Link, w.SetupCmd, w.Env, p.Commands.Timeout)
	p.commands = key
	if m, ok := c.measurers[key]; ok {
		return m, nil
	}
	var permit func() error
	if c.opts.Permit != nil {
		permit = func() error { return c.opts.Permit(p) }
	}
	m, err := facts.New(facts.Options{
		Repo: c.opts.Repo, Dirs: c.opts.Dirs, Environ: c.opts.Environ,
		Language: p.Language, Languages: c.opts.Languages, Commands: p.Commands,
		Setup: w.SetupCmd, Link: slices.Concat(p.Language.Link, w.Link), Env: w.Env,
		Clean: c.opts.Fresh == Anew, Permit: permit, Phase: c.opts.Phase, Log: c.opts.Log, Redact: c.opts.Redact,
	})
	if err == nil {
		c.measurers[key] = m
	}
	return m, err
}

// Of returns the facts of a tree under a project's commands.
func (c *Checker) Of(ctx context.Context, p *Project, tree gitx.ID) (testrun.Result, error) {
	if p.unmeasurable != nil {
		return testrun.Result{}, p.unmeasurable
	}
	if tree == "" {
		return p.measurer.Of(ctx, tree)
	}
	return c.opts.Shared.facts.of(ctx, sharedKey{p.commands, tree}, c.keeps, func() (testrun.Result, error) {
		e, err := c.Entry(ctx, p, tree)
		return e.Result, err
	})
}

// keeps reports whether this process has to remember a result, because it must
// not use what is on record.
func (c *Checker) keeps(r testrun.Result) bool { return c.opts.Fresh == Anew && r.Facts.Finished() }

// Entry is everything known about one measurement of a tree: when it was made,
// with which toolchain, what the commands said. It is not shared with other
// checkers.
func (c *Checker) Entry(ctx context.Context, p *Project, tree gitx.ID) (facts.Entry, error) {
	switch {
	case p.unmeasurable != nil:
		return facts.Entry{}, p.unmeasurable
	case c.opts.Fresh == Anew:
		return p.measurer.Again(ctx, tree)
	case c.opts.Fresh == Recorded:
		if e, ok := p.measurer.Known(tree); ok {
			return e, nil
		}
		return facts.Entry{}, ErrNotRecorded
	}
	return p.measurer.Entry(ctx, tree)
}
