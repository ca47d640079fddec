package gates

import (
	"cmp"
	"slices"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Kind says what a path is for. It decides which role may touch it.
type Kind string

// The kinds of files.
const (
	KindTest    Kind = "test"    // tests
	KindSupport Kind = "support" // fixtures, snapshots, test data, helpers of tests
	KindSource  Kind = "source"  // production code
	KindConfig  Kind = "config"  // runner and build configuration: Cargo.toml, go.mod, package.json
	KindOther   Kind = "other"   // everything else: documentation, assets
)

// File is one side of a changed file. A file with both sources and tests
// (Rust's #[cfg(test)] modules) is split into Source and Test, and a role must
// keep to its part.
type File struct {
	Path   string `json:"path"`
	Mode   string `json:"mode"` // git's: 100644, 100755, 120000, 160000
	Kind   Kind   `json:"kind"`
	Source string `json:"source,omitempty"` // the part without tests
	Test   string `json:"test,omitempty"`   // the part with tests or test support
	// Declared has the names of the tests that Test declares, as far as the
	// language's patterns can tell.
	Declared []string `json:"declared,omitempty"`
	// Assertions has the assertion lines of Test, with white space folded.
	Assertions []string `json:"assertions,omitempty"`
	// Expected has the values that Test compares with and that are written out in it,
	// one for each check; Bare counts the checks that compare with none. Both are
	// empty where the language cannot be mirrored.
	Expected []string `json:"expected,omitempty"`
	Bare     int      `json:"bare,omitempty"`
	Binary   bool     `json:"binary,omitempty"`
}

// FileChange is one path that differs between two trees.
type FileChange struct {
	Old *File `json:"old,omitempty"` // nil if the file is new
	New *File `json:"new,omitempty"` // nil if the file is gone
	// Lines that the change adds and deletes, in each part.
	Source Lines `json:"source_lines"`
	Test   Lines `json:"test_lines"`
	// Inert is set if the sources, or what is for tests in a file that is for nothing
	// else, differ in comments and layout at most.
	Inert bool `json:"inert,omitempty"`
	// Alters is set if a source that was there before differs in more, as its language
	// is read; where nobody can read it, neither is set.
	Alters bool `json:"alters,omitempty"`
	// Reached is set if what the file is for is open, and some code, test or
	// configuration mentions it.
	Reached bool `json:"reached,omitempty"`
	// Asks lists what the change adds to the sources that finds out whether they are
	// tested, or reaches into what tests them.
	Asks []Asking `json:"asks,omitempty"`
}

// Asking is a place where a source asks whether it is tested.
type Asking struct {
	Line int    `json:"line,omitempty"` // 0 where the file holds tests too
	Text string `json:"text"`           // the words that ask
}

// Lines counts the lines of a change.
type Lines struct {
	Added   int `json:"added,omitempty"`
	Deleted int `json:"deleted,omitempty"`
}

// Total is the number of lines touched.
func (l Lines) Total() int { return l.Added + l.Deleted }

// Path is the path by which the change is known: the new one if there is one.
func (c FileChange) Path() string { return cmp.Or(c.New, c.Old).Path }

// Kind is the kind of the file: that of the new one if there is one.
func (c FileChange) Kind() Kind { return cmp.Or(c.New, c.Old).Kind }

// Renamed reports whether the file moved.
func (c FileChange) Renamed() bool {
	return c.Old != nil && c.New != nil && c.Old.Path != c.New.Path
}

// Change is everything that differs between the tree before and the tree after.
type Change struct {
	Files []FileChange `json:"files"`
}

// DocsOnly reports whether the change touches only documentation and assets that
// nothing mentions, so that it cannot change a fact.
func (c Change) DocsOnly() bool {
	return !slices.ContainsFunc(c.Files, func(f FileChange) bool {
		return f.Reached || f.Kind() != KindOther || f.Old != nil && f.Old.Kind != KindOther
	})
}

// AltersCode reports whether the change alters a source in more than comments and layout.
func (c Change) AltersCode() bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool { return f.Kind() == KindSource && !f.Inert })
}

// TouchesTest reports whether the change alters a test or test support.
func (c FileChange) TouchesTest() bool {
	return isTesting(sideOf(c.Old).Kind) || isTesting(sideOf(c.New).Kind) || sideOf(c.Old).Test != sideOf(c.New).Test
}

// ForTests reports whether the file is for tests, and was so before.
func (c FileChange) ForTests() bool {
	return c.Old != nil && c.New != nil && isTesting(c.Old.Kind) && isTesting(c.New.Kind)
}

