package check

import (
	"cmp"
	"context"
	"errors"
	"maps"
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
	// Author is whose code is measured: it decides whether commands run within walls.
	Author Author
	Own    []string // folders of ours, beside Dirs, that commands within walls never see
	facts.Observer
	// Carried is set where what [Checker.Carry] leaves on record may stand in for the
	// facts of a tree, if the policy says so. It is called with how many tests were run
	// for that, and how many were not.
	Carried func(run, left int)
	// Evidence is how much is measured of what tests are worth where the policy does
	// not say so; empty is full.
	Evidence gates.EvidenceMode
	// Adopt gives a tree without settings those that are found for it, as the text of
	// .tdd.yaml; nil, and text that does not go with the environment: the defaults.
	Adopt func(ctx context.Context, tree gitx.ID) ([]byte, error)
	// Retired is called when settings that went are read, of whatever tree; it may be nil.
	Retired func()
	// Once is set where a run that did not finish is not tried again.
	Once bool
	// TestsOnly leaves the commands for checks out, whatever the settings say.
	TestsOnly bool
	// Permit is asked before any command of a project runs, and its error is
	// returned unchanged. Nil permits everything.
	Permit func(*Project) error
	// Shared is set if several checkers work in parallel.
	Shared *Shared
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

	mu         sync.Mutex
	projects   map[gitx.ID]*Project
	configs    map[string]Declared // by file and text
	measurers  map[string]*facts.Measurer
	positions  map[gitx.ID]gates.Position
	acceptance map[gitx.ID][]claimedTest
}

// New makes a checker. Nothing is read or run before the first question.
func New(opts Options) *Checker {
	if opts.Shared == nil {
		opts.Shared = &Shared{}
	}
	opts.Evidence = cmp.Or(opts.Evidence, gates.EvidenceFull)
	return &Checker{
		opts: opts, projects: map[gitx.ID]*Project{}, configs: map[string]Declared{}, measurers: map[string]*facts.Measurer{},
		positions: map[gitx.ID]gates.Position{}, acceptance: map[gitx.ID][]claimedTest{},
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

// Project is what a tree says about itself: how it is tested, in one or several
// parts.
type Project struct {
	Declared
	Tree     gitx.ID
	Language testrun.Language // of all parts, each for its own paths
	Entries  []gitx.Entry
	Kata     string // the kata's text; empty if the tree has none

	// Unmeasurable says why nothing can be measured here: nothing says how the
	// project is tested. It is nil if something does.
	Unmeasurable error

	checker  *Checker
	parts    []*part
	commands string // identifies the measurers among those of all checkers
}

// Parts are the projects of the tree.
func (p *Project) Parts() testrun.Projects {
	return gates.Each(p.parts, func(one *part) testrun.Project { return one.Project })
}

// Dependencies are what commands of the project find beside a tree of it: folders of the
// working tree that git ignores, in which packages are installed, and what the settings
// name. They map paths in the tree to where that is.
func (p *Project) Dependencies(ctx context.Context, tree gitx.ID) map[string]string {
	out := map[string]string{}
	for _, part := range p.parts {
		maps.Copy(out, part.measurer.Dependencies(ctx, tree))
	}
	return out
}

// OwnParts are the projects as the tree itself declares them, without the user's
// environment.
func (p *Project) OwnParts(known testrun.Languages) (testrun.Projects, error) {
	own, err := p.Own()
	if err != nil {
		return nil, err
	}
	if len(own.Projects) > 0 {
		return own.Split(known, Paths(p.Entries))
	}
	return own.Alone(p.Language), nil
}

// Project reads what a tree says about itself. The error wraps
// [config.ErrNoLanguage] if nothing says how it is tested.
func (c *Checker) Project(ctx context.Context, tree gitx.ID) (*Project, error) {
	p, err := c.project(ctx, tree)
	if err != nil {
		return nil, err
	}
	return p, p.Unmeasurable
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
	p := &Project{Declared: declared, Tree: tree, checker: c}
	if p.Entries, err = c.opts.Repo.Entries(ctx, tree); err != nil {
		return nil, err
	}
	if name := declared.Settings.Kata; name != "" && tree != "" {
		if p.Kata, err = c.text(ctx, tree, name); err != nil {
			return nil, err
		}
	}
	return p, c.identify(p)
}

// Outline is what can be said about a tree after reading one file: it has no
// entries and no kata. In a tree of 20,000 files the entries take 36 ms, four
// times a status. If the configuration does not say how the project is
// tested, it is the same as Project.
func (c *Checker) Outline(ctx context.Context, tree gitx.ID) (*Project, error) {
	declared, err := c.Settings(ctx, tree)
	if err != nil {
		return nil, err
	}
	if declared.Settings.NeedsPaths(c.opts.Languages) {
		return c.project(ctx, tree)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &Project{Declared: declared, Tree: tree, checker: c}
	return p, c.identify(p)
}

// identify finds the projects, their languages and commands, and the measurers.
func (c *Checker) identify(p *Project) error {
	projects, err := p.Settings.Split(c.opts.Languages, Paths(p.Entries))
	if errors.Is(err, config.ErrNoLanguage) {
		p.Language, p.Unmeasurable = testrun.Generic(), err
		return nil
	}
	if err != nil {
		return err
	}
	p.Language = projects.Language()
	for _, one := range projects {
		if c.opts.TestsOnly {
			one.Commands.Check = nil
		}
		part, err := c.part(p, one)
		if err != nil {
			return err
		}
		p.parts = append(p.parts, part)
		p.commands += part.key
	}
	return nil
}

// byPath reads the entries of a tree.
func (c *Checker) byPath(ctx context.Context, tree gitx.ID) (map[string]gitx.Entry, error) {
	entries, err := c.opts.Repo.Entries(ctx, tree)
	out := make(map[string]gitx.Entry, len(entries))
	for _, e := range entries {
		out[e.Path] = e
	}
	return out, err
}

// Paths are those of the entries of a tree.
func Paths(entries []gitx.Entry) []string {
	return gates.Each(entries, func(e gitx.Entry) string { return e.Path })
}
