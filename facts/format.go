package facts

import (
	"context"
	"fmt"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Format runs the format command on a tree and returns the edits that format the
// named files. What the command did to other files is dropped.
func (m *Measurer) Format(ctx context.Context, tree gitx.ID, paths []string) ([]gitx.TreeEdit, testrun.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.opts.Commands.Fmt) == 0 || len(paths) == 0 {
		return nil, testrun.Run{}, nil
	}
	if err := m.allowed(ctx, tree); err != nil {
		return nil, testrun.Run{}, err
	}
	before, err := m.workbench.Read(paths)
	if err != nil {
		return nil, testrun.Run{}, err
	}
	run, err := testrun.Format(ctx, m.request())
	if err != nil {
		return nil, run, fmt.Errorf("format tree %s: %w", tree.Short(), err)
	}
	after, err := m.workbench.Read(paths)
	if err != nil {
		return nil, run, err
	}
	var edits []gitx.TreeEdit
	for _, name := range paths {
		if content, ok := after[name]; ok && string(content) != string(before[name]) {
			edits = append(edits, gitx.TreeEdit{Path: name, Content: content})
		}
	}
	return edits, run, nil
}
