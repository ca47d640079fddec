package testrun

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// Commands are what a project runs to judge itself, each an argument vector, or empty.
type Commands struct {
	Test, Check, Fmt []string
	// Timeout is the longest that one command may take; zero means five minutes.
	Timeout time.Duration
	// Report is what the test command writes; zero if the language reads its results by itself.
	Report Report
}

// Rule gives the kind of the paths that a doublestar pattern matches.
type Rule struct {
	Pattern string
	Kind    gates.Kind
	// shadows is the module of a runner, with the extension of its sources, that the rule is for.
	shadows, extension string
}

// Language is what git-tdd knows of one programming language. What is left empty does without.
type Language struct {
	Name         string     // "rust", "go", "python"
	Markers      []string   // names of files, or "*" with an extension, that show that a directory holds such a project
	Beside       string     // a file that must stand beside a marker, if it is to count
	TestMarkers  []string   // likewise, of what stands among the tests of such a project
	Flat         []string   // doublestar patterns of tests that need no marker: they show it where nothing else shows anything
	FoundBy      string     // the path by which Detect found it; empty where it was named
	Described    string     // all that a project says of it; empty where it says nothing but the name
	Defaults     Commands   // what to run where the configuration says nothing
	Variants     []Variant  // other tests to run, by what a project holds: the first that fits counts
	Likely       []Variant  // what else its tests may run by, where that names none
	Tools        [][]string // commands that print the versions of the toolchain
	VersionFiles []string   // files that choose a toolchain
	BuildDirs    []string   // names of build output beside a marker that stays in the workbench between runs
	Keep         []string   // build output likewise, by its path from the root of the project
	Link         []string   // folders of dependencies, ignored by git, that a workbench needs, relative to the root
	Rules        []Rule     // the kind of a path: the first rule that matches counts

	Idiom    string            // how its people write tests, for whoever is to write one
	Within   string            // tests inside its source files, in words
	Stub     string            // the body of a function that is not written yet
	Raises   string            // what code does that ends in an exception: "panics"; empty: "raises an error"
	Scaffold scaffold.Template // an empty project

	// Choose finds what to run where the project's own files say so, at set-up; nil if paths decide.
	Choose   func(p Sources, usual Commands) Choice
	Installs []Install // how dependencies are installed: the first that fits counts
	// Covers reports whether the project at the root runs the tests of one inside; nil: always.
	Covers func(p Sources, dir string) bool
	// Needs lists the other projects that the manifest of one names; nil if relative paths show all.
	Needs func(p Sources, dir string, others []string) []string

	Installation Installation
	Awareness    Awareness

	Syntax   Syntax
	Dialects map[string]Dialect // by the extension of their files
	Check    Reader             // nil: by exit code
	// Narrow is the test command for a few tests, or whole files (no id); nil if it cannot be narrowed.
	Narrow func(argv []string, tests []gates.Test) []string
	// Uses says what the files of a project use; nil where that is not known.
	Uses  func(p Sources) Uses
	Test  Reader  // nil: by exit code
	Cover Coverer // nil: line coverage cannot be measured

	projects Projects // of which it is made, the innermost first; see [Projects.Language]
}

// Variant is how a kind of project is tested.
type Variant struct {
	Has  []string // doublestar patterns: each matches some path of the project
	Test []string // the command, in the place of the language's
}

// Syntax reads sources of a language. A nil function means that the language has no such reader.
type Syntax struct {
	Cuts       func(content string) []syntax.Span // the tests within a source file, in order
	Erased     func(content string) []syntax.Span // declarations of a source that are gone when it runs
	Declared   func(test string) []string         // see [Language.Declared]
	Assertions func(test string) []string         // see [Language.Assertions]
	// Checks finds what decides whether the tests of a file, or those in a source, pass.
	Checks func(content string, kind gates.Kind) []syntax.Check
	// Mutants lists small changes of what a source does, at most one for each line.
	Mutants func(content string) []syntax.Mutant
	// Near lists changes of what a source gives back that are so small that a test which
	// compares loosely may not notice: case, order, the next number.
	Near func(content string) []syntax.Mutant
	// Joins lists the lines of a source that take another file into the program.
	Joins func(content string) []string
	// Docs is how documentation is written, if its examples are tests.
	Docs *syntax.Documenting
	// Code is a source without comments and layout: two sources of the same code do the same.
	Code func(content string) string
}

// Languages are those that a program knows, in the order in which they are looked for.
type Languages []Language

// ByName returns the language of that name. The error names the known ones.
func (all Languages) ByName(name string) (Language, error) {
	for _, l := range append(slices.Clone(all), Generic()) {
		if l.Name == name {
			return l, nil
		}
	}
	return Language{}, fmt.Errorf("language %q is not known: use one of %s", name, strings.Join(all.Names(), ", "))
}

// Names lists the names that a configuration may give a language.
func (all Languages) Names() []string {
	return gates.Each(append(slices.Clone(all), Generic()), func(l Language) string { return l.Name })
}

