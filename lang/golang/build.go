package golang

import (
	"cmp"
	"context"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	positionPattern = lazyregexp.New(`^(?:vet: )?(\S.*?\.go):(\d+)(?::\d+)?: (.*)$`)

	// unfetchedPattern is what the go command says of a module that it did not get.
	unfetchedPattern = lazyregexp.New(`\S@v\d\S*: (?:reading|Get|module lookup|unrecognized)|dial tcp|lookup |GOPROXY=off`)

	// environmentPattern is what the environment is to blame for: what the go command
	// cannot fetch, it tells behind MODULE@VERSION. loadPattern is what is wrong with
	// packages and not with their text.
	environmentPattern = lazyregexp.New(`^(?:go: )?[^\s:]+@v\d[^\s:]*: |missing go\.sum|GOPROXY=off|dial tcp|lookup |go\.mod requires go >=|updates to go\.mod|parsing go\.mod|does not contain main module`)
	loadPattern        = lazyregexp.New(`import cycle|found packages|build constraints exclude|use of internal package|pattern .*: |is a program, not`)

	missingNamePattern = lazyregexp.New(`^undefined: (?:.*\.)?([^.\s]+)$` +
		`|undefined \(type .* has no field or method ([^,)\s]+)` +
		`|^unknown field (\S+) in struct literal` +
		`|\(missing method ([^)\s]+)\)` +
		`|^name (\S+) not exported by package`)
	missingPackagePattern = lazyregexp.New(`no required module provides package ([^\s;:]+)` +
		`|package (\S+) is not in std` +
		`|cannot find module providing package ([^\s;:]+)` +
		`|does not contain package ([^\s;:]+)`)
)

// buildLog reads what the go command prints of a build that failed.
type buildLog struct {
	places  *testrun.Places
	modules moduleDirs
	setup   bool // nothing was compiled: the packages could not be loaded
	untyped bool // go vet says that it could not check the types
	found   []gates.Diagnostic
	rest    []string // lines without a position
}

// read takes in a line of a build's output.
func (b *buildLog) read(line string) {
	line = strings.TrimRight(line, "\n")
	b.untyped = b.untyped || strings.HasPrefix(line, "vet: ")
	switch {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"):
	case strings.HasPrefix(line, "\t") && len(b.found) > 0:
		b.found[len(b.found)-1].Message += "; " + strings.TrimSpace(line)
	default:
		hit := positionPattern().FindStringSubmatch(line)
		if hit == nil {
			b.rest = append(b.rest, line)
			return
		}
		b.found = append(b.found, b.diagnostic(b.places.Relative(hit[1]), output.Atoi(hit[2]), hit[3]))
	}
}

// diagnostic is one finding. Whether a file is Go at all shows when it is parsed: what parsers
// complain of has many words, and some of them are the compiler's too.
func (b *buildLog) diagnostic(file string, line int, text string) gates.Diagnostic {
	d := gates.Diagnostic{File: file, Line: line, Message: text}
	d.Class, d.Symbol = b.class(text)
	if d = b.places.Asked(d); d.Class == gates.ClassCompile && file != "" {
		if _, err := parser.ParseFile(token.NewFileSet(), filepath.Join(b.places.Dir, filepath.FromSlash(file)), nil, parser.SkipObjectResolution); err != nil {
			d.Class = gates.ClassSyntax
		}
	}
	return d
}

// class says what kind of error a text is, and which name it misses.
func (b *buildLog) class(text string) (gates.Class, string) {
	if hit := missingPackagePattern().FindStringSubmatch(text); hit != nil {
		if name := cmp.Or(hit[1:]...); b.own(name) {
			return gates.ClassMissingSymbol, path.Base(name)
		}
		return gates.ClassInfra, ""
	}
	if hit := missingNamePattern().FindStringSubmatch(text); hit != nil {
		return gates.ClassMissingSymbol, cmp.Or(hit[1:]...)
	}
	switch {
	case environmentPattern.MatchString(text):
		return gates.ClassInfra, ""
	case strings.HasPrefix(text, "syntax error:"):
		return gates.ClassSyntax, ""
	}
	return gates.ClassCompile, ""
}

// own reports whether an import path would be the project's. Without a dot in
// its first element no module can be fetched by it.
func (b *buildLog) own(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return b.modules.packageDir(importPath) != "" || !strings.Contains(first, ".")
}

// findings returns what was read. A build that failed without a position is
// explained by all that it said.
func (b *buildLog) findings() []gates.Diagnostic {
	if len(b.found) > 0 || len(b.rest) == 0 {
		return b.found
	}
	text := strings.Join(b.rest, "\n")
	class, _ := b.class(text)
	if !loadPattern.MatchString(text) && (class == gates.ClassSyntax || b.setup) {
		class = gates.ClassInfra
	}
	return []gates.Diagnostic{{Class: class, Message: output.EndOf(text, output.MessageLimit)}}
}

// readCheck runs go vet and reads its complaints.
func readCheck(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	build := &buildLog{places: s.Places(), modules: findModules(s.Request.Dir)}
	end, err := s.Run(ctx, testrun.Job{Name: "check", Argv: vetArgs(argv), OnLine: func(line []byte) { build.read(string(line)) }})
	if _, ok := end.Trouble(); err != nil || ok || end.Exit == 0 || len(build.found) == 0 {
		return end.Verdict(), err
	}
	r := testrun.Broken(build.found)
	if !build.untyped && !slices.ContainsFunc(build.found, func(d gates.Diagnostic) bool { return d.Class != gates.ClassCompile }) {
		r.Outcome = gates.Failed
	}
	return r, nil
}
