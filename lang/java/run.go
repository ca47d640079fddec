package java

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTest runs Maven or Gradle and reads what they report. Any other
// command is judged by its exit code.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	switch output.Program(argv[0]) {
	case "mvn", "mvnw":
		return runMaven(ctx, s, argv)
	case "gradle", "gradlew":
		return runGradle(ctx, s, argv)
	}
	return s.ByExitCode(ctx, "test", argv)
}

// mavenReports is where surefire and failsafe write.
const mavenReports = "**/target/{surefire,failsafe}-reports/TEST-*.xml"

// runMaven runs Maven. Its plugins write JUnit XML from Maven's own
// process, and Maven says at its end how many tests there were.
func runMaven(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	s.Request.Commands.Report = testrun.Report{Format: testrun.ReportJUnit, Path: mavenReports}
	if err := s.ClearReports(); err != nil {
		return testrun.Verdict{}, err
	}
	index := newSourceIndex(s)
	console := mavenConsole{console: console{javac: &javac{index: index}}}
	end, err := s.Run(ctx, testrun.Job{Name: "test", Argv: mavenArgs(argv), OnLine: console.read, Env: english(s, "MAVEN_OPTS")})
	if err != nil {
		return testrun.Verdict{}, err
	}
	j := testrun.JUnit{Places: index.places, Refine: index.refine}
	if err := j.Collect(s); err != nil {
		return testrun.Verdict{}, err
	}
	return console.verdict(end, j), nil
}

// mavenArgs makes Maven say all that is needed: modules go on after one that
// failed, what tests print does not stand among Maven's own words, and stack
// traces are whole.
func mavenArgs(argv []string) []string {
	among := func(flags ...string) func(string) bool {
		return func(arg string) bool { return slices.Contains(flags, arg) }
	}
	out := []string{argv[0]}
	if !slices.ContainsFunc(argv, among("-fae", "-fn", "-ff", "--fail-at-end", "--fail-never", "--fail-fast")) {
		out = append(out, "--fail-at-end")
	}
	out = append(out, "-Dstyle.color=never", "-Dmaven.test.redirectTestOutputToFile=true", "-DtrimStackTrace=false", "-DenablePropertiesElement=false")
	return append(out, slices.DeleteFunc(slices.Clone(argv[1:]), among("-q", "--quiet"))...)
}

// english makes a build tool, and the compiler within it, speak English. Tests run in
// a process of their own, in the user's language.
func english(s *testrun.Session, name string) []string {
	return []string{name + "=" + strings.TrimSpace(testrun.LookupEnv(s.Env, name)+" -Duser.language=en")}
}

// runGradle runs Gradle with an init script that keeps a journal. It never
// uses a daemon: one that runs already is outside the box.
func runGradle(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	index := newSourceIndex(s)
	console := gradleConsole{console{javac: &javac{index: index}}}
	run, _, err := journal.Keep(ctx, s, files, func(dir string) testrun.Job {
		argv := gradleArgs(argv, filepath.Join(dir, "git_tdd_gradle.gradle"))
		return testrun.Job{Argv: argv, Discard: true, Env: english(s, "GRADLE_OPTS"), OnLine: console.read}
	})
	if err != nil {
		return testrun.Verdict{}, err
	}
	run.Explain = index.complete(run.Journal)
	return console.verdict(run), nil
}

// gradleArgs adds the reporter, and makes Gradle go on after a failure.
func gradleArgs(argv []string, script string) []string {
	out := []string{argv[0], "--init-script", script}
	for _, flag := range []string{"--no-daemon", "--console=plain", "--continue"} {
		if !slices.Contains(argv, flag) {
			out = append(out, flag)
		}
	}
	out = append(out, "-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.unsafe.configuration-cache=false")
	return append(out, slices.DeleteFunc(slices.Clone(argv[1:]), func(arg string) bool {
		return slices.Contains([]string{"--daemon", "-q", "--quiet", "--configuration-cache"}, arg)
	})...)
}

