package php

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
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
	case slices.ContainsFunc(end.Argv, func(word string) bool {
		return slices.Contains([]string{"phpunit", "phpunit.phar", "simple-phpunit"}, filepath.Base(word))
	}):
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

	// bootstrapPattern finds what ended the bootstrap of phpunit.xml, which runs before
	// any test is loaded.
	bootstrapPattern = lazyregexp.New(`(?m)^Error in bootstrap script: (.*?):?\r?\n(.+?)\r?$`)
)

// fatalError finds the first error that ended PHP itself, as it says on either
// stream: what follows comes of it.
func fatalError(printed string) []journal.Event {
	fatal := func(words, file, line string) []journal.Event {
		return []journal.Event{{Event: "fatal", Message: words, Frames: []journal.Frame{{File: file, Line: output.Atoi(line)}}}}
	}
	if hit := bootstrapPattern().FindStringSubmatch(printed); hit != nil {
		return []journal.Event{{Event: "fatal", Kinds: []string{hit[1]}, Message: hit[2]}}
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

// explainer says what an exception means. A name that a test asks for in vain is
// one that nobody has written yet; in production code it is an ordinary exception.
type explainer struct{ places *testrun.Places }

// explain finds class and place of an exception.
func (x explainer) explain(e journal.Event) journal.Finding {
	e = provided(e)
	f, at := journal.RaisedAt(x.places, e.Frames, x.places.Language.Foreign)
	f.Class, f.Symbol = x.class(e, at)
	return f
}

var providedPattern = lazyregexp.New(`^The data provider specified for .* is invalid\.?\n(?:([\w\\]+): )?(.*)(?:\n(/.*|[A-Z]:.*):(\d+)$)?`)

// provided is what kept the data of a test from being had. PHPUnit wraps it in words
// of its own.
func provided(e journal.Event) journal.Event {
	hit := providedPattern().FindStringSubmatch(strings.TrimSpace(e.Message))
	if hit == nil || hit[1] == "" {
		return e
	}
	e.Kinds, e.Message = []string{hit[1]}, hit[2]
	if hit[3] != "" {
		e.Frames = []journal.Frame{{File: hit[3], Line: output.Atoi(hit[4])}}
	}
	return e
}

var (
	unimplementedPattern = lazyregexp.New(`(?i)notimplemented|unimplemented`)
	unparsedPattern      = lazyregexp.New(`^(?:Error: )?(?:ParseError: |syntax error|Unclosed '|Unmatched '|Unterminated )`)
	expectedPattern      = lazyregexp.New(`(?i)expectation|assert|comparisonfailure`)

	// refusedPattern finds declarations that PHP rejects.
	refusedPattern = lazyregexp.New(`abstract method|must be compatible|Cannot (?:redeclare|declare|use|inherit|override|make)|already in use|cannot (?:extend|implement|use)|must implement|Access level`)
)

// class is the class of an exception that was raised in somebody's code, and the
// name that it misses.
func (x explainer) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	full := slices.Concat(e.Kinds, []string{""})[0]
	kind := full[strings.LastIndexByte(full, '\\')+1:]
	words := strings.TrimPrefix(strings.TrimPrefix(e.Message, "Error: "), "ParseError: ")
	switch {
	case kind == runnerTrouble && strings.HasPrefix(words, "No tests found"):
		return gates.ClassNoTests, ""
	case kind == runnerTrouble:
		return gates.ClassInfra, ""
	case full == "ParseError", full == "" && unparsedPattern.MatchString(e.Message):
		return gates.ClassSyntax, ""
	case unimplementedPattern.MatchString(kind), kind != "" && output.SaysUnimplemented(words) && !expects(kind):
		return gates.ClassUnimplemented, ""
	case expects(kind):
		if at == testrun.InSource || strings.HasPrefix(words, "Test was run in child process and ended unexpectedly") {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	}
	if hit := requiredPattern().FindStringSubmatch(words); hit != nil {
		file := cmp.Or(hit[1], hit[2])
		_, inside := x.places.Inside(file)
		own := !strings.Contains(file, "vendor/") && (inside || !filepath.IsAbs(file)) // not what Composer installs
		return journal.Missing(file, own, at)
	}
	symbol := missingName(words)
	switch {
	case symbol != "" && x.foreign(words):
		return gates.ClassInfra, ""
	case symbol != "" && at == testrun.InTest:
		return gates.ClassMissingSymbol, symbol
	case kind == "" && e.Event == "broken" && symbol == "" && refusedPattern.MatchString(words), kind == "" && symbol != "":
		return gates.ClassCompile, ""
	}
	return gates.ClassException, ""
}

// runnerTrouble is the kind by which our reporter marks an error of PHPUnit itself.
const runnerTrouble = "PHPUnit itself"

// expects reports whether an exception says that an expectation was not met.
func expects(kind string) bool {
	return kind == "InvalidCountException" || expectedPattern.MatchString(kind)
}

var missingNamePattern = lazyregexp.New(`^Call to undefined (?:method|function) (?:.*::)?([^:()]+)\(\)` +
	`|^(?:Class|Interface|Trait|Enum|Class or interface|Class, interface or trait) "([^"]+)" (?:not found|does not exist)` +
	`|^Undefined (?:class )?constant "?(?:[^":]*::)?([^":]+)"?` +
	`|^Access to undeclared static property .*::\$(\w+)` +
	`|^Undefined property: .*::\$(\w+)` +
	`|^Unknown named parameter \$(\w+)`)

// missingName finds the name that was asked for in vain.
func missingName(words string) string {
	hit := missingNamePattern().FindStringSubmatch(words)
	if hit == nil {
		return ""
	}
	name := cmp.Or(hit[1:]...)
	return name[strings.LastIndexByte(name, '\\')+1:]
}

var requiredPattern = lazyregexp.New(`^(?:Failed opening required '([^']+)'|(?:require|include)(?:_once)?\(([^)]+)\): Failed to open stream)`)

var namespacePattern = lazyregexp.New(`^\w[^"]*"([^"]+)\\[^"\\]+"`)

// foreign reports whether a missing class would be a library's: it lies in a
// namespace that composer.json does not list among the project's own.
func (x explainer) foreign(words string) bool {
	hit := namespacePattern().FindStringSubmatch(words)
	if hit == nil {
		return false
	}
	var manifest struct {
		Autoload, AutoloadDev struct {
			PSR4 map[string]any `json:"psr-4"`
			PSR0 map[string]any `json:"psr-0"`
		}
	}
	raw, err := wholefile.Read(filepath.Join(x.places.Dir, "composer.json"))
	if err != nil || json.Unmarshal([]byte(strings.ReplaceAll(string(raw), `"autoload-dev"`, `"AutoloadDev"`)), &manifest) != nil {
		return false
	}
	own := 0
	for _, names := range []map[string]any{manifest.Autoload.PSR4, manifest.Autoload.PSR0, manifest.AutoloadDev.PSR4, manifest.AutoloadDev.PSR0} {
		for name := range names {
			if top := strings.TrimSuffix(name, `\`); hit[1] == top || strings.HasPrefix(hit[1], top+`\`) {
				return false
			}
			own++
		}
	}
	return own > 0
}
