package java

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTest runs Maven or Gradle and reads what they report. Any other
// command is judged by its exit code.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	switch strings.TrimSuffix(strings.TrimSuffix(filepath.Base(argv[0]), ".cmd"), ".bat") {
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
	console := mavenConsole{javac: &javac{index: index}}
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
	out := []string{argv[0], "-Dstyle.color=never", "-Dmaven.test.redirectTestOutputToFile=true", "-DtrimStackTrace=false", "-DenablePropertiesElement=false"}
	goesOn := false
	for _, arg := range argv[1:] {
		goesOn = goesOn || slices.Contains([]string{"-fae", "-fn", "-ff", "--fail-at-end", "--fail-never", "--fail-fast"}, arg)
		if arg != "-q" && arg != "--quiet" {
			out = append(out, arg)
		}
	}
	if !goesOn {
		out = slices.Insert(out, 1, "--fail-at-end")
	}
	return out
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
	console := gradleConsole{javac: &javac{index: index}}
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

// gradleConsole reads what Gradle says of a run, beside the journal.
type gradleConsole struct {
	javac   *javac
	ended   string   // its last line, which says whether the build succeeded
	reasons []string // why the build failed
	open    bool     // the last reason continues
}

// read takes in a line.
func (g *gradleConsole) read(raw []byte) {
	line := strings.TrimRight(string(raw), "\r ")
	switch {
	case strings.HasPrefix(line, "BUILD SUCCESSFUL"), strings.HasPrefix(line, "BUILD FAILED"):
		g.ended = line
	case line == "* What went wrong:":
		g.reasons, g.open = append(g.reasons, ""), true
	case strings.HasPrefix(line, "* "):
		g.open = false
	case g.open && line != "":
		g.reasons[len(g.reasons)-1] = strings.TrimSpace(g.reasons[len(g.reasons)-1] + "\n" + line)
	}
	g.javac.read(line)
}

// verdict is what a run showed, by the journal and by Gradle's words.
func (g *gradleConsole) verdict(run journal.Run) testrun.Verdict {
	reported := run.Journal.Open+run.Journal.Ended > 0
	if trouble, stopped := run.End.Trouble(); stopped && !reported {
		return trouble
	} else if stopped {
		return run.Verdict()
	}
	found, faults := g.javac.explain(g.reasons, gradleReason)
	if run.End.Exit == 0 && (!reported || !strings.HasPrefix(g.ended, "BUILD SUCCESSFUL")) {
		faults = append(faults, gates.Diagnostic{Class: gates.ClassCrash, Message: "exit code 0, but Gradle did not say that the build succeeded, or its report is gone"})
	}
	if run.End.Exit != 0 && len(g.reasons) == 0 {
		faults = append(faults, gates.Diagnostic{Class: gates.ClassInfra, Message: output.FirstError(run.End.Output)})
	}
	if len(found)+len(faults) > 0 {
		faults = append(faults, run.Journal.Gaps(run.End)...)
		r := testrun.Verdict{Outcome: gates.Broken, Detail: gates.DetailTest, Tests: run.Tests(), Diagnostics: slices.Concat(found, faults)}
		if len(faults) > 0 || slices.ContainsFunc(found, testrun.NoFact) {
			r.Outcome = gates.Crashed
		}
		return r
	}
	if g.nothing() {
		run.NoTestsExit = 1
	}
	return run.Verdict()
}

// nothing reports a build that failed only because no test fits a filter.
func (g *gradleConsole) nothing() bool {
	return len(g.reasons) > 0 && !slices.ContainsFunc(g.reasons, func(r string) bool {
		return gradleReason(r).Class != gates.ClassNoTests
	})
}

// gradleReason says what a reason means: nothing new where tests failed, because
// the journal has them; a compile error where the compiler said no more.
func gradleReason(text string) gates.Diagnostic {
	d := gates.Diagnostic{Class: gates.ClassInfra, Message: output.EndOf(text, output.MessageLimit)}
	switch {
	case strings.Contains(text, "There were failing tests"):
		d.Class = gates.ClassNone
	case strings.Contains(text, "No tests found for given includes"):
		d.Class = gates.ClassNoTests
	case strings.Contains(text, "Compilation failed"), strings.Contains(text, "Compilation error"):
		d.Class = gates.ClassCompile
	case strings.Contains(text, "Timeout has been exceeded"):
		d.Class = gates.ClassTimeout
	case strings.Contains(text, "finished with non-zero exit value"), strings.Contains(text, "Test process encountered an unexpected problem"):
		d.Class = gates.ClassCrash
	}
	return d
}