// Narrowed is a command that runs the files of some tests, or only these; nil if the language
// cannot tell how. What sets variables for a command stays.
func (l Language) Narrowed(argv []string, tests []gates.Test) []string {
	if l.Narrow == nil {
		return nil
	}
	set := variables(argv)
	few := l.Narrow(argv[len(set):], tests)
	if few == nil {
		return nil
	}
	return slices.Concat(set, few)
}

// Generic is the language of any other project: judged by exit codes and the usual names.
func Generic() Language {
	return Language{Name: "generic", Rules: genericRules()}
}

// Detect finds the language of a tree from its paths: one with tests comes first, then the
// marker nearer to the root wins, then the order.
func (all Languages) Detect(paths []string) (Language, bool) {
	found := all.Candidates(paths)
	if len(found) == 0 {
		return Language{}, false
	}
	return found[0].For(paths), true
}

// nearestOf is the path nearest to the root of each name, and of each extension.
func nearestOf(paths []string) map[string]string {
	nearest := make(map[string]string)
	for _, p := range paths {
		for _, name := range []string{path.Base(p), "*" + path.Ext(p)} {
			if known, seen := nearest[name]; !seen || depth(p) < depth(known) {
				nearest[name] = p
			}
		}
	}
	return nearest
}

// holdsTests reports whether a path may hold tests.
func (l Language) holdsTests(p string) bool {
	kind := l.Kind(p)
	return kind == gates.KindTest || kind == gates.KindSource && l.Inline()
}

// For is the language as it is used in a project of these paths.
func (l Language) For(paths []string) Language {
	if test := l.Instead(paths, func(string) bool { return true }); test != nil {
		l.Defaults.Test = test
	}
	l.Rules = slices.DeleteFunc(slices.Clone(l.Rules), func(r Rule) bool { return slices.ContainsFunc(paths, r.isShadowed) })
	return l.spoken(paths)
}

func depth(name string) int { return strings.Count(name, "/") }

// marked is the marker of a language that is nearest to the root; empty if there is none.
func (l Language) marked(nearest map[string]string) string {
	best := ""
	for _, marker := range l.Markers {
		if p, ok := nearest[marker]; ok && (best == "" || depth(p) < depth(best)) {
			best = p
		}
	}
	return best
}

// Kind says what a path is for; it is slash-separated and relative to the project's root.
func (l Language) Kind(name string) gates.Kind {
	for _, rule := range l.Rules {
		if doublestar.MatchUnvalidated(rule.Pattern, name) {
			return rule.Kind
		}
	}
	return gates.KindOther
}

// Split divides a file into production code and tests, without losing a byte. Taking a test
// away leaves the source part as it was. A file of one kind has one part.
func (l Language) Split(name string, content []byte) (source, test string) {
	kind, cuts := l.Kind(name), l.At(name).Syntax.Cuts
	switch {
	case kind == gates.KindTest || kind == gates.KindSupport:
		return "", string(content)
	case kind == gates.KindSource && cuts != nil:
		return cutOut(string(content), cuts(string(content)))
	}
	return string(content), ""
}

// cutOut divides a text into what lies outside the spans, which are in order, and inside.
func cutOut(content string, cuts []syntax.Span) (outside, inside string) {
	var out, in strings.Builder
	at := 0
	for _, c := range cuts {
		out.WriteString(content[at:c.Start])
		in.WriteString(content[c.Start:c.End])
		at = c.End
	}
	out.WriteString(content[at:])
	return out.String(), in.String()
}

// Inline reports whether tests may stand inside source files.
func (l Language) Inline() bool { return l.any(func(l Language) bool { return l.Syntax.Cuts != nil }) }

// InlineTests are the tests inside source files, in words; empty if there are none.
func (l Language) InlineTests() string {
	if !l.Inline() {
		return ""
	}
	return cmp.Or(l.Within, "a test")
}

// Foreign reports whether a file is build output or belongs to a dependency.
func (l Language) Foreign(file string) bool {
	return slices.ContainsFunc(slices.Concat(l.BuildDirs, l.Link), func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}

// Declared names the tests that a test part declares, in order, as their ids end.
func (l Language) Declared(test string) []string {
	if l.Syntax.Declared == nil {
		return nil
	}
	return l.Syntax.Declared(test)
}

// Assertions lists what a test part expects, in order and with white space folded: assertions
// and the literals that they compare with. A changed list is a changed expectation.
func (l Language) Assertions(test string) []string {
	if l.Syntax.Assertions == nil {
		return nil
	}
	return l.Syntax.Assertions(test)
}

// PathRules gives several patterns one kind.
func PathRules(kind gates.Kind, patterns ...string) []Rule {
	return gates.Each(patterns, func(p string) Rule { return Rule{Pattern: p, Kind: kind} })
}

// SharedOther are the names that mean neither code nor tests in any language.
func SharedOther() []Rule {
	return PathRules(gates.KindOther,
		"**/*.md", "**/*.txt", "**/*.rst", "**/*.adoc", "docs/**", "doc/**", "**/LICENSE*", "**/COPYING*",
		"**/.git*", ".github/**", "**/.editorconfig", "kata*", ".tdd.yaml", "tdd.yaml")
}
