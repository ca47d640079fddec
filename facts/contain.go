package facts

import (
	"context"
	"path/filepath"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/box"
)

// Contain says whether commands run within walls, and which facts on record count: a
// test that needs what walls keep from it shows otherwise without them.
type Contain string

// The containments.
const (
	Free     Contain = ""         // without walls; all facts on record count
	Within   Contain = "within"   // within walls; all facts on record count, whoever measured them here
	Strictly Contain = "strictly" // within walls; only what was measured within the same ones counts
)

// contained finds out, once, whether commands run within walls.
func (m *Measurer) contained(ctx context.Context) bool {
	if m.walls == nil {
		m.walls = new(m.opts.Contain != Free && box.Walled(ctx))
		if m.opts.Contain != Free && !*m.walls && m.opts.Unwalled != nil {
			m.opts.Unwalled()
		}
	}
	return *m.walls
}

// within are the walls of the next command; nil if there are none.
func (m *Measurer) within() *testrun.Walls {
	if m.walls == nil || !*m.walls {
		return nil
	}
	w := m.opts.Walls
	w.Builds = m.workbench.builds()
	w.Own = append([]string{m.opts.Dirs.Cache, m.opts.Dirs.State, m.opts.Repo.CommonDir, m.opts.Repo.GitDir}, w.Own...)
	return &w
}

// builds is the folder for what builds leave in caches.
func (w *workbench) builds() string { return filepath.Join(w.dir, "builds") }

// walledKey is the key of facts that were measured within walls, made of that of facts
// that were measured without.
func (m *Measurer) walledKey(base string) string {
	w := m.opts.Walls
	return digest("within walls", base, string(w.Network), words(sorted(w.Read)), words(sorted(w.Write)))
}

// record is the entry of a tree as it may be on record: under a key of its own, or, if
// walls do not matter, under that of facts measured otherwise.
func (m *Measurer) record(ctx context.Context, tree gitx.ID) (Entry, bool, error) {
	e, err := m.blank(ctx, tree)
	if err != nil {
		return e, false, err
	}
	keys := []string{e.Key}
	if m.opts.Contain != Strictly {
		keys = append(keys, e.base, m.walledKey(e.base))
	}
	for _, key := range keys {
		if kept, ok := m.store.load(tree, key); ok {
			kept.otherwise = key != e.Key
			return kept, true, nil
		}
	}
	if m.opts.Carried {
		if kept, ok := m.store.carried(tree, e.Key); ok {
			return kept, true, nil
		}
	}
	return e, false, nil
}
