package testrun

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// readPHPTest runs PHPUnit, or any command that runs it, and reads the journal of
// our reporter. Where there is none the exit code decides.
func readPHPTest(ctx context.Context, b *bench, argv []string) (report, error) {
	dir, journals, err := b.installReporters("git_tdd_php*")
	if err != nil {
		return report{}, err
	}
	end, err := b.run(ctx, job{name: "test", argv: argv, env: phpEnv(b.env, dir, journals)})
	if err != nil {
		return report{}, err
	}
	j, _, err := readJournals(journals)
	if err != nil {
		return report{}, err
	}
	return phpReport(b.places(), j, end), nil
}

// phpReport is what a run showed.
func phpReport(p *places, j *journal, end ended) report {
	run := journalRun{journal: j, end: end, places: p, explain: phpRaised{p}.explain, nothing: 1}
	said := j.fatal
	if !j.begun() {
		said = append(said, readPHPFatal(end.Output)...) // no test can have printed it
	}
	if len(said) > 0 && end.Exit != 0 && j.ended == 0 {
		if said[0].Event = "broken"; !j.begun() || run.explain(said[0]).class == gates.ClassCompile {
			j.refused(said[0])
		}
	}
	switch {
	case j.open+j.ended > 0:
		return run.report()
	case slices.ContainsFunc(end.Argv, phpunit):
		return phpSilent(end)
	}
	return unheard(end, "PHPUnit ")
}

// phpSilent words why a run of PHPUnit that wrote nothing failed.
func phpSilent(end ended) report {
	r := silent(end, "not found")
	if d := &r.diagnostics[0]; d.Class == gates.ClassInfra && strings.Contains(end.Output, "by Sebastian Bergmann") {
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
		journalVariable + "=" + journals, "TDD_PREPEND=" + filepath.Join(dir, "git_tdd_php.php"),
		"PHP_INI_SCAN_DIR=" + lookup(env, "PHP_INI_SCAN_DIR") + string(os.PathListSeparator) + dir,
	}
}

// readPHPFatal finds the first error that ended PHP itself, as it says on either
// stream: what follows comes of it.
func readPHPFatal(output string) []journalEvent {
	says := regexp.MustCompile(`^(?:PHP )?(?:Fatal|Parse|Compile) error: +(?:Uncaught )?(.*?) in (\S.*?)(?: on line |:)(\d+)$`)
	location := regexp.MustCompile(`^Location: +(.*):(\d+)$`)
	fatal := func(words, file, line string) []journalEvent {
		return []journalEvent{{Event: "fatal", Message: words, Frames: []journalFrame{{File: file, Line: atoi(line)}}}}
	}
	inside := ""
	for line := range strings.Lines(output) {
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
