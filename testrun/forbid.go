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

// forbid builds walls that forbid what they cannot hide. Programs take a missing file better
// than a forbidden one, and write into the home, so the command gets a home of its own with
// links to what is shown. There is no layer over a cache: it is read-only, and what builds
// leave goes into a folder of ours, to which the cache's variable leads. What the command is
// given becomes more by that.
func (w *Walls) forbid(c *sandbox.Command, g circumstances, v *view, given []string) []string {
	home, users := filepath.Join(g.layer, "home"), sortedOnce([]string{g.value("HOME"), v.reach(g.value("HOME"))})
	given = append(given, home)
	builds := map[string]string{}
	for i, dir := range g.languages.folders(g.value, func(i Installation) Folders { return i.Builds }) {
		ours := filepath.Join(w.Builds, "own", strconv.Itoa(i))
		if os.MkdirAll(ours, 0o700) == nil { // else the first build complains
			builds[dir], given = ours, append(given, ours)
		}
	}
	v.show(g.languages.folders(g.value, func(i Installation) Folders { return i.Caches })...)
	v.makeHome(home, users, sortedOnce(slices.Concat(given, v.shown)), builds)
	c.Env = slices.Clone(c.Env)
	for i, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		if ours := builds[value]; ours != "" {
			c.Env[i] = name + "=" + ours
		} else if name == "HOME" {
			c.Env[i] = name + "=" + home
		}
	}
	if w.By == sandbox.Landlock {
		v.hidden = append(v.hidden, "/dev")
	}
	devices := []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"} // that every program may use
	return append(given, gates.Each(devices, v.reach)...)
}

// makeHome makes a home of a command's own, with links to what may be seen of the user's, which
// lies at some paths, as far as it can. What a link covers needs none.
func (v *view) makeHome(own string, users, seen []string, builds map[string]string) {
	_ = os.MkdirAll(own, 0o700)
	root, err := os.OpenRoot(own)
	if err != nil {
		return
	}
	defer root.Close() //nolint:errcheck // nothing was written
	link := func(path, to string) {
		for _, home := range users {
			if rest, ok := strings.CutPrefix(path, home+"/"); ok && root.MkdirAll(filepath.Dir(rest), 0o700) == nil {
				_ = root.Symlink(to, rest)
			}
		}
	}
	for path, ours := range builds {
		link(path, ours)
	}
	for _, path := range slices.AppendSeq(slices.Clone(seen), maps.Keys(v.links)) {
		link(path, path)
	}
}
