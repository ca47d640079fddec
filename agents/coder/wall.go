package coder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// Fence says what the walls around agents hide, and what agents find nevertheless.
type Fence struct {
	Top       string   // the user's checkout, from which relative paths of the settings lead
	Own       []string // hidden: it and its siblings, their repository, git-tdd's own folders
	Languages testrun.Languages
	Unwalled  func() // called where the system lets nobody build walls
}

// Changes lists what an agent may change besides its copy.
func Changes(a config.Agent, run presets.Run) []string {
	return slices.Concat(a.Write, gates.Each(run.Home, func(name string) string { return "~/" + name }))
}

// home is the user's home within walls, and otherwise one of the agent's own.
func (c *Coder) home() string {
	if c.fence != nil {
		return c.users()
	}
	return c.beside("home")
}

// beside is a path beside the copy.
func (c *Coder) beside(name string) string { return filepath.Join(c.place, ".agent-"+name) }

func (c *Coder) users() string { return testrun.LookupEnv(c.opts.Environ, "HOME") }

// begin runs a command. What it changes in caches and dependencies is lost.
func (c *Coder) begin(ctx context.Context, cmd sandbox.Command) (sandbox.Ending, error) {
	layers, err := os.MkdirTemp(c.place, ".agent-layers-")
	if err != nil {
		return sandbox.Ending{}, err
	}
	defer func() { _ = testrun.RemoveAll(layers) }() // it goes with the place at the latest
	if cmd.Mounts, err = c.mounts(layers); err != nil {
		return sandbox.Ending{}, err
	}
	if c.fence == nil {
		return sandbox.Run(ctx, cmd)
	}
	w := &testrun.Walls{
		Network: cmp.Or(sandbox.Network(c.opts.Agent.Network), sandbox.Host), Builds: layers,
		Own: slices.Concat(c.fence.Own, foreign()), Read: append(c.paths(c.run.Reads, c.opts.Agent.Read), c.beside("prompt.md")),
		Write: slices.Concat([]string{c.dir, c.beside("tmp")}, c.at, c.paths(c.run.Home, c.opts.Agent.Write)),
	}
	w.Around(&cmd, c.fence.Languages, filepath.Dir(c.program))
	return sandbox.Run(ctx, cmd)
}

// stands finds out what the agent's commands find in the copy, and where they find it.
func (c *Coder) stands(ctx context.Context, tree gitx.ID) (err error) {
	if !sandbox.Mounts(ctx, c.dir) {
		return nil
	}
	if c.deps, err = c.opts.Deps(ctx, tree); err != nil {
		return err
	}
	c.at = slices.DeleteFunc(c.opts.Repo.Places(), func(top string) bool { return gitx.Within(c.users(), top) || gitx.Within(c.dir, top) })
	return nil
}

// mounts show dependencies in the copy, and the copy where the project stands.
func (c *Coder) mounts(layers string) (out []sandbox.Mount, err error) {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	for i, name := range slices.Sorted(maps.Keys(c.deps)) {
		if sandbox.Mountpoint(root, name, c.deps[name]) != nil {
			continue // the agent put something in its place
		}
		out = append(out, sandbox.Mount{
			From: c.deps[name], At: filepath.Join(c.dir, filepath.FromSlash(name)), Layer: filepath.Join(layers, "dep", strconv.Itoa(i)),
		})
	}
	return append(out, gates.Each(c.at, func(top string) sandbox.Mount { return sandbox.Mount{From: c.dir, At: top} })...), nil
}

// paths are those of a preset, below the home, and those of the settings.
func (c *Coder) paths(preset, settings []string) []string {
	return slices.Concat(
		gates.Each(preset, func(name string) string { return filepath.Join(c.users(), name) }),
		gates.Each(settings, func(name string) string { return config.Outside(name, c.fence.Top, c.users()) }))
}

// foreign are top folders that no system makes: projects and data besides the homes.
func foreign() []string {
	const system = " bin boot dev etc gnu lib lib32 lib64 libx32 lost+found nix opt proc run sbin snap sys usr var "
	entries, _ := os.ReadDir("/") // what cannot be listed is not found either
	var out []string
	for _, e := range entries {
		if !e.Type().IsRegular() && !strings.Contains(system, " "+e.Name()+" ") {
			out = append(out, "/"+e.Name())
		}
	}
	return out
}

// makeHome makes what an agent declares of the user's home be there: within walls, the
// folders in it, as the agent's first start would make them; without, a home of its
// own that leads to them.
func (c *Coder) makeHome() error {
	if err := os.MkdirAll(c.beside("tmp"), 0o700); err != nil {
		return err
	}
	if c.fence == nil {
		return c.linkHome()
	}
	for _, name := range c.run.Home {
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(filepath.Join(c.users(), name), 0o700); err != nil {
				return fmt.Errorf("make the agent's folder: %w", err)
			}
		}
	}
	return nil
}

func (c *Coder) linkHome() error {
	if err := os.MkdirAll(c.home(), 0o700); err != nil {
		return err
	}
	for _, name := range slices.Concat(c.run.Home, c.run.Reads) {
		from, to := filepath.Join(c.users(), name), filepath.Join(c.home(), name)
		_, missing := os.Stat(from)
		if _, err := os.Lstat(to); missing != nil || err == nil { // it may lie in a folder that is there already
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Symlink(from, to)); err != nil {
			return fmt.Errorf("show the agent its settings: %w", err)
		}
	}
	return nil
}

// env is what programs need of the user's environment, what is named besides, and
// nothing that leads back to the user's repository. The copy's hooks of agents
// are silent: the history of the copy says nothing of whose turn it is.
func (c *Coder) env() []string {
	allowed := append([]string{"PATH", "LANG", "LC_ALL", "TERM", "TZ", "SHELL", "USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR"}, c.run.Env...)
	env := []string{"HOME=" + c.home(), "TMPDIR=" + c.beside("tmp"), "GIT_TDD=off", "NO_COLOR=1", "CI=1"}
	for _, kv := range c.opts.Environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(allowed, name) {
			env = append(env, kv)
		}
	}
	return env
}
