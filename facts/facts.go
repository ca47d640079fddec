package facts

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// Options says whose facts are wanted and how they are measured.
type Options struct {
	Repo    *gitx.Repo
	Dirs    Dirs
	Environ []string // the user's environment; commands see a small part of it
	// Folder is where in the trees the project stands.
	Folder   testrun.Folder
	Language testrun.Language
	// Languages are all that are known: commands inherit what the tools of any of them need.
	Languages testrun.Languages
	Commands  testrun.Commands
	Setup     []string // a command that prepares the workbench, run when its inputs change
	Link      []string // ignored folders of the working tree that the workbench needs
	Env       []string // NAME=value that the project declares

	// Carried accepts what [Measurer.Carry] left on record for the facts of a tree.
	Carried bool

	Contain Contain
	Walls   testrun.Walls // what contained commands reach; what is ours is added
	Observer

	// Anew leaves aside what is on record, and begins with an empty workbench: nor is build
	// output of earlier processes used.
	Anew bool
	// Permit is asked before facts are looked up or a command of the repository
	// runs, and its error is returned unchanged. Nil permits everything.
	Permit func() error
	// Redact takes secrets out of what commands said before it is kept or returned; nil leaves them in.
	Redact func(string) string
}

// Observer is told what measuring does. Its functions may be nil.
type Observer struct {
	Phase  func(Doing)         // before each command starts
	Weaker func(sandbox.Offer) // once, if walls cannot be made of namespaces: what they can be made of
	Unkept func(error)         // once, if what was measured cannot be kept
}

// Measurer measures trees of one repository with one set of commands; goroutines wait for each other.
type Measurer struct {
	opts  Options
	store store

	mu        sync.Mutex
	workbench *workbench
	asked     map[string]testrun.Toolchain // the toolchain's answers, by its fingerprint
	homes     []string                     // folders of packages beside the interpreters; nil until they have been looked for
	at        []string                     // where commands find the workbench; none: where it is
	means     *sandbox.Means               // of what the walls are; nil until it was found out
	count     int
	altered   int
	hangs     map[gitx.ID]bool // the trees of which an altered run did not end, whatever time it had
	turns     map[gitx.ID]int  // which run the facts of a tree are of; the first is 1
}

// New makes a measurer. It runs and creates nothing until it has to.
func New(opts Options) (*Measurer, error) {
	key, err := opts.Dirs.secret()
	if err != nil {
		return nil, err
	}
	if opts.Permit == nil {
		opts.Permit = func() error { return nil }
	}
	m := &Measurer{
		opts: opts, asked: map[string]testrun.Toolchain{}, hangs: map[gitx.ID]bool{}, turns: map[gitx.ID]int{},
		store: store{dir: filepath.Join(opts.Repo.StateDir(), "facts"), secret: key, unkept: &unkept{tell: opts.Unkept}},
	}
	m.activate()
	return m, nil
}

// Close releases the workbench.
func (m *Measurer) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.workbench == nil {
		return nil
	}
	err := m.workbench.Close()
	m.workbench = nil
	return err
}

// Count is how many measurements were made, without cached ones and runs for coverage.
func (m *Measurer) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// Known returns what is on record for a tree under these commands, whatever the
// toolchain's version. It runs nothing.
func (m *Measurer) Known(tree gitx.ID) (best Entry, ok bool) {
	for _, name := range m.store.files(tree, entryExtension) {
		var e Entry
		if m.store.recall(name, &e) && e.Commands == m.commands() && e.Measured.After(best.Measured) {
			best = e
		}
	}
	return best, best.Key != ""
}

// Entry returns the facts of a tree, kept or measured now, with what is known about the
// measurement itself. An unfinished run is returned, but not kept, and has no time.
func (m *Measurer) Entry(ctx context.Context, tree gitx.ID) (Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opts.Anew {
		return m.again(ctx, tree)
	}
	return m.entry(ctx, tree)
}

// again measures a tree anew and keeps the result. If that contradicts the record, it runs once
// more: only what differs between these two is flaky, because the record may be of another day,
// with a server that was down.
func (m *Measurer) again(ctx context.Context, tree gitx.ID) (Entry, error) {
	e, err := m.blank(ctx, tree)
	if err != nil {
		return e, err
	}
	before, known := m.store.load(tree, e.Key, entryExtension)
	if err := m.measure(ctx, tree, &e); err != nil || !known || e.Measured.IsZero() {
		return e, err
	}
	if len(disagreements(before.Result.Facts, e.Result.Facts)) > 0 {
		_, err = m.repeat(ctx, tree, &e)
	}
	return e, err
}

