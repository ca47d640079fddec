package facts

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// export takes a workbench, puts the tree into it and prepares it.
func (m *Measurer) export(ctx context.Context, tree gitx.ID) error {
	if err := m.take(ctx); err != nil {
		return err
	}
	done := m.workbench.prepared()
	want := content{tree: tree, links: m.links, mounted: len(m.at) > 0, made: done.Made}
	if len(m.opts.Setup) == 0 {
		want.made = nil
	}
	if err := m.workbench.Export(ctx, m.opts.Repo, want); err != nil {
		return err
	}
	if err := m.leadsBack(); err != nil || len(m.opts.Setup) == 0 {
		return err
	}
	stamp, err := m.stamp(ctx, tree)
	if err != nil || done.Stamp == stamp && m.workbench.has(done.Made) {
		return err
	}
	if err := m.setUp(ctx); err != nil {
		return err
	}
	done = preparation{Stamp: stamp, Made: m.workbench.untracked()}
	data, _ := json.Marshal(done) // texts can be encoded
	if err := wholefile.Write(m.workbench.preparation(), data, 0o600); err != nil {
		return err
	}
	// The command may have changed files of the tree, for instance a lock file.
	want.made = done.Made
	return m.workbench.Export(ctx, m.opts.Repo, want)
}

// take takes a workbench, unless there is one already.
func (m *Measurer) take(ctx context.Context) error {
	if m.workbench != nil {
		return nil
	}
	w, err := takeWorkbench(m.opts.Dirs, m.opts.Repo, m.opts.Folder.Dir, m.opts.Language)
	if err != nil {
		return err
	}
	m.workbench = w
	if top := m.opts.Repo.Top; top != "" && !within(m.value("HOME"), top) && sandbox.Mounts(ctx, w.Root) {
		m.at = m.opts.Repo.Places() // commands can find the workbench there
	}
	m.contained(ctx)
	if !m.opts.Anew {
		return nil
	}
	return w.clear()
}

// preparation is what the setup command last did to a workbench.
type preparation struct {
	Stamp string   `json:"stamp"` // of its inputs
	Made  []string `json:"made"`  // paths that it made
}

// setUp runs the setup command.
func (m *Measurer) setUp(ctx context.Context) error {
	req := m.request()
	req.Folder = testrun.Folder{} // it prepares the whole tree
	if req.Walls != nil {
		req.Walls.Network = sandbox.Host // what it is for is most often a download
	}
	req.Commands.Fmt = m.opts.Setup
	run, err := testrun.Format(ctx, req)
	if err != nil {
		return fmt.Errorf("workbench.setup_cmd: %w", err)
	}
	if run.Exit != 0 || run.TimedOut {
		return fmt.Errorf("workbench.setup_cmd %q failed with exit %d; its last lines:\n%s", run.Argv, run.Exit, run.Output)
	}
	return nil
}

// stamp hashes the inputs of the setup command: itself, the toolchain, the configuration files.
func (m *Measurer) stamp(ctx context.Context, tree gitx.ID) (string, error) {
	toolchain, err := m.toolchain(ctx, tree)
	if err != nil {
		return "", err
	}
	parts := []string{words(m.opts.Setup), words(m.opts.Env), toolchain.Text}
	wrote := loadManifest(m.workbench.manifest()).all()
	for _, name := range slices.Sorted(maps.Keys(wrote)) {
		within, ok := m.opts.Folder.Within(name)
		if !ok {
			within = name
		}
		if m.opts.Language.Kind(within) == gates.KindConfig {
			parts = append(parts, name, string(wrote[name]))
		}
	}
	return digest("setup", parts...), nil
}

func (w *workbench) preparation() string { return filepath.Join(w.dir, "setup.json") }

// prepared reads what the setup command did; a damaged record counts as none.
func (w *workbench) prepared() preparation {
	data, _ := wholefile.Read(w.preparation())
	var p preparation
	if json.Unmarshal(data, &p) != nil {
		return preparation{}
	}
	return p
}

func (w *workbench) has(paths []string) bool {
	return !slices.ContainsFunc(paths, func(name string) bool {
		_, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(name)))
		return err != nil
	})
}

// untracked lists what is in the workbench but neither belongs to the tree nor
// is linked. A folder with nothing of the tree in it is listed as a whole.
func (w *workbench) untracked() []string {
	known := map[string]bool{".": true}
	know := func(name string) {
		for ; !known[name]; name = path.Dir(name) {
			known[name] = true
		}
	}
	for name := range loadManifest(w.manifest()).all() {
		know(name)
	}
	for name := range w.links {
		know(name)
	}
	var out []string
	_ = fs.WalkDir(os.DirFS(w.Root), ".", func(name string, d fs.DirEntry, _ error) error { // what cannot be read is not listed
		if d == nil || known[name] {
			return nil
		}
		if out = append(out, name); d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return out
}

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
