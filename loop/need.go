package loop

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// material is a file that a role could be shown.
type material struct {
	entry      gitx.Entry
	path, text string
	rank       int
	names      map[string]int  // that it declares, with their lines
	words      map[string]bool // of what needs it
	weight     float64         // of those that are chosen
	chosen     map[int]bool    // its declarations that are shown where not all are, by their first line
}

// need ranks files by how much a step needs them.
type need struct {
	*step
	places map[string][]int // lines of files that a failure names
	files  []*material
	spelt  map[string]bool // what the kata spells out as code, in words
}

// placePattern finds a place in a file, as compilers and stack traces write it, or how many
// tests a file has.
var placePattern = lazyregexp.New(`([\w@.+/\\-]+\.[A-Za-z]{1,5})["':,( ]+(?:line )?(\d+)(\s+tests?\b)?`)

// places are the lines of the project that the failing tests and their output name.
func (s *step) places() map[string][]int {
	out := map[string][]int{}
	for _, name := range s.failingFiles() {
		out[name] = nil
	}
	for _, t := range s.failing() {
		out[t.File] = append(out[t.File], t.Line)
	}
	for _, d := range s.before.Diagnostics {
		out[d.File] = append(out[d.File], d.Line)
	}
	byBase := map[string][]string{}
	for _, e := range s.project.Entries {
		byBase[path.Base(e.Path)] = append(byBase[path.Base(e.Path)], e.Path)
	}
	if s.before.Green() || len(out) == 0 && len(s.before.With(gates.StatusFailed)) > 0 {
		return out
	}
	_, unknown := out[""] // where tests that fail stand
	unknown = unknown || len(out) == 0
	for _, m := range placePattern().FindAllStringSubmatch(telling(s.runs), -1) {
		n, err := strconv.Atoi(m[2])
		name := said(m[1], byBase)
		if err != nil || m[3] != "" || name == "" {
			continue
		}
		lines, fails := out[name]
		if fails || unknown || s.project.Language.Kind(name) != gates.KindTest { // or it is only warned of
			out[name] = append(lines, n)
		}
	}
	return out
}

