package golang

import (
	"cmp"
	"embed"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are an empty project.
//
//go:embed all:scaffold
var files embed.FS

// Language is Go with its own tool.
func Language() testrun.Language {
	return testrun.Language{
		Name:    "go",
		Markers: []string{"go.mod", "go.work"},
		Covers: func(p testrun.Sources, dir string) bool { // without a workspace file every module is tested by itself
			file, err := modfile.ParseWork("go.work", []byte(p.Read("go.work")), nil)
			return err == nil && slices.ContainsFunc(file.Use, func(use *modfile.Use) bool { return path.Clean(use.Path) == dir })
		},
		Defaults: testrun.Commands{
			Fmt:   []string{"gofmt", "-l", "-w", "."},
			Check: []string{"go", "vet", "./..."},
			Test:  []string{"go", "test", "./..."},
		},
		Tools:        [][]string{{"go", "version"}},
		VersionFiles: []string{"go.mod", "go.work"},
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindTest, "**/*_test.go"),
			testrun.PathRules(gates.KindConfig, "**/go.mod", "**/go.sum", "go.work", "go.work.sum", "**/.golangci.*"),
			testrun.PathRules(gates.KindSource, "**/*.{go,s,c,h,cc,cpp,tmpl,proto}"),
		),
		Idiom:    `func TestName(t *testing.T) in a _test.go file beside the source; compare by hand, t.Errorf("Sum(1, 2) = %d, want 3", got); an unused import or variable does not compile.`,
		Stub:     `panic("not implemented")`,
		Raises:   "panics",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: ""},
		Installation: testrun.Installation{
			Inherits: []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOTOOLCHAIN", "GOROOT"},
			Prefixes: []string{"GO"}, Decides: []string{"GOFLAGS"}, Records: []string{"modules.txt"}, Identify: identify,
			Sets: []string{"GOENV=off"}, Settings: settings, Caches: caches, Builds: builds,
			Sees: testrun.FoldersOf("$GOROOT", "~/sdk"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\btesting\.(?:Testing|Short|Verbose|CoverMode|Init|MainStart)\(|\bflag\.Lookup\("test\.|"-?-?test\.\w|\.test"|\bruntime\.(?:Callers?|Stack|CallersFrames)\(|\bdebug\.(?:PrintStack|Stack|ReadBuildInfo)\(|^\s*(?:\w+\s+)?"testing"|//go:linkname|\bos\.Getppid\(`),
			Helps:   lazyregexp.New(`(?m)^\s*(?:import\s+)?(?:\w+\s+)?"testing"\s*$`),
			Leaves:  lazyregexp.New(`\bos\.(?:Exit|Args|Executable)\b|\bsyscall\.(?:Exit|Kill|Exec)\(|\blog\.Fatal|\bruntime\.Goexit\(`),
			Program: lazyregexp.New(`(?m)^package main\b`),
		},
		Installs: []testrun.Install{{Run: `go mod download`, Lacks: unfetchedPattern.MatchString}},
		Syntax:   testrun.Syntax{Declared: declared, Assertions: assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain},
		Check:    readCheck,
		Narrow:   narrow,
		Uses:     uses,
		Test:     readTest,
		Cover:    measure,
	}
}

// identify adds the state of a Go installation and of the user's `go env -w`.
func identify(f testrun.Fingerprint, tool, path string) bool {
	if tool != "go" {
		return false
	}
	root := filepath.Dir(filepath.Dir(path))
	for _, dir := range []string{root, f.Value("GOROOT")} {
		if dir != "" {
			f.File(filepath.Join(dir, "VERSION"))
			f.Content(filepath.Join(dir, "go.env"))
		}
	}
	if _, err := os.Stat(filepath.Join(root, "VERSION")); err != nil || filepath.Base(path) != "go" {
		f.Incomplete()
	}
	if name := settingsFile(f.Value); name != "" {
		f.Content(name)
	}
	return true
}

// settingsFile is where `go env -w` writes; empty where it does not.
func settingsFile(value func(name string) string) string {
	folder := cmp.Or(value("XDG_CONFIG_HOME"), filepath.Join(value("HOME"), ".config"))
	switch runtime.GOOS {
	case "darwin":
		folder = filepath.Join(value("HOME"), "Library", "Application Support")
	case "windows":
		folder = value("APPDATA")
	}
	if name := cmp.Or(value("GOENV"), filepath.Join(folder, "go", "env")); filepath.IsAbs(name) {
		return name
	}
	return "" // off
}

// settings are what the user's `go env -w` says of where modules and caches are. The
// file itself is not read by the commands: a test that writes GOFLAGS there would
// decide what every later measurement compiles.
func settings(value func(name string) string) []string {
	raw, _ := wholefile.Read(settingsFile(value)) // most people have none
	var out []string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if name, _, ok := strings.Cut(line, "="); ok && slices.Contains(strings.Fields(harmless), name) {
			out = append(out, line)
		}
	}
	return out
}

// harmless are the settings by which no test can make another one pass: what they
// lead to is checked against go.sum, or decides no verdict.
const harmless = `GOPATH GOMODCACHE GOCACHE GOTOOLCHAIN GOPROXY GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOINSECURE GOVCS GOAUTH`

// builds is where go keeps what it built.
func builds(value func(name string) string) []string {
	caches := cmp.Or(value("XDG_CACHE_HOME"), filepath.Join(value("HOME"), ".cache"))
	return []string{cmp.Or(value("GOCACHE"), filepath.Join(caches, "go-build"))}
}

// caches is where go keeps what it fetched.
func caches(value func(name string) string) []string {
	path, _, _ := strings.Cut(cmp.Or(value("GOPATH"), filepath.Join(value("HOME"), "go")), string(filepath.ListSeparator))
	return []string{cmp.Or(value("GOMODCACHE"), filepath.Join(path, "pkg", "mod"))}
}
