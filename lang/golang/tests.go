package golang

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// reruns is how often a package is started again without the tests that
// panicked, so that the others have a verdict too.
const reruns = 3

// result turns what was heard into facts.
type result struct {
	b       *testrun.Session
	places  *testrun.Places
	modules map[string]string
	end     testrun.Ended
	run     *goRun
	ours    bool // go test itself was called

	report testrun.Verdict
	broken []gates.Diagnostic // packages that could not be built or loaded, tests that a panic kept from running
	gaps   []gates.Diagnostic // what is missing from the proof that the run finished
}

// readGoTest runs go test, or any command that runs it, and reads its events.
// Where there are none the exit code decides.
func readGoTest(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	g := &result{b: b, places: b.Places(), modules: goModules(b.Request.Dir), run: newGoRun()}
	argv, g.ours = goArgs(argv, g.modules)
	j := testrun.Job{Name: "test", Argv: argv, Line: g.run.read}
	if !g.ours {
		flags := strings.TrimSpace(testrun.LookupEnv(b.Env, "GOFLAGS") + " -json -gcflags=-e")
		j.Env = []string{"GOFLAGS=" + flags}
	}
	var err error
	if g.end, err = b.Run(ctx, j); err != nil {
		return testrun.Verdict{}, err
	}
	g.run.blame()
	if len(g.run.packages) == 0 {
		return g.silent(), nil
	}
	if g.ours && !g.end.TimedOut {
		if err := g.rerun(ctx, argv); err != nil {
			return testrun.Verdict{}, err
		}
	}
	for _, name := range g.run.order {
		g.add(name, g.run.packages[name])
	}
	g.settle()
	return g.report, nil
}

// silent judges a run that reported on no package at all.
func (g *result) silent() testrun.Verdict {
	r := g.end.Verdict()
	if !g.ours {
		return r
	}
	r.Detail = gates.DetailTest
	if g.end.Refused != "" || g.end.TimedOut {
		return r
	}
	if g.end.Exit == 0 || strings.Contains(g.end.Output, "matched no packages") {
		r.Outcome = gates.Empty
		r.Diagnostics = []gates.Diagnostic{{Class: gates.ClassNoTests, Message: "no package matched: " + output.LastLine(g.end.Output)}}
		return r
	}
	build := newGoBuild(g.places, g.modules)
	build.setup = true
	for line := range strings.Lines(g.end.Output) {
		build.read(line)
	}
	r.Outcome, r.Diagnostics = gates.Broken, build.findings()
	if len(r.Diagnostics) == 0 || slices.ContainsFunc(r.Diagnostics, testrun.NoFact) {
		r.Outcome = gates.Crashed
	}
	return r
}

// rerun starts the packages that a panic ended again, without the tests that
// panicked, until every declared test has a verdict or it has been tried enough.
func (g *result) rerun(ctx context.Context, argv []string) error {
	if hasGoFlag(argv, "-skip") {
		return nil
	}
	for _, name := range g.run.order {
		p := g.run.packages[name]
		for range reruns {
			if skip := p.panicked(); len(skip) == 0 || len(g.lost(name, p)) == 0 {
				break
			}
			later, err := g.again(ctx, argv, name)
			if err != nil || later == nil {
				return err
			}
			p.adopt(later)
		}
	}
	return nil
}

// again runs one package without the tests of it that panicked so far.
func (g *result) again(ctx context.Context, argv []string, name string) (*goPackage, error) {
	patterns := make([]string, 0, 1)
	for _, test := range g.run.packages[name].panicked() {
		patterns = append(patterns, regexp.QuoteMeta(test))
	}
	args := []string{argv[0], "test", "-skip=^(" + strings.Join(patterns, "|") + ")$"}
	for _, arg := range withoutGoFlag(argv[2:], "-coverprofile") {
		if strings.HasPrefix(arg, "-") || !g.isPackage(arg) {
			args = append(args, arg)
		}
	}
	args = append(args, name)
	run := newGoRun()
	end, err := g.b.Run(ctx, testrun.Job{Name: "test", Argv: args, Line: run.read})
	run.blame()
	if end.TimedOut {
		g.end = end
	}
	return run.packages[name], err
}

// isPackage reports whether an argument names packages and not a flag's value.
func (g *result) isPackage(arg string) bool {
	return arg == "." || strings.HasPrefix(arg, "./") || strings.HasSuffix(arg, "...") || g.run.packages[arg] != nil
}

// lost lists the declared tests of a package that have no verdict.
func (g *result) lost(name string, p *goPackage) []string {
	var out []string
	for test := range declarations(g.b.Request.Dir, packageDir(g.modules, name)) {
		if t := p.tests[test]; t == nil || t.verdict == "" {
			out = append(out, test)
		}
	}
	slices.Sort(out)
	return out
}

