package facts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// version asks the toolchain who it is, in a folder that holds only the files
// by which the tree chooses a toolchain.
func (m *Measurer) version(ctx context.Context, tree gitx.ID) (string, error) {
	dir, err := os.MkdirTemp("", "git-tdd-version-")
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, name := range m.opts.Language.VersionFiles {
		content, ok, err := m.opts.Repo.Text(ctx, tree, name)
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", fmt.Errorf("copy %s: %w", name, err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return "", fmt.Errorf("copy %s: %w", name, err)
		}
	}
	version, err := testrun.Versions(ctx, testrun.Request{
		Dir: dir, Scratch: dir, Language: m.opts.Language, Commands: m.opts.Commands,
		Env: m.opts.Env, Environ: m.opts.Environ,
	})
	if err != nil {
		return "", fmt.Errorf("ask the toolchain for its version: %w", err)
	}
	return version, nil
}

// setUp runs the setup command where its inputs have changed since it last
// succeeded here: the command itself, or the project's configuration files.
func (m *Measurer) setUp(ctx context.Context) error {
	if len(m.opts.Setup) == 0 {
		return nil
	}
	stamp := m.stamp()
	name := filepath.Join(m.bench.dir, "setup")
	if done, err := os.ReadFile(name); err == nil && string(done) == stamp {
		return nil
	}
	req := m.request()
	req.Commands.Fmt = m.opts.Setup
	run, err := testrun.Format(ctx, req)
	if err != nil {
		return fmt.Errorf("workbench.setup_cmd: %w", err)
	}
	if run.Exit != 0 || run.TimedOut {
		return fmt.Errorf("workbench.setup_cmd %q failed with exit %d; its last lines:\n%s", run.Argv, run.Exit, run.Output)
	}
	return writeAtomic(name, []byte(stamp))
}

// stamp hashes the inputs of the setup command.
func (m *Measurer) stamp() string {
	parts := []string{words(m.opts.Setup), m.toolchain}
	wrote := loadManifest(m.bench.manifest())
	for _, name := range sortedNames(wrote) {
		if m.opts.Language.Kind(name) == gates.KindConfig {
			parts = append(parts, name, string(wrote[name].ID))
		}
	}
	return digest("setup", parts...)
}

func sortedNames(m manifest) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	return sorted(names)
}
