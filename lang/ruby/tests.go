package ruby

import (
	"context"
	"embed"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
)

// The reporters keep the journal.
//
//go:embed reporters
var reporters embed.FS

// readRubyTest runs minitest, RSpec, or any command that runs one of them, and
// reads the journal of our reporter. Where there is none the exit code decides.
func readRubyTest(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	dir, journals, err := journal.Install(b, reporters)
	if err != nil {
		return testrun.Verdict{}, err
	}
	end, err := b.Run(ctx, testrun.Job{Name: "test", Argv: argv, Env: rubyEnv(b.Env, dir, journals)})
	if err != nil {
		return testrun.Verdict{}, err
	}
	j, heard, err := journal.Read(journals)
	switch {
	case err != nil:
		return testrun.Verdict{}, err
	case !heard && runner(argv):
		return journal.NoReport(end, "not found"), nil
	case !heard:
		return journal.ByExitCode(end, " runs, ", " examples, "), nil
	}
	p := b.Places()
	return journal.Run{Journal: j, End: end, Places: p, Explain: raised{p}.explain, NoTestsExit: 1}.Verdict(), nil
}

// runner reports whether a command is a runner that we report from.
func runner(argv []string) bool {
	return slices.ContainsFunc(argv, func(word string) bool {
		return slices.Contains([]string{"rspec", "minitest", "rake_test_loader.rb"}, filepath.Base(word)) || word == "-rminitest/autorun"
	})
}

// rubyEnv makes every Ruby that is started load our reporter. Its folder is
// found by RUBYLIB, because RUBYOPT is cut at white space.
func rubyEnv(env []string, dir, journals string) []string {
	lib := dir
	if own := testrun.LookupEnv(env, "RUBYLIB"); own != "" {
		lib += string(os.PathListSeparator) + own
	}
	return []string{
		journal.Variable + "=" + journals, "RUBYLIB=" + lib,
		"RUBYOPT=" + strings.TrimSpace("-rgit_tdd_ruby "+testrun.LookupEnv(env, "RUBYOPT")),
	}
}
