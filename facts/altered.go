package facts

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Limit is the longest that a command may take, and that one may that runs what was built
// before; zero means as long as ever.
type Limit struct{ Any, Alone time.Duration }

// Altered says how a tree is to be run for evidence: some of its files replaced,
// perhaps a few of its tests only. The check never runs.
type Altered struct {
	Files map[string]string // content by path
	Tests []gates.Test      // the few that are asked; nil for all
	// If it takes longer than Limit, it runs once more, within Longer, unless that is zero or
	// another of the same tree ran in vain.
	Limit, Longer Limit
	// For names what the answer is for, if it holds for nothing else.
	For string
}

// Alter runs an altered tree. Nothing of it is kept: what it shows is no fact of any tree.
func (m *Measurer) Alter(ctx context.Context, tree gitx.ID, a Altered) (gates.Facts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.opts.Permit(); err != nil {
		return gates.Facts{}, err
	}
	return m.alter(ctx, tree, a, m.narrowed(a))
}

// Answer is Alter, but what was shown is on record for as long as the tree's facts are.
func (m *Measurer) Answer(ctx context.Context, tree gitx.ID, a Altered) (gates.Facts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, known, err := m.record(ctx, tree)
	if err != nil {
		return gates.Facts{}, err
	}
	argv := m.narrowed(a)
	file := m.store.file(tree, answerKey(&e, a, argv), answerExtension)
	var got gates.Facts
	if known && !m.opts.Anew && m.store.recall(file, &got) {
		return got, nil
	}
	got, err = m.alter(ctx, tree, a, argv)
	if err != nil || !known || !got.Finished() {
		return got, err
	}
	return got, m.store.keep(file, got)
}

// answerKey is the key of an answer, which changes when the facts of the tree are measured anew.
func answerKey(e *Entry, a Altered, argv []string) string {
	parts := []string{e.Key, e.Measured.String(), a.For, words(argv)}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		parts = append(parts, name, a.Files[name])
	}
	return digest("answer in a repository", parts...)
}

// narrowed is the command of the tests that are asked.
func (m *Measurer) narrowed(a Altered) []string {
	all := m.opts.Commands.Test
	if a.Tests != nil {
		if few := m.opts.Language.Narrowed(all, m.opts.Folder.Local(a.Tests)); few != nil {
			return few
		}
	}
	return all
}

func (m *Measurer) alter(ctx context.Context, tree gitx.ID, a Altered, argv []string) (gates.Facts, error) {
	m.altered++
	got, err := m.alterFor(ctx, tree, a, argv, a.Limit)
	if err != nil || got.Outcome != gates.Timeout || a.Longer == (Limit{}) || m.hangs[tree] {
		return got, err
	}
	got, err = m.alterFor(ctx, tree, a, argv, a.Longer)
	if err == nil && got.Outcome == gates.Timeout {
		m.hangs[tree] = true
	}
	return got, err
}

// alterFor is alter with a limit of its own.
func (m *Measurer) alterFor(ctx context.Context, tree gitx.ID, a Altered, argv []string, limit Limit) (gates.Facts, error) {
	if err := m.export(ctx, tree); err != nil {
		return gates.Facts{}, err
	}
	if err := m.workbench.replace(a.Files); err != nil {
		return gates.Facts{}, err
	}
	if err := m.workbench.resemble(); err != nil {
		return gates.Facts{}, err
	}
	req := m.request()
	req.Commands.Check, req.Commands.Test = nil, argv
	req.Altered, req.Phase = true, m.announcing(Doing{Tree: tree, Altered: true})
	if req.Alone = limit.Alone; limit.Any > 0 && (req.Commands.Timeout == 0 || limit.Any < req.Commands.Timeout) {
		req.Commands.Timeout = limit.Any
	}
	got, err := testrun.Measure(ctx, req)
	if err != nil {
		return gates.Facts{}, fmt.Errorf("measure what the tests of tree %s are worth: %w", tree.Short(), err)
	}
	return m.redacted(got).Facts, nil
}

// AlteredCount is how many altered trees were run, each counted once, also if it was given more time.
func (m *Measurer) AlteredCount() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.altered
}

// replace writes files over those of the tree; the next export sees that and writes them anew.
func (w *workbench) replace(files map[string]string) error {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer func() { _ = root.Close() }()
	for name, content := range files {
		perm := os.FileMode(0o600)
		if fi, err := root.Lstat(name); err == nil && fi.Mode().Perm()&0o100 != 0 {
			perm = 0o700
		}
		err := root.MkdirAll(path.Dir(name), 0o700)
		if err == nil {
			err = remove(root, name)
		}
		if err == nil {
			err = root.WriteFile(name, []byte(content), perm)
		}
		if err != nil {
			return fmt.Errorf("replace %s: %w", name, err)
		}
	}
	return nil
}

// resemble lets the workbench look like a checkout, until the next export: with a
// repository of its own, without a commit. What is measured plainly has none, so a test
// that checks nothing wherever there is a repository, or nothing wherever there is none, is
// seen by what it notices here.
func (w *workbench) resemble() error {
	if err := w.replace(map[string]string{
		".git/HEAD":   "ref: refs/heads/main\n",
		".git/config": "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n",
	}); err != nil {
		return err
	}
	for _, dir := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(w.Root, ".git", filepath.FromSlash(dir)), 0o700); err != nil {
			return fmt.Errorf("make a repository in the workbench: %w", err)
		}
	}
	return nil
}

// Graded is what the tests of a tree are worth.
type Graded struct {
	Grades map[string]gates.Grade `json:"grades"` // by the id of the test
	// Files are those whose tests were graded; nil if all were.
	Files []string `json:"files,omitempty"`
	// Hasty is set if they were graded while somebody waited, so that no more was asked than had to be.
	Hasty bool          `json:"hasty,omitempty"`
	Took  time.Duration `json:"took,omitempty"` // to grade them
}

// Grades is what is on record about the worth of a tree's tests.
func (m *Measurer) Grades(ctx context.Context, tree gitx.ID) (Graded, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, _, err := m.record(ctx, tree)
	if err != nil {
		return Graded{}, false
	}
	return m.KnownGrades(tree, e)
}

// KnownGrades is the same beside an entry. It runs nothing.
func (m *Measurer) KnownGrades(tree gitx.ID, e Entry) (g Graded, ok bool) {
	ok = m.store.recall(m.store.file(tree, e.Key, evidenceExtension), &g)
	return g, ok
}

// Cost is how long it took to find out what is on record of the worth of a tree's tests.
func (m *Measurer) Cost(tree gitx.ID, e Entry) time.Duration {
	graded, _ := m.KnownGrades(tree, e)
	took := graded.Took
	for _, name := range m.store.files(tree, answerExtension) {
		var answer gates.Facts
		if m.store.recall(name, &answer) {
			took += time.Duration(answer.DurationMS) * time.Millisecond
		}
	}
	return took
}

// KeepGrades puts on record what the tests of a tree are worth.
func (m *Measurer) KeepGrades(ctx context.Context, tree gitx.ID, g Graded) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, _, err := m.record(ctx, tree)
	if err != nil {
		return err
	}
	return m.store.keep(m.store.file(tree, e.Key, evidenceExtension), g)
}