// said is the file of the project that an output names; empty if it is none, or might be several.
func said(name string, byBase map[string][]string) string {
	name = "/" + strings.ReplaceAll(name, `\`, "/")
	named := byBase[path.Base(name)]
	whole := slices.IndexFunc(named, func(own string) bool { return strings.HasSuffix(name, "/"+own) })
	switch {
	case whole >= 0:
		return named[whole]
	case len(named) == 1:
		return named[0]
	}
	return ""
}

// code is what a role may be shown, as far as paths tell the nearest first.
func (n *need) code() []*material {
	folders := map[string]bool{}
	for name := range n.places {
		folders[path.Dir(name)] = true
	}
	for name := range n.changed {
		folders[path.Dir(name)] = true
	}
	var code []*material
	for _, e := range n.project.Entries {
		kind := n.project.Language.Kind(e.Path)
		if neverShown(e) || !n.allows(e.Path) || kind == gates.KindOther && (n.plays != gates.Keeper || !n.editable(e.Path)) {
			continue
		}
		r := far
		if _, named := n.places[e.Path]; named {
			r = broken
		} else if ago, changed := n.changed[e.Path]; changed {
			r = touched + min(ago, beside-touched-1)
		} else if folders[path.Dir(e.Path)] {
			r = beside
		}
		code = append(code, &material{entry: e, path: e.Path, rank: r})
	}
	slices.SortStableFunc(code, n.order)
	return code
}

// ranked are the files, those that are needed most first: what the failing test, or the
// criterion, names, speaks of or imports, and then likewise what that needs.
func (n *need) ranked() []*material {
	n.name()
	about, importing := n.aim(), ""
	for _, m := range n.files {
		switch m.rank {
		case broken:
			about += cmp.Or(n.kept(m), m.text) // what the failure points to
			importing += m.text
		case spelled:
			importing += m.text
		}
	}
	about = cmp.Or(about, n.brief.LastDiff)
	aim := about
	for range 2 {
		words, imports := scan.Words(about), scan.Imports(importing)
		about, importing = "", ""
		for _, m := range n.files {
			if m.rank <= needed {
				continue
			}
			name := strings.ToLower(stem(m.path))
			m.words = words
			if m.speaksOf(words) || words[name] || imports[name] ||
				imports[path.Base(path.Dir(m.path))] && !n.test(m) || n.runs(m) {
				m.rank = needed
				about += n.kept(m)
				importing += m.text
			}
		}
	}
	n.sort(aim)
	return n.files
}

// sort puts the files first that are needed most, and of those alike the ones that may be edited
// and say most of what the step is about.
func (n *need) sort(aim string) {
	whole := n.project.Settings.LLM.MaxContext * bytesOfToken * 3 / 4
	room := whole
	for _, m := range n.files {
		if m.rank == broken && !n.editable(m.path) {
			room -= min(len(m.text), len(n.excerpt(m)))
		}
	}
	room = max(room, whole/4)
	n.choose(aim, room, room/2)
	for _, m := range n.files {
		switch {
		case m.rank > broken && m.chosen != nil && len(m.chosen) == 0:
			m.rank = max(m.rank, touched) // it has the words, and no declaration to show for them
		case m.rank == spelled:
			m.rank = needed // what has more to do with the step shows by its weight
		}
	}
	slices.SortStableFunc(n.files, func(a, b *material) int {
		return cmp.Or(n.order(a, b), cmp.Compare(b.weight, a.weight))
	})
}

// stem is the name of a file without what comes behind its first dot.
func stem(name string) string {
	before, _, _ := strings.Cut(path.Base(name), ".")
	return before
}

// order puts the nearer file first, and of those alike what the role may edit.
func (n *need) order(a, b *material) int {
	mine := map[bool]int{true: 0, false: 1}
	return cmp.Or(a.rank-b.rank, mine[n.editable(a.path)]-mine[n.editable(b.path)])
}

// aim is what the step is about, in words: what fails, or the criterion.
func (n *need) aim() string {
	var out strings.Builder
	for _, t := range n.failing() {
		out.WriteString(t.ID + "\n" + t.Message + "\n")
	}
	for _, d := range n.before.Diagnostics {
		out.WriteString(d.Symbol + "\n")
	}
	for _, c := range n.brief.Criteria {
		if n.plays == gates.Tester && !c.Whole {
			return out.String() + c.Text
		}
	}
	return strings.TrimSpace(out.String())
}

// kept are the declarations of a file whose names the step speaks of, or to which a
// failure points.
func (n *need) kept(m *material) string {
	var out strings.Builder
	for b := range scan.Blocks(m.text) {
		if n.pointsTo(m, b) || m.words[strings.ToLower(b.Name)] {
			out.WriteString(strings.Join(b.Lines, ""))
		}
	}
	return out.String()
}

// pointsTo reports whether a failure names a line of a declaration.
func (n *need) pointsTo(m *material, b scan.Block) bool {
	return slices.ContainsFunc(n.places[m.path], func(line int) bool { return line >= b.First && line < b.First+len(b.Lines) })
}

// speaksOf reports whether a file declares a name that is among some words.
func (m *material) speaksOf(words map[string]bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(m.names)), func(name string) bool { return words[strings.ToLower(name)] })
}

// excerpt is a file with the declarations whole that the step is about; empty if there are
// none, and the step does not name the file.
func (n *need) excerpt(m *material) string {
	kept := m.rank == broken
	text := scan.Excerpt(m.text, func(b scan.Block) bool {
		keep := m.chosen[b.First] || n.pointsTo(m, b)
		kept = kept || keep
		return keep
	})
	if !kept {
		return ""
	}
	return text
}
