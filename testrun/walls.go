package testrun

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/sandbox"
)

// Walls say what commands may reach beside their project, its toolchain and its dependencies.
type Walls struct {
	By      sandbox.Means // empty: namespaces
	Network sandbox.Network
	Read    []string // absolute paths of folders and files that commands may read
	Write   []string // likewise, and change
	Own     []string // what is nobody's business wherever it lies: our own folders, the repository
	Builds  string   // a folder of our own for what builds leave in caches
}

// What commands within walls may use: more than tests need, less than would take a
// machine from its user.
const (
	mostProcesses = 8192
	largestFile   = 32 << 30 // bytes
)

// view is what commands see of the places where people keep what is theirs.
type view struct {
	hidden []string          // those places
	homes  []string          // folders in them in which programs of many kinds lie
	shown  []string          // what is seen of them
	links  map[string]string // symbolic links that lead there
	looked map[string]bool   // folders of programs that were looked at
}

// circumstances are what walls are built around.
type circumstances struct {
	env       []string // of the command
	declared  []string // of it, what the project declares
	languages Languages
	programs  []string // folders of programs besides those of PATH
	given     []string
	layer     string // a folder for what is lost
}

// walled adds the walls to a command, and the layers over caches.
func (s *Session) walled(c *sandbox.Command) {
	if s.Request.Walls == nil {
		return
	}
	g := circumstances{
		env: s.Env, declared: s.Request.Env, languages: s.Request.Languages,
		given: append([]string{s.tree, s.Request.Scratch}, s.Request.At...), layer: s.layer(),
	}
	for _, from := range s.Request.Deps {
		g.programs = append(g.programs, filepath.Join(from, "bin"))
	}
	s.Request.Walls.around(c, g)
	s.lastWalls = c.Walls
}

// Around builds walls around a command that is none of a project's own. It finds the programs
// of PATH, of the named folders and of the languages; changes to caches end up below Builds.
func (w *Walls) Around(c *sandbox.Command, languages Languages, programs ...string) {
	w.around(c, circumstances{env: c.Env, languages: languages, programs: programs, layer: filepath.Join(w.Builds, "lost")})
}

func (w *Walls) around(c *sandbox.Command, g circumstances) {
	home := g.value("HOME")
	v := newView(append([]string{home, os.TempDir(), "/home", "/root", "/tmp", "/var/tmp", "/run", "/var/run"}, w.Own...), home)
	v.find(g, w)
	given := slices.Concat(g.given, gates.Each(w.Write, v.reach))
	if w.By.Forbids() {
		given = w.forbid(c, g, v, given)
	} else {
		for _, m := range g.layers(w) {
			if m.At = v.reach(m.At); m.At != "" {
				m.From = m.At
				c.Mounts, given = append(c.Mounts, m), append(given, m.At)
			}
		}
	}
	given, v.shown = sortedOnce(given), sortedOnce(v.shown)
	maps.DeleteFunc(v.links, func(path, _ string) bool { // it is seen with the folder
		return slices.ContainsFunc(slices.Concat(given, v.shown), func(dir string) bool { return sandbox.Within(path, dir) })
	})
	c.Walls = &sandbox.Walls{
		By: w.By, Network: w.Network, Hidden: sortedOnce(v.hidden), Shown: v.shown, Given: given, Links: v.links,
		Limits: sandbox.Limits{Processes: mostProcesses, FileSize: largestFile},
	}
}

// value is a variable as the command sees it.
func (g circumstances) value(name string) string { return LookupEnv(g.env, name) }

// layers lie over the caches: what builds leave stays in a folder of ours, the rest is lost.
func (g circumstances) layers(w *Walls) []sandbox.Mount {
	kept := g.languages.folders(g.value, func(i Installation) Folders { return i.Builds })
	var out []sandbox.Mount
	for i, dir := range kept {
		if err := os.MkdirAll(dir, 0o700); err == nil { // the first build would make it
			out = append(out, sandbox.Mount{At: dir, Layer: filepath.Join(w.Builds, strconv.Itoa(i)), Stays: true})
		}
	}
	lost := g.languages.folders(g.value, func(i Installation) Folders { return i.Caches })
	for i, dir := range lost {
		if !slices.Contains(kept, dir) {
			out = append(out, sandbox.Mount{At: dir, Layer: filepath.Join(g.layer, "cache", strconv.Itoa(i))})
		}
	}
	return out
}