// add takes in what was heard of one package.
func (g *result) add(name string, p *goPackage) {
	if p.failed != "" || p.unbuilt {
		g.addBuild(name, p)
		return
	}
	declared := declarations(g.b.Request.Dir, packageDir(g.modules, name))
	for _, test := range p.names {
		if t := p.tests[test]; t.started && t.verdict != "" {
			g.report.Tests = append(g.report.Tests, p.fact(name, test, declared))
		}
	}
	g.prove(name, p)
}

// addBuild takes in a package that could not be built.
func (g *result) addBuild(name string, p *goPackage) {
	build := newGoBuild(g.places, g.modules)
	build.setup = p.setup
	lines := g.run.builds[p.failed]
	if len(lines) == 0 { // before Go 1.24 the build's output is plain text
		lines = slices.Collect(strings.Lines(g.end.Output))
	}
	for _, line := range lines {
		build.read(line)
	}
	found := build.findings()
	if len(found) == 0 {
		found = []gates.Diagnostic{{Class: gates.ClassInfra, Message: name + ": " + output.LastLine(p.out)}}
	}
	for _, d := range found {
		if !slices.Contains(g.broken, d) {
			g.broken = append(g.broken, d)
		}
	}
}

// prove notes what keeps a package's verdicts from being the whole truth.
func (g *result) prove(name string, p *goPackage) {
	running := p.running()
	gap := func(class gates.Class, format string, args ...any) {
		g.gaps = append(g.gaps, gates.Diagnostic{Class: class, Message: name + ": " + fmt.Sprintf(format, args...)})
	}
	switch {
	case g.timedOut(p):
		if len(running) > 0 || p.done == "" {
			gap(gates.ClassTimeout, "running when the time was over: %s", output.FirstFew(running))
		}
	case p.done == "":
		gap(gates.ClassCrash, "it ended without a verdict on the package; running: %s", output.FirstFew(running))
	case p.has(gates.ClassCrash):
		gap(gates.ClassCrash, "the test process died: %s", output.LastLine(p.out))
	case len(p.panicked()) > 0:
		if lost := g.lost(name, p); len(lost) > 0 {
			g.broken = append(g.broken, gates.Diagnostic{
				Class: gates.ClassException, Message: name + ": a panic kept these from running: " + output.FirstFew(lost),
			})
		}
	case len(running) > 0:
		gap(gates.ClassCrash, "it ended while this was running: %s", output.FirstFew(running))
	case p.done == "fail" && !p.anyFailed():
		g.broken = append(g.broken, gates.Diagnostic{
			Class: gates.Worse(p.class, gates.ClassException), Message: name + ": no test failed, but the package did: " + message(p.out),
		})
	}
}

// timedOut reports whether the time ran out: ours, or the one that go test sets.
func (g *result) timedOut(p *goPackage) bool {
	return g.end.TimedOut || p.has(gates.ClassTimeout)
}

// has reports whether anything in the package was of this class.
func (p *goPackage) has(class gates.Class) bool {
	if p.class == class {
		return true
	}
	for _, t := range p.tests {
		if t.class == class && t.verdict != "pass" {
			return true
		}
	}
	return false
}

// anyFailed reports whether a test of the package failed.
func (p *goPackage) anyFailed() bool {
	return slices.ContainsFunc(p.names, func(name string) bool { return p.tests[name].verdict == "fail" })
}

// settle decides the outcome of the whole run.
func (g *result) settle() {
	g.report.Detail = gates.DetailTest
	trouble, ok := g.end.Trouble()
	switch {
	case ok:
		g.report.Outcome = trouble.Outcome
		g.report.Diagnostics = slices.Concat(trouble.Diagnostics, g.gaps)
	case slices.ContainsFunc(g.gaps, func(d gates.Diagnostic) bool { return d.Class == gates.ClassTimeout }):
		g.report.Outcome, g.report.Diagnostics = gates.Timeout, g.gaps
	case len(g.gaps) > 0:
		g.report.Outcome, g.report.Diagnostics = gates.Crashed, slices.Concat(g.gaps, g.broken)
	case slices.ContainsFunc(g.broken, testrun.NoFact):
		g.report.Outcome, g.report.Diagnostics = gates.Crashed, g.broken
	case len(g.broken) > 0:
		g.report.Outcome, g.report.Diagnostics = gates.Broken, g.broken
	default:
		g.report.Outcome, g.report.Diagnostics = testrun.Conclude(g.report.Tests, nil, g.end)
	}
}
