package rust

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// testRun is one run of the tests, by cargo or nextest.
type testRun struct {
	session *testrun.Session
	places  *testrun.Places
	argv    []string
	env     []string // by which the wrapper is used
	build   *cargoBuild
	docs    *doctests
	end     testrun.Ended
	tests   []gates.Test
	gaps    []gates.Diagnostic // what is missing from the proof that the run finished
	ours    bool               // cargo itself was called: its messages tell the targets
	nextest bool               // nextest runs the tests, each in a process of its own
	ran     map[string]bool    // the test binaries that ran, or were asked for their tests
	known   map[string]int     // where in the report a test stands, by its id
}

// readTest runs cargo test, or any command that runs it, and reads what
// compiler, test binaries and rustdoc reported. Where none of them reported
// anything, the exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	env, err := installWrapper(s)
	if err == nil && env == nil {
		return s.ByExitCode(ctx, "test", argv)
	}
	c := &testRun{
		session: s, places: s.Places(), argv: argv, env: env, build: newCargoBuild(s.Places()),
		docs: &doctests{}, ran: make(map[string]bool), known: make(map[string]int),
	}
	if err == nil {
		err = c.run(ctx)
	}
	if err == nil {
		err = c.buildRest(ctx)
	}
	var all []record
	if err == nil {
		all, err = records(s)
	}
	if err != nil {
		return testrun.Verdict{}, err
	}
	if len(c.docs.tests) == 0 && !c.build.finished && !c.ours && !slices.ContainsFunc(all, func(r record) bool { return !r.asked }) {
		if failed, ok := c.build.failure(c.end); ok && strings.Contains(failed.Diagnostics[0].Message, noSuchCommand) {
			return failed, nil
		}
		return c.end.Verdict(), nil
	}
	for _, r := range all {
		c.add(r)
	}
	c.addDocs()
	v := c.settle()
	s.Amend(v.Summary())
	return v, nil
}

// run runs the tests, with cargo or nextest, or whatever starts one of them.
func (c *testRun) run(ctx context.Context) (err error) {
	argv := c.argv
	if argv, c.nextest = nextestArgs(argv); c.nextest {
		c.ours = true
	} else {
		argv, c.ours = cargoArgs(argv, []string{"test", "t"}, "--no-fail-fast", "--message-format=json")
	}
	job := testrun.Job{Name: "test", Argv: argv, Env: c.env, Line: c.line}
	c.end, err = c.session.Run(ctx, job)
	if err == nil && c.nextest && c.end.Exit == nextestUsage && strings.Contains(c.end.Output, nextestMessages) {
		c.ours = false // an older nextest does not pass on what cargo says
		job.Argv = append(c.argv, "--no-fail-fast")
		c.end, err = c.session.Run(ctx, job)
	}
	return err
}

// line reads a line of standard output: messages while cargo builds, then
// rustdoc. Test binaries write to files.
func (c *testRun) line(line []byte) string {
	if show, mine := c.build.read(line); mine {
		return show
	}
	c.docs.read(string(line))
	return string(line) + "\n"
}

// add takes in what one test binary reported. Tests that are ignored nextest does not
// start, but it asks the binary for them.
func (c *testRun) add(r record) {
	target := c.target(r)
	c.ran[r.exe] = true
	if !r.harness {
		c.addPlain(r, target)
		return
	}
	for _, name := range r.run.Order {
		test := c.test(r, name)
		test.ID = target + "::" + name
		if _, ran := c.known[test.ID]; test.Status != "" && (!ran || !r.asked) {
			c.note(test)
		}
	}
	why, class := r.run.incomplete(r.exit), gates.ClassCrash
	switch {
	case why == "" || r.asked:
		return
	case c.end.TimedOut:
		class = gates.ClassTimeout
	case !r.run.listed && r.refused != "":
		class, why = gates.ClassInfra, r.refused // a flag, say, that it does not know
	}
	c.gaps = append(c.gaps, gates.Diagnostic{Class: class, Message: fmt.Sprintf("%s (exit code %d): %s", target, r.exit, why)})
}

