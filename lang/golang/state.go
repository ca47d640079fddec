package golang

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// testState is what the events said of one test.
type testState struct {
	started bool
	marked  bool   // the testing package printed its verdict line
	verdict string // pass, fail, skip; empty where there is none
	class   gates.Class
	out     string // the end of what it printed
}

// packageState is what the events said of one package.
type packageState struct {
	tests   map[string]*testState
	names   []string    // of tests, in the order in which they started
	done    string      // the verdict on the package, from an event about the package itself
	failed  string      // the build that failed
	setup   bool        // it failed before compiling
	unbuilt bool        // the go command says that it could not be built
	class   gates.Class // of what happened outside panics: a crash, a time limit
	out     string
	fatal   string // the first line that says that the process died
	panic   string // the last panic that was printed, whichever test it was charged to
}

// own takes in an event about the package itself.
func (p *packageState) own(e event) string {
	switch e.Action {
	case "output":
		p.out = output.EndOf(p.out+e.Output, 2*output.MessageLimit)
		p.watch(e.Output)
		p.setup = p.setup || strings.HasSuffix(e.Output, "[setup failed]\n")
		p.unbuilt = p.unbuilt || p.setup || strings.HasSuffix(e.Output, "[build failed]\n")
	case "pass", "fail", "skip":
		p.failed = e.FailedBuild
		if p.done != "fail" {
			p.done = e.Action
		}
	}
	return e.Output
}

// test takes in an event about one test.
func (p *packageState) test(e event) string {
	t := p.tests[e.Test]
	if t == nil {
		t = &testState{}
		p.tests[e.Test] = t
		p.names = append(p.names, e.Test)
	}
	switch e.Action {
	case "run":
		t.started = true
	case "output":
		p.watch(e.Output)
		t.printed(e)
	case "pass", "fail", "skip":
		return t.end(e.Action)
	}
	return ""
}

// printed takes in what a test printed, and what the testing package printed of it.
func (t *testState) printed(e event) {
	line := strings.TrimLeft(e.Output, " ")
	if strings.HasPrefix(line, "=== ") {
		return
	}
	if rest, ok := strings.CutPrefix(line, "--- "); ok {
		verdict, name, _ := strings.Cut(rest, ": ")
		t.marked = t.marked || (verdict == "PASS" || verdict == "SKIP") && strings.HasPrefix(name, e.Test+" (")
	}
	if strings.Contains(e.Output, ": race detected during execution of test") {
		t.class = gates.ClassException
	}
	t.out = output.EndOf(t.out+e.Output, 2*output.MessageLimit)
}

// end takes in a verdict. A failure is never taken back, and what passed needs
// the testing package's own word.
func (t *testState) end(verdict string) (show string) {
	if !t.started || t.verdict == "fail" || (verdict != "fail" && !t.marked) {
		return ""
	}
	t.verdict = verdict
	if verdict == "fail" {
		return t.out
	}
	t.out = output.EndOf(t.out, 0)
	return ""
}

// fatal reports whether a line says that the process died.
func fatal(line string) bool {
	signal, _, _ := strings.Cut(line, ": ")
	return output.HasAnyPrefix(line, "fatal error: ", "signal: ") || len(signal) > 3 && strings.HasPrefix(signal, "SIG") && strings.ToUpper(signal) == signal
}

// watch looks in a line of output for how a test process ended. The testing
// package charges that to whichever test happens to run.
func (p *packageState) watch(line string) {
	text, panicked := strings.CutPrefix(line, "panic: ")
	switch {
	case panicked && strings.HasPrefix(text, "test timed out after"):
		p.class = gates.Worse(p.class, gates.ClassTimeout)
	case panicked:
		p.panic = line
	case fatal(line):
		p.class = gates.Worse(p.class, gates.ClassCrash)
		p.fatal = cmp.Or(p.fatal, strings.TrimSpace(line))
	case p.panic != "" && len(p.panic) < 2*output.MessageLimit:
		p.panic += line
	}
}

// testFramePattern finds the test that a goroutine ran in, or was started by.
var testFramePattern = lazyregexp.New(`(?m)^(?:created by )?\S*\.((?:Test|Fuzz|Example)[^\s.(]*)[.( ]`)

