package golang

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// reruns is how often a package is run again without the tests that panicked, so
// that the others get a verdict too.
const reruns = 3

// testRun turns the events of a test command into facts.
type testRun struct {
	session *testrun.Session
	places  *testrun.Places
	modules moduleDirs
	end     testrun.Ended
	seen    *transcript
	ours    bool // go test itself was called
	tagged  bool // with tags, so that nobody knows which files are built

	tests  []gates.Test
	broken []gates.Diagnostic // packages that could not be built or loaded, tests that a panic kept from running
	gaps   []gates.Diagnostic // what is missing from the proof that the run finished
}

// readTest runs go test, or any command that runs it, and reads its events.
// Where there are none the exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	r := &testRun{session: s, places: s.Places(), modules: findModules(s.Request.Dir), seen: newTranscript()}
	argv, r.ours = testArgs(argv, r.modules)
	r.tagged = hasFlag(argv, "-tags") || strings.Contains(testrun.LookupEnv(s.Env, "GOFLAGS"), "-tags")
	j, err := r.job(argv)
	if err != nil {
		return testrun.Verdict{}, err
	}
	if r.end, err = s.Run(ctx, j); err != nil {
		return testrun.Verdict{}, err
	}
	r.seen.blame()
	if len(r.seen.packages) == 0 {
		return r.silent(), nil
	}
	if r.ours && !r.end.TimedOut {
		if err := r.rerun(ctx, j.Argv); err != nil {
			return testrun.Verdict{}, err
		}
	}
	for _, name := range r.seen.order {
		r.add(name, r.seen.packages[name])
	}
	return r.settle(), nil
}

// job is the command that reports as JSON, and starts test programs so that they
// change nothing that a later build uses. What was altered is not vetted.
func (r *testRun) job(argv []string) (testrun.Job, error) {
	var flags []string
	if r.session.Request.Altered {
		flags = append(flags, "-vet=off")
	}
	keeper, err := r.session.Keeper()
	switch {
	case keeper != "" && r.ours:
		flags = append(flags, `-exec="`+keeper+`"`)
	case keeper != "" && !strings.ContainsAny(keeper, " '\""):
		flags = append(flags, "-exec="+keeper)
	}
	j, goflags := testrun.Job{Name: "test", Argv: argv, Line: r.seen.read}, testrun.LookupEnv(r.session.Env, "GOFLAGS")
	if !r.ours {
		j.Env = []string{"GOFLAGS=" + strings.TrimSpace(goflags+" -json -gcflags=-e "+strings.Join(flags, " "))}
		return j, err
	}
	j.Argv = slices.Insert(slices.Clone(withLimit(argv, goflags, r.session.Request.Commands.Timeout)), 2, lacking(argv, flags...)...)
	return j, err
}

// silent judges a run that reported on no package at all.
func (r *testRun) silent() testrun.Verdict {
	v := r.end.Verdict()
	if !r.ours {
		return v
	}
	switch v.Detail = gates.DetailTest; {
	case r.end.Refused != "" || r.end.TimedOut:
		return v
	case r.end.Exit == 0 || strings.Contains(r.end.Output, "matched no packages"):
		v.Outcome = gates.Empty
		v.Diagnostics = []gates.Diagnostic{{Class: gates.ClassNoTests, Message: "no package matched: " + output.LastLine(r.end.Output)}}
		return v
	}
	if found := r.unbuilt(&packageState{setup: true}); len(found) > 0 {
		return testrun.Broken(found)
	}
	v.Outcome, v.Diagnostics = gates.Crashed, nil
	return v
}

// unbuilt is why a package could not be built. Before Go 1.24 the build's output is plain text.
func (r *testRun) unbuilt(p *packageState) []gates.Diagnostic {
	build := &buildLog{places: r.places, modules: r.modules, setup: p.setup}
	for line := range strings.Lines(cmp.Or(strings.Join(r.seen.builds[p.failed], ""), r.end.Output)) {
		build.read(line)
	}
	return build.findings()
}

// rerun runs the packages that a panic ended once more, without the tests that
// panicked, until every declared test has a verdict or it has been tried often
// enough.
func (r *testRun) rerun(ctx context.Context, argv []string) error {
	if hasFlag(argv, "-skip") {
		return nil
	}
	for _, name := range r.seen.order {
		p := r.seen.packages[name]
		for range reruns {
			if skip := p.panicked(); len(skip) == 0 || len(r.lost(name, p)) == 0 {
				break
			}
			later, err := r.again(ctx, argv, name)
			if err != nil || later == nil {
				return err
			}
			p.adopt(later)
		}
	}
	return nil
}

