package java

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

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
	console := newMavenConsole(index)
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
	console := newGradleConsole(index)
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
