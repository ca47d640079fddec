package php

import (
	"context"
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// The reporters keep the journal.
//
//go:embed reporters
var reporters embed.FS

// readPHPTest runs PHPUnit, or any command that runs it, and reads the journal of
// our reporter. Where there is none the exit code decides.
func readPHPTest(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	dir, journals, err := journal.Install(b, reporters)
	if err != nil {
		return testrun.Verdict{}, err
	}
	end, err := b.Run(ctx, testrun.Job{Name: "test", Argv: argv, Env: phpEnv(b.Env, dir, journals)})
	if err != nil {
		return testrun.Verdict{}, err
	}
	j, _, err := journal.Read(journals)
	if err != nil {
		return testrun.Verdict{}, err
	}
	return phpReport(b.Places(), j, end), nil
}

// phpReport is what a run showed.
func phpReport(p *testrun.Places, j *journal.Journal, end testrun.Ended) testrun.Verdict {
	run := journal.Run{Journal: j, End: end, Places: p, Explain: raised{p}.explain, NoTestsExit: 1}
	said := j.Fatal
	if !j.Begun() {
		said = append(said, readPHPFatal(end.Output)...) // no test can have printed it
	}
	if len(said) > 0 && end.Exit != 0 && j.Ended == 0 {
		if said[0].Event = "broken"; !j.Begun() || run.Explain(said[0]).Class == gates.ClassCompile {
			j.LoadFailed(said[0])
		}
	}
	switch {
	case j.Open+j.Ended > 0:
		return run.Verdict()
	case slices.ContainsFunc(end.Argv, phpunit):
		return phpSilent(end)
	}
	return journal.ByExitCode(end, "PHPUnit ")
}

// phpSilent words why a run of PHPUnit that wrote nothing failed.
func phpSilent(end testrun.Ended) testrun.Verdict {
	r := journal.NoReport(end, "not found")
	if d := &r.Diagnostics[0]; d.Class == gates.ClassInfra && strings.Contains(end.Output, "by Sebastian Bergmann") {
		d.Message = "PHPUnit ran without our reporter, or its report is gone: a command must leave PHP its settings " +
			"(no php -n) and auto_prepend_file; or let it write JUnit's XML, and name that in ci.report"
	}
	return r
}

// phpunit reports whether a word of a command is PHPUnit.
func phpunit(word string) bool {
	return slices.Contains([]string{"phpunit", "phpunit.phar", "simple-phpunit"}, filepath.Base(word))
}

// phpEnv makes every PHP that is started load our reporter: one more folder is
// searched for settings. An empty entry is the folder that PHP was built with.
func phpEnv(env []string, dir, journals string) []string {
	return []string{
		journal.Variable + "=" + journals, "TDD_PREPEND=" + filepath.Join(dir, "git_tdd_php.php"),
		"PHP_INI_SCAN_DIR=" + testrun.LookupEnv(env, "PHP_INI_SCAN_DIR") + string(os.PathListSeparator) + dir,
	}
}

// readPHPFatal finds the first error that ended PHP itself, as it says on either
// stream: what follows comes of it.
func readPHPFatal(printed string) []journal.Event {
	says := regexp.MustCompile(`^(?:PHP )?(?:Fatal|Parse|Compile) error: +(?:Uncaught )?(.*?) in (\S.*?)(?: on line |:)(\d+)$`)
	location := regexp.MustCompile(`^Location: +(.*):(\d+)$`)
	fatal := func(words, file, line string) []journal.Event {
		return []journal.Event{{Event: "fatal", Message: words, Frames: []journal.Frame{{File: file, Line: output.Atoi(line)}}}}
	}
	inside := ""
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\r\n")
		if hit := says.FindStringSubmatch(line); hit != nil {
			return fatal(hit[1], hit[2], hit[3])
		}
		if words, ok := strings.CutPrefix(line, "Message: "); ok { // since PHPUnit 10
			inside = strings.TrimSpace(words)
		} else if hit := location.FindStringSubmatch(line); hit != nil && inside != "" {
			return fatal(inside, hit[1], hit[2])
		}
	}
	return nil
}
