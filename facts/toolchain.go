package facts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// toolchain is what the toolchain that a tree chooses says of itself. To ask costs every hook 24 ms
// for Go, 100 ms for Rust, 200 ms for Python behind pyenv or for npm, so the answer is kept under a
// fingerprint of all that decides it. If there is none, or no answer, each process asks once.
func (m *Measurer) toolchain(ctx context.Context, tree gitx.ID) (testrun.Toolchain, error) {
	files, err := m.versionFiles(ctx, tree)
	if err != nil {
		return testrun.Toolchain{}, err
	}
	if len(m.opts.Language.Tools) == 0 {
		return testrun.Toolchain{Text: m.programs() + fmt.Sprintf("%q", files)}, nil
	}
	mark, complete := m.fingerprint(files)
	name := filepath.Join(m.opts.Dirs.Cache, "toolchain", mark)
	var version testrun.Toolchain
	if complete && m.store.recall(name, &version.Text) {
		return version, nil
	}
	if known, ok := m.asked[mark]; ok {
		return known, nil
	}
	if version, err = m.ask(ctx, files); err != nil {
		return version, err
	}
	m.asked[mark] = version
	// A version manager may have installed what it was asked for.
	if now, _ := m.fingerprint(files); !complete || len(version.Failed) > 0 || now != mark {
		return version, nil
	}
	return version, m.store.keep(name, version.Text)
}

// programs describes the files that the commands would run, without running any: the toolchain of a
// language without tools. The project's own count by name.
func (m *Measurer) programs() string {
	var out strings.Builder
	c := m.opts.Commands
	for _, argv := range [][]string{c.Fmt, c.Check, c.Test} {
		if len(argv) > 0 {
			path := m.locate(argv[0])
			fmt.Fprintf(&out, "%s: %s %s\n", argv[0], path, ageOf(path))
		}
	}
	return out.String()
}

// versionFiles reads the files by which a tree chooses a toolchain, if it has them.
func (m *Measurer) versionFiles(ctx context.Context, tree gitx.ID) (map[string]string, error) {
	files := map[string]string{}
	for _, name := range m.opts.Folder.Up(m.opts.Language.VersionFiles) {
		content, ok, err := m.opts.Repo.Text(ctx, tree, name)
		if err != nil {
			return nil, err
		}
		if ok {
			files[name] = string(content)
		}
	}
	return files, nil
}

// ask runs the toolchain among the files that choose it alone, with the same parents as the workbench.
func (m *Measurer) ask(ctx context.Context, files map[string]string) (version testrun.Toolchain, err error) {
	req := m.basics()
	err = os.MkdirAll(m.opts.Dirs.Cache, 0o700)
	if err == nil {
		req.Scratch, err = os.MkdirTemp(m.opts.Dirs.Cache, "version-")
	}
	if err != nil {
		return version, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(req.Scratch) }()
	req.Dir = filepath.Join(req.Scratch, "tree")
	if err := os.MkdirAll(filepath.Join(req.Dir, filepath.FromSlash(m.opts.Folder.Dir)), 0o700); err != nil {
		return version, fmt.Errorf("make a temporary folder: %w", err)
	}
	if err := (&workbench{Root: req.Dir}).replace(files); err != nil {
		return version, err
	}
	if version, err = testrun.Versions(ctx, req); err != nil {
		return version, fmt.Errorf("ask the toolchain for its version: %w", err)
	}
	return version, nil
}
