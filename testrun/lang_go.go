package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// goLanguage is Go with its own tool.
func goLanguage() Language {
	return Language{
		Name:    "go",
		Markers: []string{"go.mod", "go.work"},
		Defaults: Commands{
			Fmt:   []string{"gofmt", "-l", "-w", "."},
			Check: []string{"go", "vet", "./..."},
			Test:  []string{"go", "test", "./..."},
		},
		Tools:        [][]string{{"go", "version"}},
		VersionFiles: []string{"go.mod", "go.work"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindTest, "**/*_test.go"),
			rules(gates.KindConfig, "**/go.mod", "**/go.sum", "go.work", "go.work.sum", "**/.golangci.*", "**/Makefile"),
			rules(gates.KindSource, "**/*.{go,s,c,h,cc,cpp,tmpl,proto}", "vendor/**"),
		),
		syntax: syntax{declared: goDeclared, assertions: goAssertions},
		check:  readGoCheck,
		test:   readGoTest,
		cover:  coverGo,
	}
}
