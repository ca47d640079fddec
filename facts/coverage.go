package facts

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Cover returns the facts of a tree with their line coverage, kept or measured now. Coverage
// has a run of its own, so that instrumentation affects no verdict; if that run gives other
// verdicts, it is unknown, and not kept.
func (m *Measurer) Cover(ctx context.Context, tree gitx.ID) (testrun.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, err := m.entry(ctx, tree)
	if err != nil {
		return e.Result, err
	}
	file := m.store.file(tree, e.Key, coverageExtension)
	var kept gates.Coverage
	if !m.opts.Anew && m.store.recall(file, &kept) {
		e.Result.Facts.Coverage = &kept
		return e.Result, nil
	}
	if err := m.export(ctx, tree); err != nil {
		return e.Result, err
	}
	got, err := testrun.Cover(ctx, m.request())
	if err != nil {
		return e.Result, fmt.Errorf("measure the coverage of tree %s: %w", tree.Short(), err)
	}
	got.Facts.Check = e.Result.Facts.Check // the check was not run again
	found := *got.Facts.Coverage
	if differ := disagreements(e.Result.Facts, got.Facts); found.Unknown == "" && len(differ) > 0 {
		found = gates.Coverage{Unknown: "with coverage switched on these do not end as they do without: " + strings.Join(differ[:min(len(differ), 3)], ", ")}
	}
	e.Result.Facts.Coverage = &found
	if found.Unknown != "" {
		return e.Result, nil
	}
	return e.Result, m.store.keep(file, found)
}

// Covered is the coverage of a test command. It is not kept.
func (m *Measurer) Covered(ctx context.Context, tree gitx.ID, argv []string) (gates.Coverage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.allowed(ctx, tree); err != nil {
		return gates.Coverage{}, err
	}
	req := m.request()
	req.Commands.Test = argv
	got, err := testrun.Cover(ctx, req)
	if err != nil {
		return gates.Coverage{}, fmt.Errorf("measure what %q reaches in tree %s: %w", argv, tree.Short(), err)
	}
	return *got.Facts.Coverage, nil
}