// ChangesMore reports whether the change alters anything but sources and
// documentation: tests, what they need, or how the project is built and run.
func (c FileChange) ChangesMore() bool { return c.TouchesTest() || c.Configures() }

// Configures reports whether the change alters how the project is built and run.
func (c FileChange) Configures() bool {
	return sideOf(c.Old).Kind == KindConfig || sideOf(c.New).Kind == KindConfig
}

// TouchesMore reports whether a change alters anything but sources and
// documentation.
func (c Change) TouchesMore() bool { return slices.ContainsFunc(c.Files, FileChange.ChangesMore) }

// comparesPattern matches where a function is defined that decides whether two values are
// equal, or which is less.
var comparesPattern = lazyregexp.New(`(?m)\b__(?:eq|ne|lt|le|gt|ge)__\b|\bPartial(?:Eq|Ord)\b|\bfn (?:eq|ne|cmp)\b|\boperator\s*(?:[=!]=|<=>)` +
	`|\bdef (?:self\.)?(?:[=!]=|===|=~|<=>|eql\?|equal\?)|\b(?:func|fun|function|boolean|int) .*?\b(?:[Ee]quals?|[Ii]sEqual|[Cc]ompare(?:To)?)\(` +
	`|^\s*(?:equals|isEqual|compareTo|asymmetricMatch|valueOf)\([^)]*\)[^;]*\{`)

// Compares reports whether a change alters a source that defines what equals what: tests
// may then expect less than they say.
func (c Change) Compares() bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		side := func(file *File) bool { return file != nil && comparesPattern.MatchString(file.Source) }
		return !f.Inert && f.Kind() == KindSource && (side(f.Old) || side(f.New))
	})
}

// TestsOnly reports whether a change alters nothing that an old test may use, unless that
// is its own text: other tests, and documents that nothing mentions.
func (c Change) TestsOnly() bool {
	return !slices.ContainsFunc(c.Files, func(f FileChange) bool {
		if f.Kind() == KindOther && sideOf(f.Old).Kind != KindSource {
			return f.Reached
		}
		inTests := func(file *File) bool { return file == nil || file.Kind == KindTest || file.Kind == KindSource }
		return !inTests(f.Old) || !inTests(f.New) || f.touchesSource() || f.ChangesHelpers()
	})
}

// touchesSource reports whether the change alters production code, including
// its name or mode.
func (c FileChange) touchesSource() bool {
	switch {
	case sideOf(c.Old).Kind != KindSource && sideOf(c.New).Kind != KindSource:
		return false
	case sideOf(c.Old).Source != sideOf(c.New).Source || c.Old.opaque() || c.New.opaque() || c.Renamed():
		return true
	}
	return c.New == nil || c.Old != nil && c.Old.Mode != c.New.Mode
}

// opaque reports whether the content of a file cannot be compared as text.
func (f *File) opaque() bool { return f != nil && (f.Binary || f.Mode == modeSubmodule) }

// The modes that agents may not use.
const (
	modeSymlink   = "120000"
	modeSubmodule = "160000"
)

func isTesting(k Kind) bool { return k == KindTest || k == KindSupport }

// Sides are the file as it was and as it is, those of them that are there.
func (c FileChange) Sides() []*File {
	return slices.DeleteFunc([]*File{c.Old, c.New}, func(side *File) bool { return side == nil })
}

// Sides are those of all files.
func (c Change) Sides() []*File { return slices.Concat(Each(c.Files, FileChange.Sides)...) }

// Was is the file as it was; the zero value where there was none.
func (c FileChange) Was() File { return sideOf(c.Old) }

// Is is the file as it is now; the zero value where there is none.
func (c FileChange) Is() File { return sideOf(c.New) }

// ForTests reports whether the whole of the file is for tests.
func (f File) ForTests() bool { return isTesting(f.Kind) }

// sideOf is one side of a changed file; the zero value where there is none.
func sideOf(f *File) File {
	if f == nil {
		return File{}
	}
	return *f
}

// DeclaredAnew lists the names of tests that a change declares and that the
// same file did not declare before.
func DeclaredAnew(change Change) []string {
	return slices.Concat(Each(change.Files, func(f FileChange) []string {
		return slices.DeleteFunc(slices.Clone(f.Is().Declared), func(name string) bool { return slices.Contains(f.Was().Declared, name) })
	})...)
}

// Renames maps the old path of each moved file to its new one.
func (c Change) Renames() map[string]string {
	moved := map[string]string{}
	for _, f := range c.Files {
		if f.Renamed() {
			moved[f.Old.Path] = f.New.Path
		}
	}
	return moved
}
