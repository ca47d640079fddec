package coder

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/presets"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/box"
)

// Fence says what walls around agents keep from them, wherever it lies, and what they
// find nevertheless.
type Fence struct {
	Top       string   // the user's checkout, from which relative paths of the settings lead
	Own       []string // hidden: it and its siblings, their repository, git-tdd's own folders
	Languages testrun.Languages
	Unwalled  func() // called where the system lets nobody build walls; may be nil
}

// Changes lists what an agent may change besides its copy.
func Changes(a config.Agent, run presets.Run) []string {
	out := slices.Clone(a.Write)
	for _, name := range run.Home {
		out = append(out, "~/"+name)
	}
	return out
}

// bounds are what the commands of one agent may reach.
type bounds struct {
	fence   *Fence // nil: everything
	environ []string
	place   string // what is ours and lies beside what is theirs
	dir     string // theirs to change
	agent   config.Agent
	run     presets.Run
	program string
	asked   bool // it is only asked what it is, and changes nothing
}

// within puts walls around the commands, if the system lets it.
func (b *bounds) within(ctx context.Context) {
	if b.fence == nil || box.Walled(ctx) {
		return
	}
	if b.fence.Unwalled != nil {
		b.fence.Unwalled()
	}
	b.fence = nil
}

// home is the user's home within walls, where little of it is to be seen, and
// otherwise one of the agent's own.
func (b *bounds) home() string {
	if b.fence != nil {
		return b.users()
	}
	return b.beside("home")
}

// beside is a path beside the copy.
func (b *bounds) beside(name string) string { return filepath.Join(b.place, ".agent-"+name) }

// users is the user's home.
func (b *bounds) users() string { return testrun.LookupEnv(b.environ, "HOME") }

// start runs a command. What it changes in caches is lost.
func (b *bounds) start(ctx context.Context, c box.Command) (box.Ending, error) {
	if b.fence == nil {
		return box.Run(ctx, c)
	}
	layers, err := os.MkdirTemp(b.place, ".agent-layers-")
	if err != nil {
		return box.Ending{}, err
	}
	defer func() { _ = testrun.RemoveAll(layers) }() // it goes with the place at the latest
	w := &testrun.Walls{
		Network: box.Network(b.agent.Network), Builds: layers,
		Own: slices.Concat(b.fence.Own, foreign()), Read: append(b.paths(b.run.Reads, b.agent.Read), b.beside("prompt.md"), b.beside("input")),
		Write: []string{b.dir, b.temporary()},
	}
	if w.Network == "" {
		w.Network = box.Host
	}
	if settings := b.paths(b.run.Home, b.agent.Write); b.asked {
		w.Read = append(w.Read, settings...)
	} else {
		w.Write = append(w.Write, settings...)
	}
	w.Around(&c, b.fence.Languages, filepath.Dir(b.program))
	return box.Run(ctx, c)
}

// paths are those of a preset, below the home, and those of the settings.
func (b *bounds) paths(preset, settings []string) []string {
	var out []string
	for _, name := range preset {
		out = append(out, filepath.Join(b.users(), name))
	}
	for _, name := range settings {
		out = append(out, config.Outside(name, b.fence.Top, b.users()))
	}
	return out
}

// foreign are the folders at the top of the file system that no system puts there:
// where people keep projects and data besides their homes.
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
