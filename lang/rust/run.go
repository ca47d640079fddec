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
	places  *testrun.Places
	build   *cargoBuild
	docs    *doctests
	end     testrun.Ended
	verdict testrun.Verdict
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
	if err != nil {
		return testrun.Verdict{}, err
	}
	if env == nil {
		return s.ByExitCode(ctx, "test", argv)
	}
	p := s.Places()
	c := &testRun{places: p, build: newCargoBuild(p), docs: &doctests{}, ran: make(map[string]bool), known: make(map[string]int)}
	if err := c.run(ctx, s, argv, env); err != nil {
		return testrun.Verdict{}, err
	}
	if err := c.buildRest(ctx, s, argv, env); err != nil {
		return testrun.Verdict{}, err
	}
	runs, err := binaryRuns(s, "run")
	if err != nil {
		return testrun.Verdict{}, err
	}
	listed, err := binaryRuns(s, "list")
	if err != nil {
		return testrun.Verdict{}, err
	}
	if len(runs) == 0 && len(c.docs.tests) == 0 && !c.build.finished && !c.ours {
		if failed, ok := c.build.failure(c.end); ok && strings.Contains(failed.Diagnostics[0].Message, noSuchCommand) {
			return failed, nil
		}
		return c.end.Verdict(), nil
	}
	for _, r := range runs {
		c.add(r)
	}
	for _, r := range listed {
		c.addIgnored(r)
	}
	c.addDocs()
	c.settle()
	s.Amend(summary(c.verdict))
	return c.verdict, nil
}

