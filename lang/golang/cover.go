package golang

import (
	"bytes"
	"cmp"
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

// coverGo lets go test write a profile of all packages of the project.
func coverGo(_ context.Context, b *testrun.Session, argv []string) (testrun.Covering, error) {
	modules := goModules(b.Request.Dir)
	if _, ok := goArgs(argv, modules); !ok {
		return testrun.Covering{}, coverage.Unmeasuredf("for Go it is read from go test itself, and the test command is %s", argv[0])
	}
	profile := filepath.Join(b.Reports, "coverage")
	args := []string{argv[0], "test", "-coverprofile=" + profile}
	if !hasGoFlag(argv, "-coverpkg") {
		var all []string
		for _, dir := range valuesOf(modules) {
			all = append(all, "./"+path.Join(filepath.ToSlash(dir), "..."))
		}
		args = append(args, "-coverpkg="+strings.Join(all, ","))
	}
	return testrun.Covering{
		Argv: append(args, withoutGoFlag(argv[2:], "-coverprofile")...),
		Read: func(context.Context, *testrun.Places) (coverage.Lines, error) {
			return readGoProfile(profile, b.Request.Dir, modules)
		},
	}, nil
}

// withoutGoFlag leaves out a flag and its value.
func withoutGoFlag(argv []string, flag string) []string {
	var out []string
	for i := 0; i < len(argv); i++ {
		if !hasGoFlag(argv[i:i+1], flag) {
			out = append(out, argv[i])
		} else if !strings.Contains(argv[i], "=") {
			i++
		}
	}
	return out
}

// spot is a place in a file.
type spot struct{ line, column int }

func (s spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(s.line, o.line), cmp.Compare(s.column, o.column))
}

// goBlock is a run of statements that are executed together.
type goBlock struct {
	file     string // by the import path of its package
	from, to spot
}

// readGoProfile reads a profile. The same block is in it once for each test
// binary.
func readGoProfile(profile, root string, modules map[string]string) (coverage.Lines, error) {
	files := map[string]map[goBlock]bool{}
	err := output.WithFile(profile, func(f *os.File) error {
		return output.EachLine(f, func(line []byte) {
			block, reached, ok := parseGoBlock(line)
			if !ok {
				return
			}
			if files[block.file] == nil {
				files[block.file] = map[goBlock]bool{}
			}
			files[block.file][block] = files[block.file][block] || reached
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the coverage profile: %w", err)
	}
	out := coverage.Lines{}
	for name, blocks := range files {
		if dir := packageDir(modules, path.Dir(name)); dir != "" {
			addGo(out, root, filepath.Join(dir, path.Base(name)), blocks)
		}
	}
	return out, nil
}

// parseGoBlock reads "path/file.go:3.14,5.2 1 7": where the block begins and
// ends, how many statements it has, and how often it was executed.
func parseGoBlock(line []byte) (block goBlock, reached, ok bool) {
	at := bytes.LastIndexByte(line, ':')
	if at < 0 {
		return block, false, false
	}
	var statements, count int
	n, err := fmt.Sscanf(string(line[at+1:]), "%d.%d,%d.%d %d %d",
		&block.from.line, &block.from.column, &block.to.line, &block.to.column, &statements, &count)
	block.file = string(line[:at])
	return block, count > 0, err == nil && n == 6
}

// addGo takes in the lines of a file on which a statement begins: so it does not
// count how many lines somebody gave a statement.
func addGo(l coverage.Lines, root, file string, blocks map[goBlock]bool) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	order := make([]goBlock, 0, len(blocks))
	for b := range blocks {
		order = append(order, b)
	}
	slices.SortFunc(order, func(a, b goBlock) int { return a.from.compare(b.from) })
	ast.Inspect(parsed, func(n ast.Node) bool {
		if !statement(n) {
			return true
		}
		p := fset.PositionFor(n.Pos(), false)
		at := spot{p.Line, p.Column}
		after, _ := slices.BinarySearchFunc(order, at, func(b goBlock, at spot) int {
			if b.from.compare(at) <= 0 {
				return -1
			}
			return 1
		})
		if after > 0 && at.compare(order[after-1].to) < 0 {
			l.Note(filepath.ToSlash(file), at.line, blocks[order[after-1]])
		}
		return true
	})
}

// statement reports whether a node is a statement that does something itself.
func statement(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause:
		return false
	}
	_, ok := n.(ast.Stmt)
	return ok
}
