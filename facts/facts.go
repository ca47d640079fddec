package facts

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Options says whose facts are wanted and how they are measured.
type Options struct {
	Repo     *gitx.Repo
	Dirs     Dirs
	Environ  []string // the user's environment; commands see a short part of it
	Language testrun.Language
	Commands testrun.Commands
	Setup    []string // a command that prepares the workbench, run when its inputs change
	Link     []string // ignored folders of the working tree that the workbench needs
	Env      []string // NAME=value that the project declares

	// Permit is asked before any command of the repository runs; its error is
	// returned as it is. Nil permits all.
	Permit func() error
	// Phase is told before each command starts; nil means that nobody listens.
	Phase func(name string)
	// Log gets the whole output of the commands; nil discards it.
	Log io.Writer
}

// Measurer measures trees of one repository under one set of commands. It may
// be used by several goroutines, which then wait for each other.
type Measurer struct {
	opts  Options
	store store

	mu        sync.Mutex
	bench     *Bench
	toolchain string
	count     int
}

// New makes a measurer. Nothing is run or made until it is needed.
func New(opts Options) (*Measurer, error) {
	secret, err := opts.Dirs.secret()
	if err != nil {
		return nil, err
	}
	return &Measurer{opts: opts, store: store{dir: filepath.Join(opts.Repo.StateDir(), "facts"), secret: secret}}, nil
}

// Close lets others use the workbench.
func (m *Measurer) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bench == nil {
		return nil
	}
	err := m.bench.Close()
	m.bench = nil
	return err
}

// Count is how many measurements were made, cached ones left out.
func (m *Measurer) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// Known returns what is on record for a tree under these commands, whatever the
// toolchain's version. It runs nothing.
func (m *Measurer) Known(tree gitx.ID) (Entry, bool) {
	return m.store.newest(tree, m.commands())
}

// Of returns the facts of a tree: from the cache, or measured now. A run that
// did not finish is returned but never kept.
func (m *Measurer) Of(ctx context.Context, tree gitx.ID) (testrun.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if tree == "" {
		return testrun.Result{Facts: gates.Facts{Outcome: gates.Empty, Detail: gates.DetailTest}}, nil
	}
	key, err := m.key(ctx, tree)
	if err != nil {
		return testrun.Result{}, err
	}
	if e, ok := m.store.load(tree, key); ok {
		return e.Result, nil
	}
	return m.measure(ctx, tree, key)
}

// Again measures a tree anew, whatever is on record, and keeps the result.
func (m *Measurer) Again(ctx context.Context, tree gitx.ID) (testrun.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key, err := m.key(ctx, tree)
	if err != nil {
		return testrun.Result{}, err
	}
	return m.measure(ctx, tree, key)
}

func (m *Measurer) measure(ctx context.Context, tree gitx.ID, key string) (testrun.Result, error) {
	if err := m.export(ctx, tree); err != nil {
		return testrun.Result{}, err
	}
	m.count++
	result, err := testrun.Measure(ctx, m.request())
	if err != nil {
		return testrun.Result{}, fmt.Errorf("measure tree %s: %w", tree.Short(), err)
	}
	result.Facts.Tree = string(tree)
	if !result.Facts.Finished() {
		return result, nil
	}
	return result, m.store.save(tree, Entry{
		Format: format, Key: key, Commands: m.commands(), Toolchain: m.toolchain,
		Measured: time.Now().UTC(), Result: result,
	})
}

// Format runs the format command on a tree and returns the tree with the named
// files formatted. What the command did to other files is dropped.
func (m *Measurer) Format(ctx context.Context, tree gitx.ID, paths []string) (gitx.ID, testrun.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.opts.Commands.Fmt) == 0 || len(paths) == 0 {
		return tree, testrun.Run{}, nil
	}
	if err := m.export(ctx, tree); err != nil {
		return "", testrun.Run{}, err
	}
	before, err := m.bench.Read(paths)
	if err != nil {
		return "", testrun.Run{}, err
	}
	run, err := testrun.Format(ctx, m.request())
	if err != nil {
		return "", run, fmt.Errorf("format tree %s: %w", tree.Short(), err)
	}
	after, err := m.bench.Read(paths)
	if err != nil {
		return "", run, err
	}
	var edits []gitx.TreeEdit
	for _, name := range paths {
		if content, ok := after[name]; ok && string(content) != string(before[name]) {
			edits = append(edits, gitx.TreeEdit{Path: name, Content: content})
		}
	}
	if len(edits) == 0 {
		return tree, run, nil
	}
	formatted, err := m.opts.Repo.WriteTree(ctx, tree, edits)
	return formatted, run, err
}

// export asks for permission, takes a workbench and puts the tree into it.
func (m *Measurer) export(ctx context.Context, tree gitx.ID) error {
	if m.opts.Permit != nil {
		if err := m.opts.Permit(); err != nil {
			return err
		}
	}
	if m.bench == nil {
		bench, err := takeBench(m.opts.Dirs, m.opts.Repo, m.opts.Language.BuildDirs)
		if err != nil {
			return err
		}
		m.bench = bench
	}
	if err := m.bench.Export(ctx, m.opts.Repo, tree, linksOf(m.opts.Repo, m.opts.Link)); err != nil {
		return err
	}
	return m.setUp(ctx)
}

func (m *Measurer) request() testrun.Request {
	return testrun.Request{
		Dir: m.bench.Root, Scratch: m.bench.Scratch,
		Commands: m.opts.Commands, Language: m.opts.Language,
		Env: m.opts.Env, Environ: m.opts.Environ, Phase: m.opts.Phase, Log: m.opts.Log,
	}
}

// key hashes all that decides what a measurement shows.
func (m *Measurer) key(ctx context.Context, tree gitx.ID) (string, error) {
	if m.toolchain == "" {
		if m.opts.Permit != nil {
			// Asking a toolchain for its version runs what the repository chose.
			if err := m.opts.Permit(); err != nil {
				return "", err
			}
		}
		version, err := m.version(ctx, tree)
		if err != nil {
			return "", err
		}
		m.toolchain = version
	}
	return digest("facts key", fmt.Sprint(format), string(tree), m.commands(), m.toolchain), nil
}

// commands is the digest of all that the project itself decides.
func (m *Measurer) commands() string {
	c := m.opts.Commands
	return digest("commands", m.opts.Language.Name, words(c.Check), words(c.Test), c.Timeout.String(),
		words(m.opts.Setup), words(sorted(m.opts.Link)), words(sorted(m.opts.Env)))
}

func words(argv []string) string { return strings.Join(argv, "\x00") }

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}