// run runs the tests, with cargo or nextest, or whatever starts one of them.
func (c *testRun) run(ctx context.Context, s *testrun.Session, argv, env []string) (err error) {
	plain := argv
	if argv, c.nextest = nextestArgs(argv); c.nextest {
		c.ours = true
	} else {
		argv, c.ours = cargoArgs(argv, []string{"test", "t"}, "--no-fail-fast", "--message-format=json")
	}
	c.end, err = s.Run(ctx, testrun.Job{Name: "test", Argv: argv, Env: env, Line: c.line})
	if err == nil && c.nextest && c.end.Exit == nextestUsage && strings.Contains(c.end.Output, nextestMessages) {
		c.ours = false // an older nextest does not pass on what cargo says
		c.end, err = s.Run(ctx, testrun.Job{Name: "test", Argv: append(plain, "--no-fail-fast"), Env: env, Line: c.line})
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

// add takes in the report of one test binary.
func (c *testRun) add(r binaryRun) {
	prefix, target := c.prefix(r), c.target(r)
	c.ran[r.exe] = true
	if !r.harness {
		c.addPlain(r, prefix+target)
		return
	}
	for _, t := range r.run.planned {
		if test, ok := c.test(r, t); ok {
			test.ID = prefix + target + "::" + t.Name
			c.note(test)
		}
	}
	if why := r.run.incomplete(r.exit); why != "" {
		class := gates.ClassCrash
		switch {
		case c.end.TimedOut:
			class = gates.ClassTimeout
		case !r.run.listed && r.refused != "":
			class, why = gates.ClassInfra, r.refused // a flag, say, that it does not know
		}
		c.gaps = append(c.gaps, gates.Diagnostic{Class: class, Message: fmt.Sprintf("%s%s (exit code %d): %s", prefix, target, r.exit, why)})
	}
}

// note takes in a verdict. Where nextest tries a test again, its failure counts.
func (c *testRun) note(t gates.Test) {
	at, twice := c.known[t.ID]
	switch {
	case !twice:
		c.known[t.ID] = len(c.verdict.Tests)
		c.verdict.Tests = append(c.verdict.Tests, t)
	case t.Status == gates.StatusFailed:
		c.verdict.Tests[at] = t
	}
}

// addIgnored takes in a binary that nextest asked for its tests. Those that are
// ignored it does not start.
func (c *testRun) addIgnored(r binaryRun) {
	prefix, target := c.prefix(r), c.target(r)
	c.ran[r.exe] = true
	for _, t := range r.run.planned {
		id := prefix + target + "::" + t.Name
		if _, ran := c.known[id]; !ran {
			c.note(gates.Test{ID: id, Status: gates.StatusSkipped, File: c.places.Relative(t.File, r.dir), Line: t.Line})
		}
	}
}

// test is the verdict on one test, where there is one to be believed.
func (c *testRun) test(r binaryRun, t libtestEvent) (gates.Test, bool) {
	file := c.places.Relative(t.File, r.dir)
	out := gates.Test{File: file, Line: t.Line}
	text := r.run.verdicts[t.Name].text
	switch r.run.believed(t.Name) {
	case "ok":
		out.Status = gates.StatusPassed
	case "ignored":
		out.Status = gates.StatusSkipped
	case "failed":
		out.Status, out.Message = gates.StatusFailed, text
		out.Class = failureClass(text, t.Name, func(at string, line int) testrun.Place {
			own := c.places.Relative(at, r.dir)
			if own == file && line == t.Line || own == "" && forTests(at, c.places.Text(c.places.Relative("Cargo.toml", r.dir))) {
				return testrun.InTest // a macro wrote the test, or it called what only tests use
			}
			return c.places.Of(own, line)
		})
	default:
		return out, false
	}
	return out, true
}

// addPlain takes in a binary without the standard harness: one test.
func (c *testRun) addPlain(r binaryRun, id string) {
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
		c.verdict.Tests = append(c.verdict.Tests, t)
	}
	if !c.docs.complete() {
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

// settle decides the outcome of the whole run.
func (c *testRun) settle() {
	c.verdict.Detail = gates.DetailTest
	if trouble, ok := c.end.Trouble(); ok {
		c.verdict.Outcome = trouble.Outcome
		c.verdict.Diagnostics = append(trouble.Diagnostics, c.gaps...)
		return
	}
	if failed, ok := c.build.failure(c.end); ok && c.ours {
		c.verdict.Outcome, c.verdict.Diagnostics = failed.Outcome, failed.Diagnostics
		return
	}
	for exe := range c.build.targets {
		if c.ran[exe] {
			continue
		}
		c.gaps = append(c.gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: filepath.Base(exe) + " was built but never run"})
	}
	ran := slices.ContainsFunc(c.verdict.Tests, func(t gates.Test) bool { return t.Status != gates.StatusSkipped })
	if c.nextest && c.end.Exit == nextestEmpty && !ran {
		c.end.Exit = 0
	}
	c.verdict.Outcome, c.verdict.Diagnostics = testrun.Conclude(c.verdict.Tests, c.gaps, c.end)
}

// target is the part of an id that names the binary. Where cargo's messages did
// not tell, the binary's name and the file of its first test do.
func (c *testRun) target(r binaryRun) string {
	if m, ok := c.build.targets[r.exe]; ok && len(m.Target.Kind) > 0 {
		switch kind := m.Target.Kind[0]; kind {
		case "test":
			return m.Target.Name
		case "bin", "example", "bench":
			return kind + "." + m.Target.Name
		}
		return "lib"
	}
	name := filepath.Base(r.exe)
	if at := strings.LastIndexByte(name, '-'); at > 0 {
		name = name[:at] // what follows is cargo's hash
	}
	file := ""
	if len(r.run.planned) > 0 {
		file = r.run.planned[0].File
	}
	switch {
	case strings.Contains(file, "tests/"):
		return name
	case strings.HasSuffix(file, "src/main.rs"), strings.Contains(file, "src/bin/"):
		return "bin." + name
	}
	return "lib"
}

// prefix names the package in a workspace of several.
func (c *testRun) prefix(r binaryRun) string {
	if len(c.build.packages) > 1 {
		return r.pkg + "/"
	}
	return ""
}

// summary is what a person sees of the verdicts, which went to files.
func summary(r testrun.Verdict) string {
	var out strings.Builder
	count := make(map[gates.Status]int)
	for _, t := range r.Tests {
		count[t.Status]++
		if t.Status == gates.StatusFailed {
			fmt.Fprintf(&out, "\n--- %s: %s (%s)\n%s\n", t.ID, t.Status, t.Class, t.Message)
		}
	}
	for _, d := range r.Diagnostics {
		if d.File == "" {
			fmt.Fprintf(&out, "\n%s: %s\n", d.Class, d.Message)
		}
	}
	fmt.Fprintf(&out, "\n%s: %d passed, %d failed, %d skipped\n", r.Outcome,
		count[gates.StatusPassed], count[gates.StatusFailed], count[gates.StatusSkipped])
	return out.String()
}