// layer is the folder for what the current command changes and should not.
func (s *Session) layer() string {
	return filepath.Join(s.Request.Scratch, scratchLayers, strconv.Itoa(s.started))
}

func newView(hidden []string, home string) *view {
	v := &view{links: map[string]string{}, looked: map[string]bool{}}
	for _, path := range hidden {
		if found, err := filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(found) && filepath.Dir(found) != found {
			v.hidden = append(v.hidden, found)
		}
	}
	v.homes = append(slices.Clone(v.hidden), v.reach(home), v.reach(filepath.Join(home, ".local")))
	return v
}

// find finds what commands need of what is hidden: their programs, what the languages
// know of their toolchains, what the project declares.
func (v *view) find(g circumstances, w *Walls) {
	if own, err := os.Executable(); err == nil {
		v.show(own) // it starts what tests
	}
	v.show("/etc/resolv.conf")
	for _, dir := range slices.Concat(filepath.SplitList(g.value("PATH")), g.programs) {
		v.programs(dir)
	}
	v.show(g.languages.folders(g.value, func(i Installation) Folders { return i.Sees })...)
	// Where version managers of many languages lie.
	v.show(FoldersOf("~/.asdf", "~/.tool-versions", "~/.local/share/mise", "~/.config/mise", "~/.nix-profile", "~/.local/state/nix", "~/.sdkman", "~/.volta")(g.value)...)
	for _, pair := range g.declared {
		_, list, _ := strings.Cut(pair, "=")
		v.show(filepath.SplitList(list)...)
	}
	v.show(w.Read...)
}

// show shows folders and files.
func (v *view) show(paths ...string) {
	for _, path := range paths {
		if at := v.reach(path); at != "" && v.hides(at) && !slices.Contains(v.homes, at) {
			v.shown = append(v.shown, at)
		}
	}
}

// programs shows a folder of programs with the installations that they belong to.
func (v *view) programs(dir string) {
	at := v.reach(dir)
	if at == "" || v.looked[at] || strings.HasPrefix(at, "/usr/") && !strings.HasPrefix(at, "/usr/local/") {
		return
	}
	v.looked[at] = true
	v.show(v.installation(at))
	entries, _ := os.ReadDir(at) // a folder that cannot be read has no programs
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			continue
		}
		if program := v.reach(filepath.Join(at, e.Name())); program != "" && v.hides(program) {
			v.programs(filepath.Dir(program))
		}
	}
}

// installation is what a folder of programs belongs to: a version manager, a folder of
// packages that need each other, or a prefix with libraries.
func (v *view) installation(programs string) string {
	const packages = "/node_modules"
	if above, _, ok := strings.Cut(programs+"/", packages+"/"); ok {
		return above + packages
	}
	prefix := filepath.Dir(programs)
	if slices.Contains(v.homes, prefix) {
		return programs
	}
	if _, err := os.Stat(filepath.Join(prefix, "lib")); err == nil || filepath.Base(programs) == "shims" {
		return prefix
	}
	return programs
}

// hides reports whether a path would not be seen.
func (v *view) hides(path string) bool {
	return slices.ContainsFunc(v.hidden, func(dir string) bool { return sandbox.Within(path, dir) })
}

// reach is a path without symbolic links; empty where there is nothing, or where it is
// not absolute. Links on the way that are hidden are noted.
func (v *view) reach(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	at, rest := "/", path
	for links := 0; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		next := filepath.Join(at, part)
		info, err := os.Lstat(next)
		if err != nil {
			return ""
		}
		if info.Mode()&os.ModeSymlink == 0 {
			at = next
			continue
		}
		to, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return ""
		}
		if v.hides(next) {
			v.links[next] = to
		}
		if rest = to + "/" + rest; filepath.IsAbs(to) {
			at = "/"
		}
	}
	return at
}

// maxLinks is how many symbolic links one path may lead through, as for the kernel.
const maxLinks = 40

// sortedOnce are the paths without empty ones and repetitions.
func sortedOnce(paths []string) []string {
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return path == "" })
}
