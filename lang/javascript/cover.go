package javascript

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// cover lets Vitest and Jest measure by themselves; for any other command node
// writes down what each process executed.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	runner, _ := runnerOf(argv, parseManifest(s.Places().Text("package.json")).script())
	var flags []string
	switch runner {
	case jestRunner:
		flags = []string{
			"--coverage", "--coverageProvider=babel", "--coverageReporters=lcovonly", "--coverageDirectory=" + s.Coverage,
			"--collectCoverageFrom=" + sourceFiles, "--coverageThreshold={}",
		}
	case vitestRunner:
		installed := wholefile.Matching(s.Outside(filepath.Join(s.Request.Dir, "node_modules")), "@vitest/coverage-v8", "@vitest/coverage-istanbul")
		if len(installed) == 0 {
			return testrun.Covering{}, coverage.UnmeasuredError("Vitest measures it with a package of its own, which is not installed (npm install -D @vitest/coverage-v8)")
		}
		flags = []string{
			"--coverage.enabled=true", "--coverage.provider=" + strings.TrimPrefix(filepath.Base(installed[0]), "coverage-"), "--coverage.reporter=lcovonly", "--coverage.reportsDirectory=" + s.Coverage,
			"--coverage.include=" + sourceFiles, "--coverage.thresholds.lines=0", "--coverage.thresholds.functions=0",
			"--coverage.thresholds.statements=0", "--coverage.thresholds.branches=0",
		}
	case nodeRunner, mochaRunner, avaRunner:
		return testrun.Covering{
			Argv: argv, Env: []string{"NODE_V8_COVERAGE=" + s.Coverage},
			Read: func(_ context.Context, p *testrun.Places) (coverage.Lines, error) { return readV8(s.Coverage, p) },
		}, nil
	}
	return testrun.Covering{
		Argv: withArgs(argv, flags),
		Read: func(_ context.Context, p *testrun.Places) (coverage.Lines, error) {
			found := coverage.Lines{}
			read := found.Lcov(p.Own)
			err := output.WithFile(filepath.Join(s.Coverage, "lcov.info"), func(f *os.File) error {
				return output.EachLine(f, func(line []byte) { read(line) })
			})
			return found, err
		},
	}, nil
}

// sourceFiles is a pattern of the files that can be executed.
const sourceFiles = "**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"

// readV8 reads what node wrote, with the files that no process loaded.
func readV8(folder string, p *testrun.Places) (coverage.Lines, error) {
	foreign := func(name string) bool { return p.Language.Foreign(name) || p.Language.Kind(name) != gates.KindSource }
	v8 := coverage.V8{Text: p.Text, Statements: statements, Source: func(name string) string {
		if file := p.Own(name); !foreign(file) {
			return file
		}
		return ""
	}}
	err := v8.Read(folder)
	found := v8.Lines
	if err == nil && len(found) == 0 {
		return nil, coverage.UnmeasuredError("for this runner it is measured where node runs files of the project, and it ran none, or not to its end")
	}
	for name := range p.Files("node_modules", ".*") {
		types := strings.Contains(path.Base(name), ".d.")
		if err != nil || found[name] != nil || types || !executablePattern.MatchString(name) || foreign(name) {
			continue
		}
		for line := range statements(p.Text(name)) {
			found.Note(name, line, false)
		}
	}
	return found, err
}

// executablePattern matches the names of files that hold JavaScript or TypeScript.
var executablePattern = lazyregexp.New(`\.[cm]?[jt]sx?$`)

// statements are the lines on which a statement of JavaScript begins.
func statements(text string) map[int]bool {
	t := page().Parse(text)
	const operators = "=+-*/%&|^~?<>"
	return t.StatementLines(func(i int) bool {
		before, first := ";"+t.Word(i-1), t.Word(i)[0]
		last := before[len(before)-1]
		if fresh := strings.IndexByte(";{}", last) >= 0; fresh || first == '`' {
			return fresh
		}
		return strings.IndexByte(operators+"!:", first) < 0 && strings.IndexByte(operators+"!,([.", last) < 0
	})
}
