package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// access is what a command may do with a folder or a file.
type access int

const (
	hidden access = iota
	shown
	given
)

// rule allows something of a folder with all that is in it, or of a file.
type rule struct {
	path   string
	access access
}

// rules say what walls allow that cannot hide: everything but what is hidden, and in that what
// is shown and given. The nearest rule above a path decides. No rule can take away what another
// allows, so a folder that is not all alike is allowed by its entries, which list names without
// links: what they lead to has its own rule.
func (w *Walls) rules(list func(folder string) []string) []rule {
	p := planner{marks: map[string]access{}, list: list}
	for _, part := range []struct {
		paths []string
		access
	}{{w.Hidden, hidden}, {w.Shown, shown}, {w.Given, given}} {
		for _, path := range part.paths {
			p.marks[filepath.Clean(path)] = part.access
		}
	}
	p.walk("/", shown)
	slices.SortFunc(p.rules, func(a, b rule) int { return strings.Compare(a.path, b.path) })
	return slices.Compact(p.rules)
}

// planner makes rules.
type planner struct {
	marks map[string]access
	list  func(folder string) []string
	rules []rule
}

// walk allows what is allowed of a path for which a rule from above holds.
func (p *planner) walk(path string, above access) {
	now := above
	if mark, ok := p.marks[path]; ok {
		now = mark
	}
	least := now
	var more []string
	for mark, access := range p.marks {
		if strings.HasPrefix(mark, strings.TrimSuffix(path, "/")+"/") && mark != path {
			if least = min(least, access); access > now {
				more = append(more, mark)
			}
		}
	}
	if least != hidden {
		p.rules = append(p.rules, rule{path, least}) // at least that holds for all of it
	}
	if least < now {
		for _, name := range p.list(path) {
			p.walk(filepath.Join(path, name), now)
		}
		return
	}
	for _, mark := range more {
		p.walk(mark, now)
	}
}

// entries lists what is in a folder, but no links.
func entries(folder string) []string {
	found, _ := os.ReadDir(folder) // what cannot be listed is not allowed
	var out []string
	for _, e := range found {
		if e.Type()&os.ModeSymlink == 0 {
			out = append(out, e.Name())
		}
	}
	return out
}