var (
	sumPattern    = lazyregexp.New(`^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: \d+(?:, Flakes: \d+)?$`)
	modulePattern = lazyregexp.New(`^\[INFO\] -+< .* >-+$`)
)

// mavenConsole reads what Maven says of a run.
type mavenConsole struct {
	console

	testing bool   // what comes is about tests, and may hold their words
	total   int    // tests that ran, as the plugins sum them up
	pending int    // the last sum of the plugin under way
	first   string // the first error
}

// read takes in a line.
func (m *mavenConsole) read(raw []byte) {
	line := strings.TrimRight(output.WithoutColours(string(raw)), "\r ")
	level, text, _ := strings.Cut(line, "] ")
	if hit := sumPattern().FindStringSubmatch(line); hit != nil {
		m.pending = output.Atoi(hit[1])
	}
	switch {
	case strings.TrimSpace(text) == "T E S T S", line == " T E S T S":
		m.testing = true
		m.total, m.pending = m.total+m.pending, 0
	case text == "BUILD SUCCESS", text == "BUILD FAILURE":
		m.testing, m.ended, m.reasons = false, text, nil // what came before was no reason
	case modulePattern.MatchString(line):
		m.testing = false
	}
	if !m.testing {
		m.javac.read(line)
	}
	if level == "[ERROR" || level == "[FATAL" {
		m.complain(text)
	}
}

// complain takes in an error.
func (m *mavenConsole) complain(text string) {
	switch {
	case strings.HasPrefix(text, "Failed to execute goal "), strings.HasPrefix(text, "Plugin ") && strings.Contains(text, "could not be resolved"),
		strings.HasPrefix(text, "No plugin found for prefix"), strings.HasPrefix(text, "Unknown lifecycle phase"):
		m.reasons, m.open = append(m.reasons, text), true
	case strings.HasPrefix(text, "-> [Help"), text == "":
		m.open = false
	case m.open && len(m.reasons[len(m.reasons)-1]) < output.MessageLimit:
		m.reasons[len(m.reasons)-1] += "\n" + text
	}
	if text != "" && len(m.first) < output.MessageLimit && !m.testing {
		m.first = strings.TrimSpace(m.first + "\n" + text)
	}
}

// verdict is what a run showed, by Maven's words and its plugins' reports.
func (m *mavenConsole) verdict(end testrun.Ended, j testrun.JUnit) testrun.Verdict {
	if _, stopped := end.Trouble(); stopped {
		return testrun.Reported(end, j.Tests, nil)
	}
	m.total, m.pending = m.total+m.pending, 0
	broken, faults := m.explain()
	gaps := slices.Concat(j.Gaps, faults, m.unproved(end, j))
	if m.nothing() {
		end.Exit = 0
	}
	return testrun.Reported(end, j.Tests, gaps, broken...)
}

// unproved says what is missing from the proof that Maven finished: its words
// at the end, as many reports as tests, and a reason where it failed.
func (m *mavenConsole) unproved(end testrun.Ended, j testrun.JUnit) []gates.Diagnostic {
	switch {
	case end.Exit == 0 && m.ended != "BUILD SUCCESS":
		return []gates.Diagnostic{end.Gap("exit code 0, but Maven did not say BUILD SUCCESS: %s", output.FirstError(end.Output))}
	case m.total != len(j.Tests) && len(j.Gaps) == 0:
		return []gates.Diagnostic{end.Gap("Maven ran %d tests, and %s holds %d: a report is missing, or goes elsewhere; say where with ci.report",
			m.total, mavenReports, len(j.Tests))}
	case end.Exit != 0 && len(m.reasons) == 0:
		return []gates.Diagnostic{{Class: gates.ClassInfra, Message: fmt.Sprintf("exit code %d: %s", end.Exit, cmp.Or(m.first, output.FirstError(end.Output)))}}
	}
	return nil
}
