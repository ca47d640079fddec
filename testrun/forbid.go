package testrun

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/sandbox"
)

// forbid builds walls around a command that forbid what they cannot hide. Programs take
// a file that is not there better than one that is forbidden, and write into their
// user's home, so the command gets a home of its own, which leads to what is shown of
// the user's. No layer can be had over a cache: it is read-only, and what builds leave
// there goes into a folder of ours, to which the variable leads that names the cache.
func (w *Walls) forbid(c *sandbox.Command, g grounds, v *sight) {
	home := privateHome{own: filepath.Join(g.layer, "home"), real: sortedOnce([]string{g.value("HOME"), v.reach(g.value("HOME"))})}
	given := append(slices.Clone(g.given), home.own)
	builds := map[string]string{}
	for i, dir := range g.languages.folders(g.value, func(i Installation) Folders { return i.Builds }) {
		ours := filepath.Join(w.Builds, "own", strconv.Itoa(i))
		if os.MkdirAll(ours, 0o700) == nil { // else the first build complains
			builds[dir], given = ours, append(given, ours)
		}
	}
	for _, dir := range g.languages.folders(g.value, func(i Installation) Folders { return i.Caches }) {
		v.show(dir)
	}
	for _, path := range w.Write {
		given = append(given, v.reach(path))
	}
	home.make(v, sortedOnce(slices.Concat(given, v.shown)), builds)
	c.Env = slices.Clone(c.Env)
	for i, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		if ours := builds[value]; ours != "" {
			c.Env[i] = name + "=" + ours
		} else if name == "HOME" {
			c.Env[i] = name + "=" + home.own
		}
	}
	if w.By == sandbox.Landlock {
		v.hidden = append(v.hidden, "/dev")
	}
	for _, path := range devices() {
		given = append(given, v.reach(path))
	}
	c.Walls = &sandbox.Walls{
		By: w.By, Network: w.Network, Hidden: sortedOnce(v.hidden), Shown: sortedOnce(v.shown), Given: sortedOnce(given),
		Limits: sandbox.Limits{Processes: mostProcesses, FileSize: largestFile},
	}
}

// devices are those that every program may use.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"}
}

// privateHome is a home of a command's own.
type privateHome struct {
	own  string
	real []string // the paths of the user's
}

// make makes the home, with links to what may be seen of the user's. What cannot be
// made is missing, as anything of a home may be.
func (h privateHome) make(v *sight, seen []string, builds map[string]string) {
	_ = os.MkdirAll(h.own, 0o700)
	for path, ours := range builds {
		h.link(path, ours)
	}
	for _, path := range seen {
		h.link(path, path)
	}
	for path := range v.links {
		h.link(path, path)
	}
}

// link has a path of the user's home lead somewhere in the command's, but not where it
// lies in what leads elsewhere already.
func (h privateHome) link(path, to string) {
	root, err := os.OpenRoot(h.own)
	if err != nil {
		return
	}
	defer root.Close() //nolint:errcheck // nothing was written
	for _, home := range h.real {
		if rest, ok := strings.CutPrefix(path, home+"/"); ok && root.MkdirAll(filepath.Dir(rest), 0o700) == nil {
			_ = root.Symlink(to, rest)
		}
	}
}
