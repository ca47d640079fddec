package php

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTest runs PHPUnit, or any command that runs it, and reads the journal of our
// reporter. Where there is none, the exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	run, _, err := journal.Keep(ctx, s, files, func(dir string) testrun.Job { return testrun.Job{Argv: argv, Env: environ(s.Env, dir)} })
	if err != nil {
		return testrun.Verdict{}, err
	}
	run.Explain, run.NoTestsExit = explainer{run.Places}.explain, 1
	return verdict(run), nil
}

// verdict is what a run showed.
func verdict(run journal.Run) testrun.Verdict {
	j, end := run.Journal, run.End
	said := j.Fatal
	if !j.Begun() {
		said = append(said, fatalError(end.Output)...) // no test can have printed it
	}
	if len(said) > 0 && end.Exit != 0 && j.Ended == 0 {
		if said[0].Event = "broken"; !j.Begun() || run.Explain(said[0]).Class == gates.ClassCompile {
			j.LoadFailed(said[0])
		}
	}
	switch {
	case j.Open+j.Ended > 0:
		return run.Verdict()
	case slices.ContainsFunc(end.Argv, isPHPUnit):
		return silent(end)
	}
	return journal.ByExitCode(end, "PHPUnit ")
}

// silent says why a run of PHPUnit that wrote nothing failed.
func silent(end testrun.Ended) testrun.Verdict {
	r := journal.NoReport(end, "not found")
	if d := &r.Diagnostics[0]; d.Class == gates.ClassInfra && strings.Contains(end.Output, "by Sebastian Bergmann") {
		d.Message = "PHPUnit ran without our reporter, or its report is gone: a command must leave PHP its settings " +
			"(no php -n) and auto_prepend_file; or let it write JUnit's XML, and name that in ci.report"
	}
	return r
}

// isPHPUnit reports whether a word of a command is PHPUnit.
func isPHPUnit(word string) bool {
	return slices.Contains([]string{"phpunit", "phpunit.phar", "simple-phpunit"}, filepath.Base(word))
}

// environ makes every PHP that is started load our reporter: one more folder is
// searched for settings. An empty entry is the folder that PHP was built with.
func environ(env []string, dir string) []string {
	return []string{
		"TDD_PREPEND=" + filepath.Join(dir, "git_tdd_php.php"),
		"PHP_INI_SCAN_DIR=" + testrun.LookupEnv(env, "PHP_INI_SCAN_DIR") + string(os.PathListSeparator) + dir,
	}
}

var (
	fatalPattern    = lazyregexp.New(`^(?:PHP )?(?:Fatal|Parse|Compile) error: +(?:Uncaught )?(.*?) in (\S.*?)(?: on line |:)(\d+)$`)
	locationPattern = lazyregexp.New(`^Location: +(.*):(\d+)$`)
)

// fatalError finds the first error that ended PHP itself, as it says on either
// stream: what follows comes of it.
func fatalError(printed string) []journal.Event {
	fatal := func(words, file, line string) []journal.Event {
		return []journal.Event{{Event: "fatal", Message: words, Frames: []journal.Frame{{File: file, Line: output.Atoi(line)}}}}
	}
	inside := ""
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\r\n")
		if hit := fatalPattern().FindStringSubmatch(line); hit != nil {
			return fatal(hit[1], hit[2], hit[3])
		}
		if words, ok := strings.CutPrefix(line, "Message: "); ok { // since PHPUnit 10
			inside = strings.TrimSpace(words)
		} else if hit := locationPattern().FindStringSubmatch(line); hit != nil && inside != "" {
			return fatal(inside, hit[1], hit[2])
		}
	}
	return nil
}

// narrow is a call of PHPUnit for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if len(argv) == 0 || filepath.Base(argv[0]) != "phpunit" || slices.ContainsFunc(argv, func(arg string) bool { return strings.HasPrefix(arg, "--filter") }) {
		return nil
	}
	var names []string
	for _, t := range tests {
		parts := strings.Split(t.ID, "::")
		if len(parts) < 3 {
			return nil
		}
		name, _, _ := strings.Cut(parts[2], " ")
		names = append(names, name)
	}
	return append(slices.Clone(argv), "--filter=/::"+output.AnyOf(names)+"( .*)?$/")
}
