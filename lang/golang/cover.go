package golang

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// cover lets go test write a profile of all packages of the project.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	modules := findModules(s.Request.Dir)
	if _, ok := testArgs(argv, modules); !ok {
		return testrun.Covering{}, coverage.Unmeasuredf("for Go it is read from go test itself, and the test command is %s", argv[0])
	}
	profile := filepath.Join(s.Reports, "coverage")
	args := []string{argv[0], "test", "-coverprofile=" + profile}
	if !hasFlag(argv, "-coverpkg") {
		var all []string
		for _, dir := range modules.sorted() {
			all = append(all, "./"+path.Join(filepath.ToSlash(dir), "..."))
		}
		args = append(args, "-coverpkg="+strings.Join(all, ","))
	}
	return testrun.Covering{
		Argv: append(args, withoutFlag(argv[2:], "-coverprofile")...),
		Read: func(context.Context, *testrun.Places) (coverage.Lines, error) {
			return readProfile(profile, s.Request.Dir, modules)
		},
	}, nil
}

// spot is a place in a file: line and column.
type spot [2]int

func (s spot) compare(o spot) int { return slices.Compare(s[:], o[:]) }

// block is a run of statements that are executed together.
type block struct {
	file     string // by the import path of its package
	from, to spot
}

// readProfile reads a profile. It holds the same block once for each test
// binary.
func readProfile(profile, root string, modules moduleDirs) (coverage.Lines, error) {
	files := map[string]map[block]bool{}
	err := output.WithFile(profile, func(f *os.File) error {
		return output.EachLine(f, func(line []byte) {
			b, reached, ok := parseBlock(line)
			if !ok {
				return
			}
			if files[b.file] == nil {
				files[b.file] = map[block]bool{}
			}
			files[b.file][b] = files[b.file][b] || reached
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the coverage profile: %w", err)
	}
	out := coverage.Lines{}
	for name, blocks := range files {
		if dir := modules.packageDir(path.Dir(name)); dir != "" {
			addStatements(out, root, filepath.Join(dir, path.Base(name)), blocks)
		}
	}
	return out, nil
}

// parseBlock reads "path/file.go:3.14,5.2 1 7": where the block begins and
// ends, how many statements it has, and how often it was executed.
func parseBlock(line []byte) (b block, reached, ok bool) {
	at := bytes.LastIndexByte(line, ':')
	if at < 0 {
		return b, false, false
	}
	var statements, count int
	n, err := fmt.Sscanf(string(line[at+1:]), "%d.%d,%d.%d %d %d",
		&b.from[0], &b.from[1], &b.to[0], &b.to[1], &statements, &count)
	b.file = string(line[:at])
	return b, count > 0, err == nil && n == 6
}

// addStatements notes the lines of a file on which a statement begins: a
// statement that is written over several lines counts once.
func addStatements(l coverage.Lines, root, file string, blocks map[block]bool) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	order := make([]block, 0, len(blocks))
	for b := range blocks {
		order = append(order, b)
	}
	slices.SortFunc(order, func(a, b block) int { return a.from.compare(b.from) })
	ast.Inspect(parsed, func(n ast.Node) bool {
		if !isStatement(n) {
			return true
		}
		p := fset.PositionFor(n.Pos(), false)
		at := spot{p.Line, p.Column}
		after, _ := slices.BinarySearchFunc(order, at, func(b block, at spot) int {
			if b.from.compare(at) <= 0 {
				return -1
			}
			return 1
		})
		if after > 0 && at.compare(order[after-1].to) < 0 {
			l.Note(filepath.ToSlash(file), at[0], blocks[order[after-1]])
		}
		return true
	})
}

// isStatement reports whether a node is a statement that does something itself.
func isStatement(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause:
		return false
	}
	_, ok := n.(ast.Stmt)
	return ok
}
