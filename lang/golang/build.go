package golang

import (
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// goBuild reads what the go command prints of a build that failed.
type goBuild struct {
	places  *testrun.Places
	modules map[string]string // directories of the project's modules, by module path
	setup   bool              // nothing was compiled: the packages could not be loaded
	untyped bool              // go vet says that it could not check the types
	out     []gates.Diagnostic
	rest    []string // lines without a position

	position *regexp.Regexp   // cuts a line into file, line and text
	missing  []*regexp.Regexp // find the name that an error misses
	packages []*regexp.Regexp // find the package that one misses
	infra    *regexp.Regexp   // what the environment is to blame for
	load     *regexp.Regexp   // what is wrong with packages, not with their text
}

func newGoBuild(p *testrun.Places, modules map[string]string) *goBuild {
	return &goBuild{
		places: p, modules: modules,
		position: regexp.MustCompile(`^(?:vet: )?(\S.*?\.go):(\d+)(?::\d+)?: (.*)$`),
		infra:    regexp.MustCompile(`missing go\.sum|GOPROXY=off|dial tcp|lookup |go\.mod requires go >=|updates to go\.mod|parsing go\.mod|does not contain main module`),
		load:     regexp.MustCompile(`import cycle|found packages|build constraints exclude|use of internal package|pattern .*: |is a program, not`),
		missing: []*regexp.Regexp{
			regexp.MustCompile(`^undefined: (?:.*\.)?([^.\s]+)$`),
			regexp.MustCompile(`undefined \(type .* has no field or method ([^,)\s]+)`),
			regexp.MustCompile(`^unknown field (\S+) in struct literal`),
			regexp.MustCompile(`\(missing method ([^)\s]+)\)`),
			regexp.MustCompile(`^name (\S+) not exported by package`),
		},
		packages: []*regexp.Regexp{
			regexp.MustCompile(`no required module provides package ([^\s;:]+)`),
			regexp.MustCompile(`package (\S+) is not in std`),
			regexp.MustCompile(`cannot find module providing package ([^\s;:]+)`),
			regexp.MustCompile(`does not contain package ([^\s;:]+)`),
		},
	}
}

// read takes in a line of a build's output.
func (g *goBuild) read(line string) {
	line = strings.TrimRight(line, "\n")
	g.untyped = g.untyped || strings.HasPrefix(line, "vet: ")
	switch {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"):
	case strings.HasPrefix(line, "\t") && len(g.out) > 0:
		g.out[len(g.out)-1].Message += "; " + strings.TrimSpace(line)
	default:
		hit := g.position.FindStringSubmatch(line)
		if hit == nil {
			g.rest = append(g.rest, line)
			return
		}
		n, _ := strconv.Atoi(hit[2]) // digits; too many are line 0
		g.out = append(g.out, g.diagnostic(g.places.Relative(hit[1]), n, hit[3]))
	}
}

// diagnostic is one finding. A name that production code misses was not asked
// for by a test: that is an ordinary compile error.
func (g *goBuild) diagnostic(file string, line int, text string) gates.Diagnostic {
	d := gates.Diagnostic{File: file, Line: line, Message: text}
	d.Class, d.Symbol = g.class(text)
	if d.Class == gates.ClassMissingSymbol && g.places.Of(file, line) != testrun.InTest {
		d.Class, d.Symbol = gates.ClassCompile, ""
	}
	if d.Class == gates.ClassCompile && file != "" && !g.parses(file) {
		d.Class = gates.ClassSyntax
	}
	return d
}

// parses reports whether a file is Go at all: what parsers complain of has many
// words, and some of them are the compiler's too.
func (g *goBuild) parses(file string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), filepath.Join(g.places.Dir, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
	return err == nil
}

// class says what kind of error a text is, and which name it misses.
func (g *goBuild) class(text string) (gates.Class, string) {
	for _, re := range g.packages {
		if hit := re.FindStringSubmatch(text); hit != nil {
			if g.own(hit[1]) {
				return gates.ClassMissingSymbol, path.Base(hit[1])
			}
			return gates.ClassInfra, ""
		}
	}
	for _, re := range g.missing {
		if hit := re.FindStringSubmatch(text); hit != nil {
			return gates.ClassMissingSymbol, hit[1]
		}
	}
	switch {
	case g.infra.MatchString(text):
		return gates.ClassInfra, ""
	case g.load.MatchString(text):
		return gates.ClassCompile, ""
	case strings.HasPrefix(text, "syntax error:"):
		return gates.ClassSyntax, ""
	}
	return gates.ClassCompile, ""
}

// own reports whether an import path would be the project's. Without a dot in
// its first element no module can be fetched by it.
func (g *goBuild) own(importPath string) bool {
	for module := range g.modules {
		if importPath == module || strings.HasPrefix(importPath, module+"/") {
			return true
		}
	}
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// findings returns what was read. A build that failed without a position is
// explained by all that it said.
func (g *goBuild) findings() []gates.Diagnostic {
	if len(g.out) > 0 || len(g.rest) == 0 {
		return g.out
	}
	text := strings.Join(g.rest, "\n")
	class, _ := g.class(text)
	if !g.load.MatchString(text) && (class == gates.ClassSyntax || g.setup) {
		class = gates.ClassInfra
	}
	return []gates.Diagnostic{{Class: class, Message: output.EndOf(text, output.MessageLimit)}}
}
