package testrun

import (
	"path"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Folder is where a project stands in its tree. The zero value is the whole tree,
// whose paths and ids are as the project's runners give them.
type Folder struct {
	Dir   string   // slash-separated, relative to the root; empty: the root
	Inner []string // folders of other projects that lie in it, by the same root
}

// whole reports whether the project is all of its tree.
func (f Folder) whole() bool { return f.Dir == "" && len(f.Inner) == 0 }

// Path is the path in the tree of a path in the project; empty of an empty one.
func (f Folder) Path(file string) string {
	if f.Dir == "" || file == "" {
		return file
	}
	return f.Dir + "/" + file
}

// Within is the path in the project of a path in the tree, if it lies in it and in no inner project.
func (f Folder) Within(file string) (rest string, ok bool) {
	for _, inner := range f.Inner {
		if strings.HasPrefix(file, inner+"/") {
			return "", false
		}
	}
	if f.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, f.Dir+"/")
}

// own stands before an id that would otherwise look like that of a project inside.
const own = "./"

// ID is the id in the tree of a test of the project. It begins with the folder, so
// that two projects never have a test of the same id.
func (f Folder) ID(id string) string {
	if f.whole() {
		return id
	}
	for _, inner := range f.Inner {
		if strings.HasPrefix(f.Path(id), inner+"/") {
			return f.Path(own + id)
		}
	}
	if strings.HasPrefix(id, own) {
		id = own + id
	}
	return f.Path(id)
}

// localID is the id that the project's runner gives a test of the tree.
func (f Folder) localID(id string) string {
	if f.whole() {
		return id
	}
	if f.Dir != "" {
		id = strings.TrimPrefix(id, f.Dir+"/")
	}
	return strings.TrimPrefix(id, own)
}

// Holds reports whether an id is that of a test of the project.
func (f Folder) Holds(id string) bool {
	_, ok := f.Within(id)
	return ok
}

// Local are tests as the project's runner knows them.
func (f Folder) Local(tests []gates.Test) []gates.Test {
	out := make([]gates.Test, len(tests))
	for i, t := range tests {
		t.ID = f.localID(t.ID)
		if file, ok := f.Within(t.File); ok {
			t.File = file
		}
		out[i] = t
	}
	return out
}

// placed is what a project shows, with the paths and the ids of its tree.
func (f Folder) placed(r Result) Result {
	tests := r.Facts.Tests
	for i := range tests {
		tests[i].ID, tests[i].File = f.ID(tests[i].ID), f.Path(tests[i].File)
	}
	r.Facts.Tests = unique(tests)
	for _, found := range [][]gates.Diagnostic{r.Facts.Diagnostics, r.Facts.CheckDiagnostics} {
		for i := range found {
			found[i].File = f.Path(found[i].File)
		}
	}
	if c := r.Facts.Coverage; c != nil {
		for i := range c.Files {
			c.Files[i].Path = f.Path(c.Files[i].Path)
		}
	}
	return r
}

// Up lists paths below the project's folder and each that holds it, the nearest
// first: tools look there too.
func (f Folder) Up(names []string) []string {
	var out []string
	for dir := f.Dir; ; dir = path.Dir(dir) {
		for _, name := range names {
			out = append(out, path.Join(dir, name))
		}
		if dir == "" || dir == "." {
			return out
		}
	}
}
