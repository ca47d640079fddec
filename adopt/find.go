package adopt

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// Found is a folder that a language's marker shows to be a project.
type Found struct {
	Dir      string // empty: the root
	Language testrun.Language
	By       string // the path of the marker
	Tested   bool   // it has tests of its own
}

// Find lists the projects of a tree, those with tests first, one a folder. What an
// outer project of the same language runs by itself is a part of that one; what lies
// among samples, test data and dependencies is no project of this tree.
func Find(all testrun.Languages, p testrun.Sources) []Found {
	var found []Found
	for _, l := range all {
		for _, f := range marks(l, p) {
			if at := slices.IndexFunc(found, func(o Found) bool { return o.Dir == f.Dir }); at < 0 {
				found = append(found, f)
			} else if o := found[at]; !has(o.Language, p, o.Dir, found) && has(l, p, f.Dir, found) {
				found[at] = f
			}
		}
	}
	for i := range found {
		found[i].Tested = has(found[i].Language, p, found[i].Dir, found)
	}
	last := map[bool]int{false: 1} // those without tests
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(last[a.Tested]-last[b.Tested], cmp.Compare(a.Dir, b.Dir))
	})
	return found
}

// marks lists the folders with a marker of the language that no outer one covers.
func marks(l testrun.Language, p testrun.Sources) []Found {
	var out []Found
	byDepth := slices.Clone(p.Paths)
	slices.SortStableFunc(byDepth, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	for _, name := range byDepth {
		dir, ok := rootBy(l, p, name)
		if !ok || slices.ContainsFunc(out, func(f Found) bool { return f.Dir == dir || covers(l, p, f.Dir, dir) }) {
			continue
		}
		out = append(out, Found{Dir: dir, Language: l, By: name})
	}
	return out
}

// rootBy is the folder of the project that a file marks.
func rootBy(l testrun.Language, p testrun.Sources, name string) (dir string, ok bool) {
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
	parts := strings.Split(dir, "/")
	if at := slices.IndexFunc(parts, func(part string) bool { return slices.Contains([]string{"test", "tests", "spec"}, part) }); at >= 0 {
		parts = parts[:at]
	}
	return strings.Join(parts, "/")
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

// covers reports whether the project in one folder runs the tests of another inside it.
func covers(l testrun.Language, p testrun.Sources, outer, inner string) bool {
	within, ok := testrun.Folder{Dir: outer}.Within(inner)
	return ok && (l.Covers == nil || l.Covers(p.In(testrun.Folder{Dir: outer}), within))
}

// has reports whether a folder has tests of the language, but for those of other projects inside.
func has(l testrun.Language, p testrun.Sources, dir string, others []Found) bool {
	own := p.In(around(dir, others))
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

// around is a folder without those of other projects inside.
func around(dir string, others []Found) testrun.Folder {
	f := testrun.Folder{Dir: dir}
	for _, o := range others {
		if o.Dir != dir && (dir == "" || strings.HasPrefix(o.Dir, dir+"/")) {
			f.Inner = append(f.Inner, o.Dir)
		}
	}
	return f
}

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
		out = append(out, slices.DeleteFunc(slices.Clone(others), func(o string) bool {
			way, _ := filepath.Rel(path.Dir(name), o) // both begin at the root of the tree
			return !mentions(text, filepath.ToSlash(way))
		})...)
	}
	slices.Sort(out)
	return slices.Compact(out)
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

// Alone is a tree that is one project.
type Alone struct {
	Project
	Others []testrun.Language // that were found, too
}

// Alone finds the language of the whole tree and its commands. If nothing shows how
// it is tested, the error is [config.ErrNoLanguage].
func (s Search) Alone() (a Alone, err error) {
	defer func() { err = s.failed(err) }()
	found := s.Languages.Candidates(s.Sources.Paths)
	var l testrun.Language
	switch {
	case s.Language != "":
		if l, err = s.Languages.ByName(s.Language); err != nil {
			return a, err
		}
	case len(found) == 0:
		a.Language, a.Paths = testrun.Generic(), s.Sources.Paths
		if a.Commands.Test, a.Why = taskOf(s.Sources); a.Why == "" {
			err = config.ErrNoLanguage
		}
		return a, err
	default:
		l = found[0]
	}
	beside := path.Join(path.Dir(l.FoundBy), l.Beside) // shows no more than that the language is here
	a.Others = slices.DeleteFunc(found, func(o testrun.Language) bool { return o.Name == l.Name || o.FoundBy == beside })
	a.Project = s.project(Found{Language: l}, nil)
	return a, nil
}

// Settings are the defaults, with what was found: a command that is left out is the
// language's usual one.
func (a Alone) Settings() config.Settings {
	s := config.Default()
	s.Language.Name = a.Language.Name
	s.CI.TestCmd, s.CI.CheckCmd, s.CI.FmtCmd = a.Commands.Test, a.Set.CheckCmd, a.Set.FmtCmd
	return s
}

// runnable is what to run in the project in a folder. Where the usual program of its
// language is not on PATH, a way to test it that is here counts: Debian installs gems
// without Bundler.
func (s Search) runnable(l testrun.Language, p testrun.Sources, dir string) testrun.Choice {
	choice := l.Chosen(p)
	here := func(program string) bool { return s.Here == nil || s.Here(program, dir) }
	test := choice.Commands.Test
	if len(test) == 0 || here(test[0]) {
		return choice
	}
	if other := l.Instead(p.Paths, here); other != nil {
		choice.Commands.Test = other
		choice.Why = fmt.Sprintf("%s is not installed here, or not on PATH: `%s` is the test command", test[0], strings.Join(other, " "))
	}
	return choice
}

var (
	targetPattern = lazyregexp.New(`(?m)^(test|check)[ \t]*:(?:[^=:]|$)`)
	recipePattern = lazyregexp.New(`(?m)^@?(test|check)(?:[ \t][^:\n]*)?:(?:[^=]|$)`)
)

// taskOf is the command by which a project is tested that no language is found in: the
// target of a Makefile, or the recipe of a justfile.
func taskOf(p testrun.Sources) (argv []string, why string) {
	for _, one := range []struct {
		program string
		task    lazyregexp.Regexp
		files   []string // in the order in which the program looks for them
	}{
		{"make", targetPattern, []string{"GNUmakefile", "makefile", "Makefile"}},
		{"just", recipePattern, []string{"justfile", "Justfile", ".justfile"}},
	} {
		for _, name := range one.files {
			tasks := gates.Each(one.task().FindAllStringSubmatch(p.Read(name), -1), func(hit []string) string { return hit[1] })
			if len(tasks) == 0 {
				continue
			}
			argv = []string{one.program, slices.Max(tasks)} // test rather than check
			return argv, fmt.Sprintf("no language was found: `%s` of %s is the test command, and its exit code decides; `ci.report` reads what it says in TAP or JUnit XML", strings.Join(argv, " "), name)
		}
	}
	return nil, ""
}
