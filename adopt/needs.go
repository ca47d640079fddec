package adopt

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// maxRead is how many files of a project are searched for the folders of others.
const maxRead = 5000

// Reads lists the folders of other projects that one seems to need, and those that
// these need in turn: by a relative path in a file, or as the language's manifests
// name them. It is a guess, to be written into a configuration that somebody reads.
func Reads(p testrun.Sources, all []Found) map[string][]string {
	direct := map[string][]string{}
	for _, f := range all {
		direct[f.Dir] = f.needs(p, all)
	}
	out := map[string][]string{}
	for _, f := range all {
		reached := slices.Clone(direct[f.Dir])
		for i := 0; i < len(reached); i++ {
			for _, further := range direct[reached[i]] {
				if further != f.Dir && !slices.Contains(reached, further) {
					reached = append(reached, further)
				}
			}
		}
		slices.Sort(reached)
		out[f.Dir] = reached
	}
	return out
}

// needs are the projects that one names itself.
func (f Found) needs(p testrun.Sources, all []Found) []string {
	var others []string
	for _, o := range all {
		if o.Dir != f.Dir && o.Dir != "" && !strings.HasPrefix(f.Dir, o.Dir+"/") {
			others = append(others, o.Dir)
		}
	}
	var out []string
	if f.Language.Needs != nil && len(others) > 0 {
		out = f.Language.Needs(p, f.Dir, others)
	}
	own := testrun.Folder{Dir: f.Dir, Inner: others}
	read := 0
	for _, name := range p.Paths {
		within, ok := own.Within(name)
		if !ok || f.Language.Kind(within) == gates.KindOther || f.Language.Foreign(within) || read == maxRead || len(others) == 0 {
			continue
		}
		read++
		text := p.Read(name)
		out = append(out, slices.DeleteFunc(slices.Clone(others), func(o string) bool { return !mentions(text, relative(path.Dir(name), o)) })...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// relative is the path from one folder of a tree to another.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	if from == "." {
		a = nil
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)) + strings.Join(b, "/")
}

// mentions reports whether a text names a path that leads through another folder.
func mentions(text, name string) bool {
	for {
		before, after, ok := strings.Cut(text, name)
		if !ok {
			return false
		}
		if (after == "" || !testrun.InName(after[0])) && (before == "" || !testrun.InName(before[len(before)-1]) && before[len(before)-1] != '/') {
			return true
		}
		text = after
	}
}
