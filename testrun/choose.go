package testrun

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
)

// Sources are the files of a project, as far as choosing its commands needs them.
type Sources struct {
	Paths []string
	Read  func(path string) string // what a file holds; nothing where there is none
}

// In is the part of some sources that lies in a folder, with the paths that they have there.
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

// Choice is what to run in a project, where its own files say more than their names.
type Choice struct {
	Commands Commands
	Why      string // what a person should know of it; empty where it is the usual
}

// Install is how the dependencies of a kind of project are installed.
type Install struct {
	Has []string // doublestar patterns: each matches some path of the project
	Run string   // the line to type
	// Lacks reports whether a run that says this lacks what the line installs; nil if any run
	// that the environment broke may: some commands fetch what they need themselves.
	Lacks func(said string) bool
}

// hasAll reports whether each pattern matches some path.
func hasAll(patterns, paths []string) bool {
	return !slices.ContainsFunc(patterns, func(pattern string) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return doublestar.MatchUnvalidated(pattern, p) })
	})
}

// Chosen is what to run in a project of these files.
func (l Language) Chosen(p Sources) Choice {
	usual := l.For(p.Paths).Defaults
	if l.Choose == nil {
		return Choice{Commands: usual}
	}
	return l.Choose(p, usual)
}

// Instead is how else a project of these paths is tested if a program is missing: by the first
// variant that fits and whose program is here; empty if there is none.
func (l Language) Instead(paths []string, here func(program string) bool) []string {
	v, _ := gates.Find(l.Variants, func(v Variant) bool { return hasAll(v.Has, paths) && here(v.Test[0]) })
	return v.Test
}

// Others are the other commands that may test a project of these paths, first its variants'.
func (l Language) Others(paths, tried []string) [][]string {
	var out [][]string
	for _, v := range slices.Concat(l.Variants, l.Likely) {
		same := func(known []string) bool { return slices.Equal(known, v.Test) }
		if hasAll(v.Has, paths) && len(v.Test) > 0 && !same(tried) && !slices.ContainsFunc(out, same) {
			out = append(out, v.Test)
		}
	}
	return out
}

// InstallLine is the line that installs what a run lacked that said this; empty if none is known.
func (l Language) InstallLine(paths []string, said string) string {
	i, _ := gates.Find(l.Installs, func(i Install) bool { return hasAll(i.Has, paths) && (i.Lacks == nil || i.Lacks(said)) })
	return i.Run
}

// Tested reports whether a project of these paths has tests of the language, perhaps in its sources.
func (l Language) Tested(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return !l.Foreign(p) && l.holdsTests(p) })
}

// Candidates lists the languages of which a project has a marker, or else tests, each with the
// one nearest to its root, and first the one that [Languages.Detect] finds.
func (all Languages) Candidates(paths []string) []Language {
	nearest := nearestOf(paths)
	var out []Language
	for _, l := range all {
		if l.FoundBy = l.marked(nearest); l.FoundBy != "" {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		out = all.flat(paths)
	}
	slices.SortStableFunc(out, func(a, b Language) int {
		switch x, y := a.Tested(paths), b.Tested(paths); {
		case x == y:
			return depth(a.FoundBy) - depth(b.FoundBy)
		case x:
			return -1
		}
		return 1
	})
	return out
}

// flat lists the languages whose tests are in a project without a marker, each with the nearest one.
func (all Languages) flat(paths []string) []Language {
	var out []Language
	for _, l := range all {
		tests := slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
			return l.Foreign(p) || !slices.ContainsFunc(l.Flat, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, p) })
		})
		if len(tests) > 0 {
			l.FoundBy = slices.MinFunc(tests, func(a, b string) int { return depth(a) - depth(b) })
			out = append(out, l)
		}
	}
	return out
}

// genericRules go by the names that most languages share. A file that no other
// rule names is source only where its extension is a programming language's.
func genericRules() []Rule {
	return Rules(
		PathRules(gates.KindSupport, "**/conftest.py", "**/test_helper.*", "**/spec_helper.*", "**/__mocks__/**"),
		PathRules(gates.KindTest,
			"**/*_test.*", "**/*.test.*", "**/*_spec.*", "**/*.spec.*", "**/test_*.py", "**/*Test.java",
			"**/*Tests.java", "**/*Test.kt", "**/*Tests.cs", "**/*Test.php", "**/*.bats", "**/*.t"),
		PathRules(gates.KindTest, "test/**", "tests/**", "spec/**", "**/src/test/**", "**/__tests__/**"),
		PathRules(gates.KindConfig,
			"**/package.json", "**/package-lock.json", "**/tsconfig*.json", "**/*.config.{js,cjs,mjs,ts}",
			"**/pyproject.toml", "**/setup.{py,cfg}", "**/pytest.ini", "**/tox.ini", "**/requirements*.txt",
			"**/pom.xml", "**/build.gradle*", "**/settings.gradle*", "**/Gemfile*", "**/Rakefile", "**/composer.*",
			"**/CMakeLists.txt", "**/*.mk", "**/*.csproj", "**/*.sln", "**/mix.exs"),
		SharedOther(),
		PathRules(gates.KindSource,
			"**/*.{c,h,cc,cpp,cxx,hpp,hh,cs,fs,java,kt,kts,scala,clj,groovy,swift,m,go,rs,zig,d,nim}",
			"**/*.{js,jsx,mjs,cjs,ts,tsx,py,rb,php,pl,pm,lua,sh,bash,ex,exs,erl,hs,ml,r,jl,dart,elm,vue,svelte,sql}"),
	)
}
