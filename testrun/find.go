package testrun

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Found is a folder that a language's marker shows to be a project.
type Found struct {
	Dir      string // empty: the root
	Language Language
	By       string // the path of the marker
	Tested   bool   // it has tests of its own
}

// In is the part of some sources that lies in a folder, with the paths that they
// have there.
func (p Sources) In(f Folder) Sources {
	out := Sources{Read: func(name string) string { return p.Read(f.Path(name)) }}
	for _, name := range p.Paths {
		if within, ok := f.Within(name); ok {
			out.Paths = append(out.Paths, within)
		}
	}
	return out
}

// Has reports whether there is a file of one of some names.
func (p Sources) Has(names ...string) bool {
	return slices.ContainsFunc(p.Paths, func(path string) bool { return slices.Contains(names, path) })
}

// Find lists the projects of a tree, those with tests first, one a folder. What an
// outer project of the same language runs by itself is a part of that one; what lies
// among samples, test data and dependencies is no project of this tree.
func (all Languages) Find(p Sources) []Found {
	var found []Found
	for _, l := range all {
		for _, f := range l.marks(p) {
			if at := slices.IndexFunc(found, func(o Found) bool { return o.Dir == f.Dir }); at < 0 {
				found = append(found, f)
			} else if o := found[at]; !o.Language.has(p, o.Dir, found) && l.has(p, f.Dir, found) {
				found[at] = f
			}
		}
	}
	for i := range found {
		found[i].Tested = found[i].Language.has(p, found[i].Dir, found)
	}
	slices.SortStableFunc(found, func(a, b Found) int {
		if a.Tested != b.Tested {
			if a.Tested {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Dir, b.Dir)
	})
	return found
}

// marks lists the folders with a marker of the language that no outer one covers.
func (l Language) marks(p Sources) []Found {
	var out []Found
	byDepth := slices.Clone(p.Paths)
	slices.SortStableFunc(byDepth, func(a, b string) int { return depth(a) - depth(b) })
	for _, name := range byDepth {
		dir, ok := l.rootBy(p, name)
		if !ok || slices.ContainsFunc(out, func(f Found) bool { return f.Dir == dir || l.covers(p, f.Dir, dir) }) {
			continue
		}
		out = append(out, Found{Dir: dir, Language: l, By: name})
	}
	return out
}

// rootBy is the folder of the project that a file marks.
func (l Language) rootBy(p Sources, name string) (dir string, ok bool) {
	base := path.Base(name)
	if dir = path.Dir(name); dir == "." {
		dir = ""
	}
	is := func(markers []string) bool {
		return slices.Contains(markers, base) || slices.Contains(markers, "*"+path.Ext(base))
	}
	switch {
	case is(l.TestMarkers):
		dir = beforeTests(dir)
	case !is(l.Markers):
		return "", false
	}
	if l.Beside != "" && !p.Has(path.Join(dir, l.Beside)) {
		return "", false
	}
	return dir, !aside(dir)
}

// beforeTests is what of a folder comes before the first that holds tests.
func beforeTests(dir string) string {
	var kept []string
	for part := range strings.SplitSeq(dir, "/") {
		if slices.Contains([]string{"test", "tests", "spec"}, part) {
			break
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, "/")
}

// aside reports whether a folder lies where projects are that are none of the
// tree's own: samples, test data, dependencies, build output.
func aside(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") || slices.Contains([]string{
			"test", "tests", "spec", "testdata", "fixtures", "fixture", "example", "examples", "sample", "samples", "demo", "demos",
			"template", "templates", "scaffold", "node_modules", "vendor", "third_party", "target", "build", "dist", "fuzz",
			"docs", "doc", "bench", "benches", "benchmark", "benchmarks",
		}, strings.ToLower(part))
	})
}

// covers reports whether the project in one folder runs the tests of another inside
// it.
func (l Language) covers(p Sources, outer, inner string) bool {
	within, ok := Folder{Dir: outer}.Within(inner)
	if !ok {
		return false
	}
	return l.Covers == nil || l.Covers(p.In(Folder{Dir: outer}), within)
}

// has reports whether a folder has tests of the language, but for those of other
// projects inside.
func (l Language) has(p Sources, dir string, others []Found) bool {
	f := Folder{Dir: dir}
	for _, o := range others {
		if o.Dir != dir && (dir == "" || strings.HasPrefix(o.Dir, dir+"/")) {
			f.Inner = append(f.Inner, o.Dir)
		}
	}
	own := p.In(f)
	return slices.ContainsFunc(own.Paths, func(name string) bool {
		if l.Foreign(name) {
			return false
		}
		kind := l.Kind(name)
		if kind == gates.KindSource && l.Inline() {
			_, test := l.Split(name, []byte(own.Read(name)))
			return test != ""
		}
		return kind == gates.KindTest
	})
}
