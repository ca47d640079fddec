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

// Alone is a tree that is one project.
type Alone struct {
	Project
	Others []testrun.Language // that were found, too
}

// Alone finds the language of the whole tree and its commands. If nothing shows how
// it is tested, the error is [config.ErrNoLanguage].
func (s Search) Alone() (a Alone, err error) {
	defer func() { err = s.failed(err) }()
	found := s.Languages.Candidates(s.Sources.Paths)
	var l testrun.Language
	switch {
	case s.Language != "":
		if l, err = s.Languages.ByName(s.Language); err != nil {
			return a, err
		}
	case len(found) == 0:
		a.Language, a.Paths = testrun.Generic(), s.Sources.Paths
		if a.Commands.Test, a.Why = taskOf(s.Sources); a.Why == "" {
			err = config.ErrNoLanguage
		}
		return a, err
	default:
		l = found[0]
	}
	beside := path.Join(path.Dir(l.FoundBy), l.Beside) // shows no more than that the language is here
	a.Others = slices.DeleteFunc(found, func(o testrun.Language) bool { return o.Name == l.Name || o.FoundBy == beside })
	a.Project = s.project(Found{Language: l}, nil)
	return a, nil
}

// Settings are the defaults, with what was found: a command that is left out is the
// language's usual one.
func (a Alone) Settings() config.Settings {
	s := config.Default()
	s.Language.Name = a.Language.Name
	s.CI.TestCmd, s.CI.CheckCmd, s.CI.FmtCmd = a.Commands.Test, a.Set.CheckCmd, a.Set.FmtCmd
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
