package adopt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// Alone is the language of a tree that is one project, and what to run in it.
type Alone struct {
	Language testrun.Language   // its Defaults are what to run
	Usual    testrun.Commands   // of the language
	Others   []testrun.Language // that were found, too
	Why      string             // what a person should know of the commands
	Paths    []string
}

// Alone finds the language of the whole tree and its commands. If nothing shows how
// it is tested, the error is [config.ErrNoLanguage].
func (s Search) Alone() (a Alone, err error) {
	defer func() { err = s.failed(err) }()
	a = Alone{Paths: s.Sources.Paths}
	found := s.Languages.Candidates(a.Paths)
	switch {
	case s.Language != "":
		if a.Language, err = s.Languages.ByName(s.Language); err != nil {
			return a, err
		}
	case len(found) == 0:
		a.Language = testrun.Generic()
		if a.Language.Defaults.Test, a.Why = taskOf(s.Sources); a.Why == "" {
			return a, config.ErrNoLanguage
		}
		return a, nil
	default:
		a.Language = found[0]
	}
	beside := path.Join(path.Dir(a.Language.FoundBy), a.Language.Beside) // shows no more than that the language is here
	a.Others = slices.DeleteFunc(found, func(l testrun.Language) bool { return l.Name == a.Language.Name || l.FoundBy == beside })
	a.Usual = a.Language.For(a.Paths).Defaults
	choice := s.runnable(a.Language, s.Sources, "")
	a.Language.Defaults, a.Why = choice.Commands, choice.Why
	return a, nil
}

// Settings are the defaults, with what was found: a command that is left out is the
// language's usual one.
func (a Alone) Settings() config.Settings {
	s := config.Default()
	s.Language.Name = a.Language.Name
	s.CI.TestCmd = a.Language.Defaults.Test
	s.CI.CheckCmd, s.CI.FmtCmd = unlike(a.Language.Defaults.Check, a.Usual.Check), unlike(a.Language.Defaults.Fmt, a.Usual.Fmt)
	return s
}

// runnable is what to run in the project in a folder. Where the usual program of its
// language is not on PATH, a way to test it that is here counts: Debian installs gems
// without Bundler.
func (s Search) runnable(l testrun.Language, p testrun.Sources, dir string) testrun.Choice {
	choice := l.Chosen(p)
	here := func(program string) bool { return s.Here == nil || s.Here(program, dir) }
	test := choice.Commands.Test
	if len(test) == 0 || here(test[0]) {
		return choice
	}
	if other := l.Instead(p.Paths, here); other != nil {
		choice.Commands.Test = other
		choice.Why = fmt.Sprintf("%s is not installed here, or not on PATH: `%s` is the test command", test[0], strings.Join(other, " "))
	}
	return choice
}

var (
	targetPattern = lazyregexp.New(`(?m)^(test|check)[ \t]*:(?:[^=:]|$)`)
	recipePattern = lazyregexp.New(`(?m)^@?(test|check)(?:[ \t][^:\n]*)?:(?:[^=]|$)`)
)

// taskOf is the command by which a project is tested that no language is found in: the
// target of a Makefile, or the recipe of a justfile.
func taskOf(p testrun.Sources) (argv []string, why string) {
	for _, one := range []struct {
		program string
		task    lazyregexp.Regexp
		files   []string // in the order in which the program looks for them
	}{
		{"make", targetPattern, []string{"GNUmakefile", "makefile", "Makefile"}},
		{"just", recipePattern, []string{"justfile", "Justfile", ".justfile"}},
	} {
		for _, name := range one.files {
			tasks := gates.Each(one.task().FindAllStringSubmatch(p.Read(name), -1), func(hit []string) string { return hit[1] })
			if len(tasks) == 0 {
				continue
			}
			argv = []string{one.program, slices.Max(tasks)} // test rather than check
			return argv, fmt.Sprintf("no language was found: `%s` of %s is the test command, and its exit code decides; `ci.report` reads what it says in TAP or JUnit XML", strings.Join(argv, " "), name)
		}
	}
	return nil, ""
}
