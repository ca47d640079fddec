package testrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// The names of PHPUnit's two reports.
const phpStream, phpFinal = "teamcity.txt", "junit.xml"

// readPHPTest runs PHPUnit and reads its two reports: what it writes while it
// runs, and what it writes at its end. Any other command is judged by its exit
// code.
func readPHPTest(ctx context.Context, b *bench, argv []string) (report, error) {
	argv, ours := phpunitArgs(b.req.Dir, argv, "--log-junit", filepath.Join(b.reports, phpFinal),
		"--log-teamcity", filepath.Join(b.reports, phpStream), "--do-not-cache-result")
	if !ours {
		return b.byExitCode(ctx, "test", argv)
	}
	p, end, err := runPHPUnit(ctx, b, argv)
	if err != nil {
		return report{}, err
	}
	if p.untold(end) {
		events := filepath.Join(b.reports, "events.txt")
		if p, end, err = runPHPUnit(ctx, b, slices.Concat(argv, []string{"--log-events-text", events})); err != nil {
			return report{}, err
		}
		if err = withFile(events, func(f *os.File) error { return p.readEvents(f, end.Output) }); err != nil {
			return report{}, fmt.Errorf("read the log of events: %w", err)
		}
	}
	return p.report(end, readPHPFatal(end.Output)), nil
}

// runPHPUnit runs PHPUnit once and reads its two reports.
func runPHPUnit(ctx context.Context, b *bench, argv []string) (*phpunit, ended, error) {
	p := newPHPUnit(newPlaces(b))
	stream, final := filepath.Join(b.reports, phpStream), filepath.Join(b.reports, phpFinal)
	err := errors.Join(os.RemoveAll(stream), os.RemoveAll(final))
	if err != nil {
		return p, ended{}, fmt.Errorf("remove an old report: %w", err)
	}
	end, err := b.run(ctx, job{name: "test", argv: argv})
	if err != nil {
		return p, end, err
	}
	if end.Exit != 0 {
		p.forbidden = phpForbidden(b.req.Dir, argv)
	}
	err = errors.Join(
		withFile(stream, func(f *os.File) error { return p.readStream(f) }),
		withFile(final, func(f *os.File) error {
			p.readFinal(f)
			return nil
		}))
	if err != nil {
		return p, end, fmt.Errorf("read the test report: %w", err)
	}
	return p, end, nil
}

// phpunitArgs adds arguments to a call of PHPUnit, or of a script of Composer
// that ends in one. Any other command is not ok.
func phpunitArgs(dir string, argv []string, more ...string) (out []string, ok bool) {
	phpunit := func(word string) bool {
		return slices.Contains([]string{"phpunit", "phpunit.phar", "simple-phpunit"}, filepath.Base(word))
	}
	if slices.ContainsFunc(argv, phpunit) {
		return append(slices.Clone(argv), more...), true
	}
	if base := filepath.Base(argv[0]); base != "composer" && base != "composer.phar" {
		return argv, false
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(arg string) bool {
		return strings.HasPrefix(arg, "-") || arg == "run" || arg == "run-script"
	})
	if len(rest) == 0 || !slices.ContainsFunc(composerScript(dir, rest[0]), phpunit) {
		return argv, false
	}
	out = slices.Clone(argv)
	if !slices.Contains(argv, "--") {
		out = append(out, "--")
	}
	return append(out, more...), true
}

// composerScript is the command of a project's script that gets the arguments:
// of several the last.
func composerScript(dir, name string) []string {
	var manifest struct {
		Scripts map[string]json.RawMessage `json:"scripts"`
	}
	raw, err := os.ReadFile(filepath.Join(dir, "composer.json"))
	if err != nil || json.Unmarshal(raw, &manifest) != nil {
		return nil
	}
	var one string
	var many []string
	if json.Unmarshal(manifest.Scripts[name], &one) == nil {
		return strings.Fields(one)
	}
	if json.Unmarshal(manifest.Scripts[name], &many) == nil && len(many) > 0 {
		return strings.Fields(many[len(many)-1])
	}
	return nil
}

// phpFatal is an error that ended PHP itself, as it says on either stream.
type phpFatal struct {
	words, file string
	line        int
}

// readPHPFatal finds the first such error: what follows comes of it.
func readPHPFatal(output string) phpFatal {
	fatal := regexp.MustCompile(`^(?:PHP )?(?:Fatal|Parse|Compile) error: +(?:Uncaught )?(.*?) in (\S.*?)(?: on line |:)(\d+)$`)
	location := regexp.MustCompile(`^Location: +(.*):(\d+)$`)
	inside := ""
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		if hit := fatal.FindStringSubmatch(line); hit != nil {
			return phpFatal{words: hit[1], file: hit[2], line: atoi(hit[3])}
		}
		if words, ok := strings.CutPrefix(line, "Message: "); ok { // since PHPUnit 10
			inside = strings.TrimSpace(words)
		} else if hit := location.FindStringSubmatch(line); hit != nil && inside != "" {
			return phpFatal{words: inside, file: hit[1], line: atoi(hit[2])}
		}
	}
	return phpFatal{}
}

// report is what a run showed.
func (p *phpunit) report(end ended, said phpFatal) report {
	explain := phpRaised{p.places}.explain
	if said.words != "" && (!p.over || p.planned < 0) && end.Exit != 0 {
		e := journalEvent{Event: "broken", Message: said.words, Frames: []journalFrame{{File: said.file, Line: said.line}}}
		if p.planned < 0 || explain(e).class == gates.ClassCompile {
			p.journal.take(e)
			p.over = true
			p.abandon()
		}
	}
	if p.planned < 0 && !p.over && len(p.journal.broken) == 0 {
		return silent(end, "not found")
	}
	if p.idle && len(p.verdicts) == 0 {
		end.Exit = 0 // that there are no tests is all that is wrong
	}
	p.settle(end)
	return journalRun{journal: p.journal, end: end, places: p.places, explain: explain}.report()
}
