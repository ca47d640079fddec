package testrun

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readRubyTest runs minitest, RSpec, or any command that runs one of them, and
// reads the journal of our reporter. Where there is none the exit code decides.
func readRubyTest(ctx context.Context, b *bench, argv []string) (report, error) {
	dir, journals, err := b.installReporters("*.rb")
	if err != nil {
		return report{}, err
	}
	end, err := b.run(ctx, job{name: "test", argv: argv, env: rubyEnv(b.env, dir, journals)})
	if err != nil {
		return report{}, err
	}
	j, heard, err := readJournals(journals)
	switch {
	case err != nil:
		return report{}, err
	case !heard && rubyRunner(argv):
		return silent(end, "not found"), nil
	case !heard:
		return unheard(end, " runs, ", " examples, "), nil
	}
	p := b.places()
	return journalRun{journal: j, end: end, places: p, explain: rubyRaised{p}.explain, nothing: 1}.report(), nil
}

// rubyRunner reports whether a command is a runner that we report from.
func rubyRunner(argv []string) bool {
	return slices.ContainsFunc(argv, func(word string) bool {
		return slices.Contains([]string{"rspec", "minitest", "rake_test_loader.rb"}, filepath.Base(word)) || word == "-rminitest/autorun"
	})
}

// rubyEnv makes every Ruby that is started load our reporter. Its folder is
// found by RUBYLIB, because RUBYOPT is cut at white space.
func rubyEnv(env []string, dir, journals string) []string {
	lib := dir
	if own := lookup(env, "RUBYLIB"); own != "" {
		lib += string(os.PathListSeparator) + own
	}
	return []string{
		journalVariable + "=" + journals, "RUBYLIB=" + lib,
		"RUBYOPT=" + strings.TrimSpace("-rgit_tdd_ruby "+lookup(env, "RUBYOPT")),
	}
}
