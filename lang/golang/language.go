package golang

import (
	"embed"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are an empty project.
//
//go:embed all:scaffold
var files embed.FS

// How sources in Go ask whether they are tested.
var (
	asksPattern    = lazyregexp.New(`\btesting\.(?:Testing|Short|Verbose|CoverMode|Init|MainStart)\(|\bflag\.Lookup\("test\.|"-?-?test\.\w|\.test"|\bruntime\.(?:Callers?|Stack|CallersFrames)\(|\bdebug\.(?:PrintStack|Stack|ReadBuildInfo)\(|^\s*(?:\w+\s+)?"testing"|//go:linkname|\bos\.Getppid\(`)
	leavesPattern  = lazyregexp.New(`\bos\.(?:Exit|Args|Executable)\b|\bsyscall\.(?:Exit|Kill|Exec)\(|\blog\.Fatal|\bruntime\.Goexit\(`)
	programPattern = lazyregexp.New(`(?m)^package main\b`)
	helpsPattern   = lazyregexp.New(`(?m)^\s*(?:import\s+)?(?:\w+\s+)?"testing"\s*$`)
)

// Language is Go with its own tool.
func Language() testrun.Language {
	return testrun.Language{
		Name:    "go",
		Markers: []string{"go.mod", "go.work"},
		Covers:  covers,
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
		Idiom:    `a test is func TestName(t *testing.T) in a _test.go file beside the source; compare by hand and report with t.Errorf("Sum(1, 2) = %d, want 3", got); an unused import or variable does not compile.`,
		Stub:     `panic("not implemented")`,
		Raises:   "panics",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: ""},
		Installation: testrun.Installation{
			Inherits: []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOTOOLCHAIN", "GOROOT"},
			Prefixes: []string{"GO"}, Decides: []string{"GOFLAGS"}, Records: []string{"modules.txt"}, Identify: identify,
			Sets: []string{"GOENV=off"}, Settings: settings, Caches: caches, Builds: builds,
			Sees: testrun.FoldersOf("$GOROOT", "~/sdk"),
		},
		Awareness: testrun.Awareness{Asks: asksPattern, Helps: helpsPattern, Leaves: leavesPattern, Program: programPattern},
		Installs:  []testrun.Install{{Run: `go mod download`, Lacks: unfetchedPattern.MatchString}},
		Syntax:    testrun.Syntax{Declared: declared, Assertions: assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain},
		Check:     readCheck,
		Narrow:    narrow,
		Uses:      uses,
		Test:      readTest,
		Cover:     measure,
	}
}
