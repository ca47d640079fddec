package facts

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
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

// contained finds out, once, what the walls around commands are made of; empty if there are none.
func (m *Measurer) contained(ctx context.Context) sandbox.Means {
	if m.means == nil {
		m.means = new(sandbox.Means)
		if m.opts.Contain != Free {
			offer := sandbox.Offered(ctx)
			if *m.means = offer.Means; offer.Means != sandbox.Namespaces && m.opts.Weaker != nil {
				m.opts.Weaker(offer)
			}
		}
	}
	return *m.means
}

// within are the walls of the next command; nil if there are none.
func (m *Measurer) within() *testrun.Walls {
	if *m.means == "" {
		return nil
	}
	w := m.opts.Walls
	w.By = *m.means
	w.Builds = m.workbench.builds()
	w.Own = append([]string{m.opts.Dirs.Cache, m.opts.Dirs.State, m.opts.Repo.CommonDir, m.opts.Repo.GitDir}, w.Own...)
	if w.By.Forbids() { // the workbench does not lie over the working trees
		w.Own = append(append(w.Own, m.opts.Repo.Top), m.opts.Repo.Siblings()...)
		w.Read = slices.AppendSeq(slices.Clone(w.Read), maps.Values(m.workbench.links))
	}
	return &w
}

// builds is the folder for what builds leave in caches.
func (w *workbench) builds() string { return filepath.Join(w.dir, "builds") }

// walledKey is the key of facts measured within walls, made of that of facts measured without.
// Each means has its own: within walls that forbid, a test has another home, meets refusals,
// and reaches no server of its own.
func (m *Measurer) walledKey(base string, means sandbox.Means) string {
	w := m.opts.Walls
	parts := []string{base, string(w.Network), ordered(w.Read), ordered(w.Write)}
	if means != sandbox.Namespaces {
		parts = append(parts, string(means))
	}
	return digest("within walls", parts...)
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
		keys = append(append(keys, e.base), gates.Each(sandbox.AllMeans(), func(means sandbox.Means) string { return m.walledKey(e.base, means) })...)
	}
	for _, key := range keys {
		if kept, ok := m.store.load(tree, key, entryExtension); ok {
			kept.otherwise = key != e.Key
			return kept, true, nil
		}
	}
	if m.opts.Carried {
		if kept, ok := m.store.load(tree, e.Key, carriedExtension); ok {
			return kept, true, nil
		}
	}
	return e, false, nil
}