// note takes in a verdict. Where nextest tries a test again, its failure counts.
func (c *testRun) note(t gates.Test) {
	at, twice := c.known[t.ID]
	switch {
	case !twice:
		c.known[t.ID] = len(c.tests)
		c.tests = append(c.tests, t)
	case t.Status == gates.StatusFailed:
		c.tests[at] = t
	}
}

// test is the verdict on one test; it has no status where none is to be believed.
func (c *testRun) test(r record, name string) gates.Test {
	t := r.run.Tests[name]
	out := gates.Test{File: c.places.Relative(t.File, r.dir), Line: t.Line, Status: gates.Status(t.Status)}
	switch {
	case out.Status == gates.StatusFailed:
		out.Message = t.Why.Text
		out.Class = failureClass(out.Message, name, func(at string, line int) testrun.Place {
			own := c.places.Relative(at, r.dir)
			if own == out.File && line == t.Line || own == "" && forTests(at, c.places.Text(c.places.Relative("Cargo.toml", r.dir))) {
				return testrun.InTest // a macro wrote the test, or it called what only tests use
			}
			return c.places.Of(own, line)
		})
	case r.asked && out.Status == "":
		out.Status = gates.StatusSkipped
	}
	return out
}

// addPlain takes in a binary without the standard harness: one test.
func (c *testRun) addPlain(r record, id string) {
	t := gates.Test{ID: id, Status: gates.StatusPassed}
	switch {
	case r.exit < 0 || r.exit > 128:
		c.gaps = append(c.gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: fmt.Sprintf("%s: died (exit code %d)", id, r.exit)})
		return
	case r.exit > 0:
		t.Status, t.Message, t.Class = gates.StatusFailed, r.output, gates.ClassException
	}
	c.note(t)
}

// addDocs takes in the documentation tests.
func (c *testRun) addDocs() {
	for _, t := range c.docs.facts() {
		if len(c.build.packages) > 1 {
			t.ID = c.owner(t.File) + "/" + t.ID
		}
		c.tests = append(c.tests, t)
	}
	if c.docs.started || c.docs.cut {
		c.gaps = append(c.gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: "the documentation tests did not finish"})
	}
}

// owner is the name of the package that a file belongs to.
func (c *testRun) owner(file string) string {
	best := ""
	for dir := range c.build.packages {
		if strings.HasPrefix(file, dir+"/") && len(dir) > len(best) {
			best = dir
		}
	}
	return c.build.packages[best]
}

// settle is the verdict on the whole run.
func (c *testRun) settle() testrun.Verdict {
	_, stopped := c.end.Trouble()
	if failed, ok := c.build.failure(c.end); ok && c.ours && !stopped {
		failed.Tests = c.tests
		return failed
	}
	for exe := range c.build.targets {
		if !c.ran[exe] && !stopped {
			c.gaps = append(c.gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: filepath.Base(exe) + " was built but never run"})
		}
	}
	if c.nextest && c.end.Exit == nextestEmpty && !slices.ContainsFunc(c.tests, func(t gates.Test) bool { return t.Status != gates.StatusSkipped }) {
		c.end.Exit = 0
	}
	return testrun.Reported(c.end, c.tests, c.gaps)
}

// target is the part of an id that names the binary, behind its package where there are
// several. Where cargo's messages did not tell, the binary's name and the file of its
// first test do.
func (c *testRun) target(r record) string {
	pkg := ""
	if len(c.build.packages) > 1 {
		pkg = r.pkg + "/"
	}
	name := filepath.Base(r.exe)
	if at := strings.LastIndexByte(name, '-'); at > 0 {
		name = name[:at] // what follows is cargo's hash
	}
	kind, file := "lib", ""
	if len(r.run.Order) > 0 {
		file = r.run.Tests[r.run.Order[0]].File
	}
	m := c.build.targets[r.exe]
	switch {
	case len(m.Target.Kind) > 0:
		kind, name = m.Target.Kind[0], m.Target.Name
	case strings.Contains(file, "tests/"):
		kind = "test"
	case strings.HasSuffix(file, "src/main.rs"), strings.Contains(file, "src/bin/"):
		kind = "bin"
	}
	switch kind {
	case "test":
		return pkg + name
	case "bin", "example", "bench":
		return pkg + kind + "." + name
	}
	return pkg + "lib"
}
