package golang

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// measure lets go test write a profile of all packages of the project.
func measure(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	modules := findModules(s.Request.Dir)
	if _, ok := testArgs(argv, modules); !ok {
		return testrun.Covering{}, coverage.Unmeasuredf("for Go it is read from go test itself, and the test command is %s", argv[0])
	}
	profile := filepath.Join(s.Coverage, "profile")
	args := []string{argv[0], "test", "-coverprofile=" + profile}
	if !hasFlag(argv, "-vet") {
		args = append(args, "-vet=off") // the run without coverage had it
	}
	if !hasFlag(argv, "-coverpkg") {
		all := gates.Each(modules.sorted(), func(dir string) string { return "./" + path.Join(filepath.ToSlash(dir), "...") })
		args = append(args, "-coverpkg="+strings.Join(all, ","))
	}
	return testrun.Covering{
		Argv: append(args, withoutFlag(argv[2:], "-coverprofile")...),
		Read: func(context.Context, *testrun.Places) (coverage.Lines, error) {
			return readProfile(profile, s.Request.Dir, modules)
		},
	}, nil
}

// readProfile reads a profile.
func readProfile(profile, root string, modules moduleDirs) (coverage.Lines, error) {
	out := coverage.Lines{}
	err := output.WithFile(profile, func(f *os.File) error {
		files, err := cover.ParseProfilesFromReader(f)
		for _, file := range files {
			if dir := modules.packageDir(path.Dir(file.FileName)); dir != "" {
				addStatements(out, root, filepath.Join(dir, path.Base(file.FileName)), file.Blocks)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the coverage profile: %w", err)
	}
	return out, nil
}

// addStatements notes the lines of a file on which a statement begins: a
// statement that is written over several lines counts once. The blocks are in
// the order of the file.
func addStatements(l coverage.Lines, root, file string, blocks []cover.ProfileBlock) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if !isStatement(n) {
			return true
		}
		at := fset.PositionFor(n.Pos(), false)
		after := sort.Search(len(blocks), func(i int) bool { return isBefore(at, blocks[i].StartLine, blocks[i].StartCol) })
		if after > 0 && isBefore(at, blocks[after-1].EndLine, blocks[after-1].EndCol) {
			l.Note(filepath.ToSlash(file), at.Line, blocks[after-1].Count > 0)
		}
		return true
	})
}

func isBefore(at token.Position, line, column int) bool {
	return cmp.Or(cmp.Compare(at.Line, line), cmp.Compare(at.Column, column)) < 0
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