// again runs one package without the tests of it that panicked so far.
func (r *testRun) again(ctx context.Context, argv []string, name string) (*packageState, error) {
	args := []string{argv[0], "test", "-skip=^" + output.AnyOf(r.seen.packages[name].panicked()) + "$"}
	args = append(args, slices.DeleteFunc(withoutFlag(argv[2:], "-coverprofile"), r.isPackage)...)
	args = append(args, name)
	later := newTranscript()
	end, err := r.session.Run(ctx, testrun.Job{Name: "test", Argv: args, Line: later.read})
	later.blame()
	if end.TimedOut {
		r.end = end
	}
	return later.packages[name], err
}

// isPackage reports whether an argument names packages and not a flag's value.
func (r *testRun) isPackage(arg string) bool {
	return arg == "." || strings.HasPrefix(arg, "./") || strings.HasSuffix(arg, "...") && arg[0] != '-' || r.seen.packages[arg] != nil
}

// lost lists the declared tests of a package that have no verdict and should.
func (r *testRun) lost(name string, p *packageState) []string {
	var out []string
	for test, at := range declarations(r.session.Request.Dir, r.modules.packageDir(name)) {
		if t := p.tests[test]; (t == nil || t.verdict == "") && (!at.unrun || r.tagged) {
			out = append(out, test)
		}
	}
	slices.Sort(out)
	return out
}

// add takes in what was seen of one package.
func (r *testRun) add(name string, p *packageState) {
	if p.failed != "" || p.unbuilt {
		found := r.unbuilt(p)
		if len(found) == 0 {
			found = []gates.Diagnostic{{Class: gates.ClassInfra, Message: name + ": " + output.LastLine(p.out)}}
		}
		r.broken = gates.Union(r.broken, found)
		return
	}
	declared := declarations(r.session.Request.Dir, r.modules.packageDir(name))
	for _, test := range p.names {
		if t := p.tests[test]; t.started && t.verdict != "" {
			r.tests = append(r.tests, p.result(name, test, declared))
		}
	}
	r.prove(name, p)
}

// prove notes what keeps a package's verdicts from being the whole truth.
func (r *testRun) prove(name string, p *packageState) {
	running := p.running()
	gap := func(class gates.Class, format string, args ...any) {
		r.gaps = append(r.gaps, gates.Diagnostic{Class: class, Message: name + ": " + fmt.Sprintf(format, args...)})
	}
	switch {
	case r.end.TimedOut || p.has(gates.ClassTimeout): // our limit, or the one that go test sets
		if len(running) > 0 || p.done == "" {
			gap(gates.ClassTimeout, "running when the time was over: %s", output.FirstFew(running))
		}
	case p.done == "":
		gap(gates.ClassCrash, "it ended without a verdict on the package; running: %s", output.FirstFew(running))
	case p.has(gates.ClassCrash):
		gap(gates.ClassCrash, "the test process died (%s); running: %s", p.fatal, output.FirstFew(running))
	case len(p.panicked()) > 0:
		if lost := r.lost(name, p); len(lost) > 0 {
			r.broken = append(r.broken, gates.Diagnostic{
				Class: gates.ClassException, Message: name + ": a panic kept these from running: " + output.FirstFew(lost),
			})
		}
	case len(running) > 0:
		gap(gates.ClassCrash, "it ended while this was running: %s", output.FirstFew(running))
	case p.done == "fail" && len(p.failedBelow("")) == 0:
		r.broken = append(r.broken, gates.Diagnostic{
			Class: gates.Worse(p.class, gates.ClassException), Message: name + ": no test failed, but the package did: " + message(p.out),
		})
	}
}

// settle is the verdict on the whole run.
func (r *testRun) settle() testrun.Verdict {
	v := testrun.Reported(r.end, r.tests, r.gaps, r.broken...)
	if v.Outcome == gates.Crashed && slices.ContainsFunc(r.gaps, func(d gates.Diagnostic) bool { return d.Class == gates.ClassTimeout }) {
		v.Outcome, v.Diagnostics = gates.Timeout, r.gaps
	}
	return v
}
