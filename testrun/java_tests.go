package testrun

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// readJavaTest runs Maven or Gradle and reads what they report. Any other
// command is judged by its exit code.
func readJavaTest(ctx context.Context, b *bench, argv []string) (report, error) {
	switch strings.TrimSuffix(strings.TrimSuffix(filepath.Base(argv[0]), ".cmd"), ".bat") {
	case "mvn", "mvnw":
		return readMavenTest(ctx, b, argv)
	case "gradle", "gradlew":
		return readGradleTest(ctx, b, argv)
	}
	return b.byExitCode(ctx, "test", argv)
}

// mavenReports is where surefire and failsafe write.
const mavenReports = "**/target/{surefire,failsafe}-reports/TEST-*.xml"

// readMavenTest runs Maven. Its plugins write JUnit XML from Maven's own
// process, and Maven says at its end how many tests there were.
func readMavenTest(ctx context.Context, b *bench, argv []string) (report, error) {
	b.req.Commands.Report = Report{Format: ReportJUnit, Path: mavenReports}
	if err := b.clearReports(); err != nil {
		return report{}, err
	}
	files := newJavaFiles(b)
	said := newMavenConsole(files)
	end, err := b.run(ctx, job{name: "test", argv: mavenArgs(argv), hear: said.hear})
	if err != nil {
		return report{}, err
	}
	j := junitReport{places: files.places, refine: files.refine}
	if _, err := j.collect(b); err != nil {
		return report{}, err
	}
	return said.report(end, j), nil
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

// readGradleTest runs Gradle with an init script that keeps a journal. It never
// uses a daemon: one that runs already is outside the box.
func readGradleTest(ctx context.Context, b *bench, argv []string) (report, error) {
	dir, journals, err := b.installReporters("*.gradle")
	if err != nil {
		return report{}, err
	}
	files := newJavaFiles(b)
	said := newGradleConsole(files)
	end, err := b.run(ctx, job{
		name: "test", argv: gradleArgs(argv, filepath.Join(dir, "git_tdd_gradle.gradle")),
		env: []string{journalVariable + "=" + journals}, hear: said.hear,
	})
	if err != nil {
		return report{}, err
	}
	written, _, err := readJournals(journals)
	if err != nil {
		return report{}, err
	}
	run := journalRun{journal: written, end: end, places: files.places, explain: files.complete(written)}
	return said.report(run), nil
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

// infra reports whether one of the findings is not the project's to blame for.
func infra(found []gates.Diagnostic) bool {
	return slices.ContainsFunc(found, func(d gates.Diagnostic) bool { return d.Class == gates.ClassInfra })
}
