package testrun

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// goEvent is one line of go test -json.
type goEvent struct {
	Action      string // start, run, output, pass, fail, skip, build-output, build-fail
	Package     string
	ImportPath  string // of a build
	Test        string // empty where the event is about the package
	Output      string
	FailedBuild string
}

// parseGoEvent reads a line. What is no event of the go command is not ok.
func parseGoEvent(line []byte) (e goEvent, ok bool) {
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil {
		return goEvent{}, false
	}
	return e, e.Action != "" && (e.Package != "" || e.ImportPath != "")
}

// goTestState is what was heard of one test.
type goTestState struct {
	started bool
	marked  bool   // the testing package printed its verdict line
	verdict string // pass, fail, skip; empty where there is none
	class   gates.Class
	out     string // the end of what it printed
}

// goPackage is what was heard of one package.
type goPackage struct {
	tests  map[string]*goTestState
	names  []string // of tests, in the order in which they started
	done   string   // the verdict on the package, from an event about the package itself
	failed string   // the build that failed
	setup  bool     // it failed before compiling
	class  gates.Class
	out    string
}

// goRun is all that was heard in one run of go test.
type goRun struct {
	packages map[string]*goPackage
	order    []string
	builds   map[string][]string // lines that a build printed, by import path
}

func newGoRun() *goRun {
	return &goRun{packages: make(map[string]*goPackage), builds: make(map[string][]string)}
}

// read takes in a line of standard output and returns what a person should see
// of it: what go test prints without -v.
func (g *goRun) read(line []byte) string {
	e, ok := parseGoEvent(line)
	switch {
	case !ok:
		return string(line) + "\n"
	case e.Package == "":
		if e.Action == "build-output" {
			g.builds[e.ImportPath] = append(g.builds[e.ImportPath], e.Output)
		}
		return e.Output
	}
	p := g.packages[e.Package]
	if p == nil {
		p = &goPackage{tests: make(map[string]*goTestState)}
		g.packages[e.Package] = p
		g.order = append(g.order, e.Package)
	}
	if e.Test == "" {
		return p.own(e)
	}
	return p.test(e)
}

// own takes in an event about the package itself.
func (p *goPackage) own(e goEvent) string {
	switch e.Action {
	case "output":
		p.out = endOf(p.out+e.Output, 2*messageLimit)
		p.class = gates.Worse(p.class, goPanic(e.Output))
		p.setup = p.setup || strings.HasSuffix(e.Output, "[setup failed]\n")
	case "pass", "fail", "skip":
		p.failed = e.FailedBuild
		if p.done != "fail" {
			p.done = e.Action
		}
	}
	return e.Output
}

// test takes in an event about one test.
func (p *goPackage) test(e goEvent) string {
	t := p.tests[e.Test]
	if t == nil {
		t = &goTestState{}
		p.tests[e.Test] = t
		p.names = append(p.names, e.Test)
	}
	switch e.Action {
	case "run":
		t.started = true
	case "output":
		t.hear(e)
	case "pass", "fail", "skip":
		return t.end(e.Action)
	}
	return ""
}

// hear takes in what a test printed, and what the testing package printed of it.
func (t *goTestState) hear(e goEvent) {
	line := strings.TrimLeft(e.Output, " ")
	if strings.HasPrefix(line, "=== ") {
		return
	}
	if rest, ok := strings.CutPrefix(line, "--- "); ok {
		verdict, name, _ := strings.Cut(rest, ": ")
		t.marked = t.marked || (verdict == "PASS" || verdict == "SKIP") && strings.HasPrefix(name, e.Test+" (")
	}
	t.class = gates.Worse(t.class, goPanic(e.Output))
	t.out = endOf(t.out+e.Output, 2*messageLimit)
}

// end takes in a verdict. A failure is never taken back, and what passed needs
// the testing package's own word.
func (t *goTestState) end(verdict string) (show string) {
	if !t.started || t.verdict == "fail" || (verdict != "fail" && !t.marked) {
		return ""
	}
	t.verdict = verdict
	if verdict == "fail" {
		return t.out
	}
	t.out = endOf(t.out, 0)
	return ""
}

var (
	goStubRE  = regexp.MustCompile(`(?i)not (yet )?implemented|unimplemented|\bTODO\b`)
	goFatalRE = regexp.MustCompile(`^(fatal error: |signal: |SIG[A-Z]+: )`)
)

// goPanic is the class that one line of output gives to what printed it.
func goPanic(line string) gates.Class {
	text, panicked := strings.CutPrefix(line, "panic: ")
	switch {
	case panicked && strings.HasPrefix(text, "test timed out after"):
		return gates.ClassTimeout
	case panicked && goStubRE.MatchString(text):
		return gates.ClassUnimplemented
	case panicked, strings.Contains(line, ": race detected during execution of test"):
		return gates.ClassException
	case goFatalRE.MatchString(line):
		return gates.ClassCrash
	}
	return gates.ClassNone
}

// running lists the tests of a package that were started and have no verdict.
func (p *goPackage) running() []string {
	var out []string
	for _, name := range p.names {
		if t := p.tests[name]; t.started && t.verdict == "" {
			out = append(out, name)
		}
	}
	return out
}

// panicked lists the top-level tests that ended the whole package.
func (p *goPackage) panicked() []string {
	var out []string
	for _, name := range p.names {
		t := p.tests[name]
		if t.verdict == "fail" && (t.class == gates.ClassUnimplemented || t.class == gates.ClassException) {
			top, _, _ := strings.Cut(name, "/")
			if !slices.Contains(out, top) {
				out = append(out, top)
			}
		}
	}
	return out
}

// adopt takes over what a later run of the same package adds: verdicts on
// tests that have none, and the end.
func (p *goPackage) adopt(later *goPackage) {
	for _, name := range later.names {
		if t := p.tests[name]; t == nil || t.verdict == "" {
			if t == nil {
				p.names = append(p.names, name)
			}
			p.tests[name] = later.tests[name]
		}
	}
}