// blame charges a panic that ended the package to the test that it came from,
// and to the last subtest of it that failed.
func (p *packageState) blame() {
	if p.panic == "" || p.done != "fail" || p.class != gates.ClassNone {
		return
	}
	culprit := ""
	if hit := testFramePattern().FindStringSubmatch(p.panic); hit != nil {
		culprit = hit[1]
	} else if running := p.running(); len(running) == 1 {
		culprit = running[0]
	}
	if p.tests[culprit] == nil {
		return
	}
	p.charge(culprit)
	if below := p.failedBelow(culprit + "/"); len(below) > 0 {
		p.charge(below[len(below)-1])
	}
}

// charge makes a test the one that panicked.
func (p *packageState) charge(name string) {
	first, _, _ := strings.Cut(p.panic, "\n")
	t := p.tests[name]
	t.verdict, t.class = "fail", gates.ClassException
	if output.SaysUnimplemented(first) {
		t.class = gates.ClassUnimplemented
	}
	if !strings.Contains(t.out, first) {
		t.out += p.panic
	}
}

// those lists the tests of a package of which something holds.
func (p *packageState) those(holds func(name string, t *testState) bool) []string {
	return slices.DeleteFunc(slices.Clone(p.names), func(name string) bool { return !holds(name, p.tests[name]) })
}

// running lists the tests that were started and have no verdict.
func (p *packageState) running() []string {
	return p.those(func(_ string, t *testState) bool { return t.started && t.verdict == "" })
}

// failedBelow lists the tests below one that failed; all that failed if it is empty.
func (p *packageState) failedBelow(prefix string) []string {
	return p.those(func(name string, t *testState) bool { return strings.HasPrefix(name, prefix) && t.verdict == "fail" })
}

// panicked lists the top-level tests that ended the whole package.
func (p *packageState) panicked() []string {
	var out []string
	for _, name := range p.failedBelow("") {
		top, _, _ := strings.Cut(name, "/")
		if c := p.tests[name].class; (c == gates.ClassUnimplemented || c == gates.ClassException) && !slices.Contains(out, top) {
			out = append(out, top)
		}
	}
	return out
}

// adopt takes over what a later run of the same package adds: verdicts on
// tests that have none, and how it ended where it did not end well.
func (p *packageState) adopt(later *packageState) {
	p.class = gates.Worse(p.class, later.class)
	if later.done == "" {
		p.done = ""
	}
	for _, name := range later.names {
		if t := p.tests[name]; t == nil || t.verdict == "" {
			if t == nil {
				p.names = append(p.names, name)
			}
			p.tests[name] = later.tests[name]
		}
	}
}

// has reports whether anything in the package was of this class.
func (p *packageState) has(class gates.Class) bool {
	return p.class == class || len(p.those(func(_ string, t *testState) bool { return t.class == class && t.verdict != "pass" })) > 0
}

// result is the verdict on one test, as facts hold it.
func (p *packageState) result(pkg, name string, declared map[string]place) gates.Test {
	t := p.tests[name]
	top, _, _ := strings.Cut(name, "/")
	out := gates.Test{ID: pkg + "." + name, File: declared[top].file, Line: declared[top].line}
	out.Status = map[string]gates.Status{"pass": gates.StatusPassed, "skip": gates.StatusSkipped, "fail": gates.StatusFailed}[t.verdict]
	if t.verdict == "fail" {
		out.Class, out.Message = gates.Worse(t.class, gates.ClassAssertion), message(t.out)
		p.explain(&out, name)
	}
	return out
}

// explain says of a test that failed only by its subtests that it did.
func (p *packageState) explain(out *gates.Test, name string) {
	if p.tests[name].class != gates.ClassNone || out.Message != "" {
		return
	}
	var subs []string
	for _, sub := range p.failedBelow(name + "/") {
		subs = append(subs, strings.TrimPrefix(sub, name+"/"))
		out.Class = gates.Worse(out.Class, p.tests[sub].class)
	}
	if len(subs) > 0 {
		slices.Sort(subs) // the rows of a map come in any order
		out.Message = "subtests failed: " + output.FirstFew(subs)
	}
}

// message is what a test printed, without the lines of the testing package.
func message(out string) string {
	return output.EndOf(strings.TrimSpace(ownLinePattern().ReplaceAllString(out, "")), output.MessageLimit)
}

var ownLinePattern = lazyregexp.New(`(?m)^ *(?:---|===) .*\n?`)