// Confirm returns the facts of a tree after a number of runs, and what differed between them:
// tests, or the name of a command. The facts are of the first run, so that repeating never turns a
// failure into a success. If a repetition does not finish, its result is returned instead.
func (m *Measurer) Confirm(ctx context.Context, tree gitx.ID, runs int) (testrun.Result, []string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, err := m.entry(ctx, tree)
	if err != nil {
		return e.Result, nil, err
	}
	if e.otherwise && len(e.Flaky) == 0 && e.Runs < runs { // what differs may be due to the walls
		if e, err = m.blank(ctx, tree); err == nil {
			err = m.measure(ctx, tree, &e)
		}
		if err != nil {
			return e.Result, nil, err
		}
	}
	for e.Result.Facts.Finished() && len(e.Flaky) == 0 && e.Runs < runs {
		again, err := m.repeat(ctx, tree, &e)
		if err != nil || !again.Facts.Finished() {
			return again, nil, err
		}
	}
	return e.Result, e.Flaky, nil
}

// repeat runs a tree once more and keeps what differs; a run that does not finish changes nothing.
func (m *Measurer) repeat(ctx context.Context, tree gitx.ID, e *Entry) (testrun.Result, error) {
	again, err := m.run(ctx, tree, e)
	if err != nil || !again.Facts.Finished() {
		return again, err
	}
	e.Runs++
	e.Flaky = disagreements(e.Result.Facts, again.Facts)
	return again, m.store.save(tree, *e)
}

// entry returns what is on record for a tree, or measures it.
func (m *Measurer) entry(ctx context.Context, tree gitx.ID) (Entry, error) {
	e, known, err := m.record(ctx, tree)
	if err != nil || known {
		return e, err
	}
	return e, m.measure(ctx, tree, &e)
}

// blank is the entry of a tree before it is measured.
func (m *Measurer) blank(ctx context.Context, tree gitx.ID) (Entry, error) {
	if err := m.opts.Permit(); err != nil {
		return Entry{}, err
	}
	toolchain, err := m.toolchain(ctx, tree)
	if err != nil {
		return Entry{}, err
	}
	var decisive []string // the variables that change what tests show, each with its value
	for _, name := range m.opts.Languages.All(func(i testrun.Installation) []string { return i.Decides }) {
		decisive = append(decisive, name, m.value(name))
	}
	base := digest("facts key", fmt.Sprint(format), string(tree), m.commands(), toolchain.Text, m.installed(),
		words(decisive), m.value("TZ"))
	key := base
	if means := m.contained(ctx); means != "" {
		key = m.walledKey(base, means)
	}
	return Entry{base: base, Key: key, Commands: m.commands(), Toolchain: toolchain.Text, Silent: toolchain.Failed}, nil
}

// measure runs a tree and keeps the result, if it is a fact.
func (m *Measurer) measure(ctx context.Context, tree gitx.ID, e *Entry) error {
	var err error
	if e.Result, err = m.run(ctx, tree, e); err != nil || !e.Result.Facts.Finished() {
		return err
	}
	m.turns[tree] = m.count
	e.Measured, e.Runs, e.Flaky = time.Now().UTC(), 1, nil
	if err := m.store.keep(m.tookFile(), time.Duration(e.Result.Facts.DurationMS)*time.Millisecond); err != nil {
		return err
	}
	return m.store.save(tree, *e)
}

// Later reports whether the facts of a tree are of a run here that began after that of another ended.
func (m *Measurer) Later(tree, than gitx.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turns[than] > 0 && m.turns[tree] > m.turns[than]
}

// redacted is a result without secrets in what was said; names stay, because facts compare them.
func (m *Measurer) redacted(r testrun.Result) testrun.Result {
	if m.opts.Redact != nil {
		r.Reword(m.opts.Redact)
	}
	return r
}

// run runs what an entry is to be of: all tests of a tree, or those that are not carried over.
func (m *Measurer) run(ctx context.Context, tree gitx.ID, e *Entry) (testrun.Result, error) {
	if err := m.export(ctx, tree); err != nil {
		return testrun.Result{}, err
	}
	m.count++
	req := m.request()
	req.Phase = m.announcing(Doing{Tree: tree})
	if e.Carried != nil {
		req.Commands.Test = m.carrying(e)
	}
	result, err := testrun.Measure(ctx, req)
	if err != nil {
		return testrun.Result{}, fmt.Errorf("measure tree %s: %w", tree.Short(), err)
	}
	result.Facts.Tree = string(tree)
	if e.Carried != nil {
		result.Facts = e.Carried.with(e.Result.Facts.Tests, tree, result.Facts)
	}
	return m.redacted(result), nil
}
