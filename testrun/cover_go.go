package testrun

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
)

// coverGo lets go test write a profile of all packages of the project.
func coverGo(_ context.Context, b *bench, argv []string) (covering, error) {
	modules := goModules(b.req.Dir)
	if _, ok := goArgs(argv, modules); !ok {
		return covering{}, unmeasuredf("for Go it is read from go test itself, and the test command is %s", argv[0])
	}
	profile := filepath.Join(b.reports, "coverage")
	args := []string{argv[0], "test", "-coverprofile=" + profile}
	if !hasGoFlag(argv, "-coverpkg") {
		var all []string
		for _, dir := range valuesOf(modules) {
			all = append(all, "./"+path.Join(filepath.ToSlash(dir), "..."))
		}
		args = append(args, "-coverpkg="+strings.Join(all, ","))
	}
	return covering{
		argv: append(args, withoutGoFlag(argv[2:], "-coverprofile")...),
		read: func(context.Context, *places) (reach, error) { return readGoProfile(profile, b.req.Dir, modules) },
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

// goSpot is a place in a file.
type goSpot struct{ line, column int }

func (s goSpot) compare(o goSpot) int {
	return cmp.Or(cmp.Compare(s.line, o.line), cmp.Compare(s.column, o.column))
}

// goBlock is a run of statements that are executed together.
type goBlock struct {
	file     string // by the import path of its package
	from, to goSpot
}

// readGoProfile reads a profile. The same block is in it once for each test
// binary.
func readGoProfile(profile, root string, modules map[string]string) (reach, error) {
	files := map[string]map[goBlock]bool{}
	err := withFile(profile, func(f *os.File) error {
		return eachLine(f, func(line []byte) {
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
	out := reach{}
	for name, blocks := range files {
		if dir := goPackageDir(modules, path.Dir(name)); dir != "" {
			out.addGo(root, filepath.Join(dir, path.Base(name)), blocks)
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
func (l reach) addGo(root, file string, blocks map[goBlock]bool) {
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
		if !goStatement(n) {
			return true
		}
		p := fset.PositionFor(n.Pos(), false)
		at := goSpot{p.Line, p.Column}
		after, _ := slices.BinarySearchFunc(order, at, func(b goBlock, at goSpot) int {
			if b.from.compare(at) <= 0 {
				return -1
			}
			return 1
		})
		if after > 0 && at.compare(order[after-1].to) < 0 {
			l.note(filepath.ToSlash(file), at.line, blocks[order[after-1]])
		}
		return true
	})
}

// goStatement reports whether a node is a statement that does something itself.
func goStatement(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause:
		return false
	}
	_, ok := n.(ast.Stmt)
	return ok
}
