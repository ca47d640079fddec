package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "set up the project here, or start one in an empty folder", ArgsUsage: "[DIR]",
		Description: "In an empty folder: a project of the language, the kata, .tdd.yaml, a repository and\n" +
			"its first commit; --language must be given. In an existing project: .tdd.yaml, and\n" +
			"kata.md if no kata is named, in a commit of its own; nothing is overwritten. The tests\n" +
			"must be green, or their failures known (--known-failures): the commit lists them, and\n" +
			"no step needs them.\n" +
			"Then git's hooks are installed; git tdd hooks uninstall removes them.\n" +
			"Where several folders have projects with tests, each becomes one, with a language and\n" +
			"commands of its own; init DIR makes one of a folder, --language takes those of one.\n" +
			"Bundled katas: " + strings.Join(katas.Names(), ", ") + ".",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "language", Aliases: []string{"l"}, Usage: "`NAME` of the language (default: found)"},
			&cli.StringFlag{Name: "kata", Aliases: []string{"k"}, Usage: "`NAME` of a bundled kata, or a Markdown file (default: a form to fill in)"},
			&cli.BoolFlag{Name: "known-failures", Usage: "adopt a project with failing tests: no step needs them"},
			&cli.BoolFlag{Name: "no-hooks", Usage: "install no git hooks"},
		},
		Action: func(c *cli.Context) error {
			return p.init(c.Context, initializing{
				dir: p.at(c.Args().First()), named: c.Args().Present(), language: c.String("language"), kata: c.String("kata"),
				unhooked: c.Bool("no-hooks"), known: c.Bool("known-failures"),
			})
		},
	}
}

// initializing says what to set up.
type initializing struct {
	dir            string
	named          bool // the folder was, and may be one project of several
	language, kata string
	known          bool // tests that fail are known to
	unhooked       bool // installs no hooks
	brief          bool // says how the baseline is, and no more
}

// init sets up a project, and says what was done.
func (p *program) init(ctx context.Context, how initializing) (err error) {
	place, err := adopt.Open(ctx, gitx.Options{Dir: how.dir, Environ: p.environ})
	if err != nil {
		return err
	}
	p.repo = place.Repo
	defer func() {
		if err != nil {
			err = errors.Join(err, place.Undo())
			p.repo = place.Repo
		}
	}()
	s := p.setup(place, how)
	if place.Empty && place.Head.Unborn() {
		return p.start(ctx, s, how)
	}
	switch name, err := s.Settled(ctx); {
	case err != nil:
		return err
	case name != "":
		now, err := p.status(ctx)
		if err == nil {
			p.out.printf("already set up: %s is at HEAD; nothing was changed\n", name)
			p.showStatus(now)
		}
		return err
	}
	if known := lang.All().Names(); how.language != "" && !slices.Contains(known, how.language) {
		return noSuch("language", how.language, known)
	}
	if s.Kata, err = katas.Read(how.kata, p.at(how.kata)); err != nil {
		return err
	}
	done, err := s.Adopt(ctx)
	if err != nil {
		return err
	}
	return p.guardAdopted(ctx, s, how, done, func() { p.tellAdopted(s, done) })
}

// setup is how a place is set up.
func (p *program) setup(place *adopt.Place, how initializing) *adopt.Setup {
	s := &adopt.Setup{
		Place: place, Languages: lang.All(), Environ: p.environ, Language: how.language, Inside: how.named, Known: how.known,
		Checker: func(fresh check.Fresh) *check.Checker {
			return p.checker(check.Options{Fresh: fresh, Observer: p.waiting("the baseline")})
		},
		Approve: func(settings config.Settings, projects testrun.Projects) error {
			return p.trustStore().Approve(p.subject(settings, projects))
		},
		Found: p.tellFound, Baseline: p.tellBaseline, Note: p.tellNote,
	}
	if how.brief {
		s.Found = func(string, testrun.Projects) {}
	}
	return s
}

// start makes a new project.
func (p *program) start(ctx context.Context, s *adopt.Setup, how initializing) error {
	language, err := withScaffold(how.language)
	if err != nil {
		return err
	}
	if s.Kata, err = katas.Read(how.kata, p.at(how.kata)); err != nil {
		return err
	}
	started, message := "a project", "chore: start a "+language.Name+" project\n"
	if s.Kata != nil {
		started = katas.Title(s.Kata)
		message = "chore: start the kata " + started + "\n"
	}
	done, err := s.Start(ctx, language, message)
	if err != nil {
		return err
	}
	return p.guardAdopted(ctx, s, how, done, func() {
		p.out.printf("started %s: %s in %s, kata in %s\n", started, language.Name, p.repo.Top, done.Settings.Kata)
		if install := language.Scaffold.Install; install != "" {
			p.out.printf("not checked yet by `%s`: run `%s`, take the line check_cmd out of %s,\n"+
				"  commit that (git commit -am 'chore: check the types'), then run git tdd trust\n",
				strings.Join(language.Defaults.Check, " "), install, config.FileName)
		}
	})
}

// guardAdopted prepares the repository for what comes next, and says so.
func (p *program) guardAdopted(ctx context.Context, s *adopt.Setup, how initializing, done adopt.Done, tell func()) error {
	if err := p.repo.SetConfig(ctx, "pretty.tdd", logFormat); err != nil {
		return err
	}
	var guards []hooks.Hook
	if !how.unhooked {
		var err error
		if guards, err = (hooks.Installer{Repo: p.repo}).Install(ctx); err != nil {
			return err
		}
	}
	tell()
	if !how.brief {
		p.tellDone(s, done, guards)
	}
	return nil
}

// withScaffold is the language of an empty project.
func withScaffold(name string) (testrun.Language, error) {
	scaffolds := slices.DeleteFunc(lang.All(), func(l testrun.Language) bool { return !l.Scaffold.Exists() })
	known := slices.Sorted(slices.Values(gates.Each(scaffolds, func(l testrun.Language) string { return l.Name })))
	switch name = strings.ToLower(name); {
	case name == "":
		return testrun.Language{}, usage("this folder is empty: say what to start\n" +
			"  git tdd init --language NAME [--kata NAME|FILE]\n" +
			"  languages: " + strings.Join(known, ", ") + "\n" +
			"  katas: " + strings.Join(katas.Names(), ", "))
	case !slices.Contains(known, name):
		return testrun.Language{}, usage("no empty project can be made in " + quote(name) + meant(name, known) + "; there are " + strings.Join(known, ", "))
	}
	return lang.All().ByName(name)
}

// tellFound says what was found, and what is going to be run.
func (p *program) tellFound(what string, projects testrun.Projects) {
	p.out.below("", "found "+what)
	for _, one := range projects {
		var all []string
		for _, argv := range [][]string{one.Commands.Check, one.Commands.Test} {
			if len(argv) > 0 {
				all = append(all, "`"+strings.Join(argv, " ")+"`")
			}
		}
		p.out.below("", "runs "+strings.Join(all, ", then ")+inFolder(one.Dir)+", now and at each commit")
	}
}

func (p *program) tellBaseline(text string) {
	p.err.quiet()
	p.out.printf("baseline: %s\n", text)
}

func (p *program) tellNote(text string) {
	p.err.quiet()
	p.err.printf("%s\n", text)
}

// tellAdopted says what was chosen, what was found beside it, and how to choose otherwise.
func (p *program) tellAdopted(s *adopt.Setup, done adopt.Done) {
	if done.Alone == nil {
		p.tellSeveral(s.Repo.Top, done)
		return
	}
	one := done.Alone
	p.out.printf("adopted %s: %s, by `%s`\n", s.Repo.Top, one.Language.Name, strings.Join(done.Settings.CI.TestCmd, " "))
	if one.Why != "" {
		p.out.printf("%s\n", one.Why)
	}
	var others []string
	for _, l := range one.Others {
		note := ""
		if l.Tested(one.Paths) {
			note = ", its tests do not run"
		}
		others = append(others, fmt.Sprintf("%s (%s%s)", l.Name, l.FoundBy, note))
	}
	if len(others) > 0 {
		p.out.printf("also found: %s; git reset --keep HEAD~ and git tdd init --language NAME choose another\n", strings.Join(others, ", "))
	}
}

func (p *program) tellSeveral(top string, done adopt.Done) {
	p.out.printf("adopted %s: %s\n", top, gates.Count(len(done.Several), "project"))
	for _, c := range done.Several {
		p.out.printf("  %s  %s, by %s: %s\n", c.Key(), c.Language.Name, c.By, strings.Join(c.Commands.Test, " "))
		if c.Why != "" {
			p.out.printf("    %s\n", c.Why)
		}
		if len(c.Set.Reads) > 0 {
			p.out.printf("    reads %s\n", strings.Join(c.Set.Reads, ", "))
		}
	}
	for _, f := range done.Skipped {
		why := map[bool]string{true: "not asked for", false: "no tests"}[f.Tested]
		p.out.printf("  not taken: %s  %s, by %s (%s)\n", cmp.Or(f.Dir, "."), f.Language.Name, f.By, why)
	}
	p.out.printf("to choose otherwise, edit projects in %s, commit that as chore:, and run git tdd trust\n", config.FileName)
}

// tellDone says what was done to the repository, how to take it back, and what comes next.
func (p *program) tellDone(s *adopt.Setup, done adopt.Done, guards []hooks.Hook) {
	out := p.out
	out.below("  ", "committed "+strings.Join(done.Files, ", ")+", and nothing else")
	switch rest := unguarded(guards); {
	case guards == nil:
		out.below("  ", "no hooks: `git tdd verify` judges commits afterwards, `git tdd hooks install` as they are made")
	case len(rest) > 0:
		out.below("  ", fmt.Sprintf("%d of %s installed; `git tdd hooks status` says why", len(guards)-len(rest), gates.Count(len(guards), "hook")))
	default:
		where := ".git/hooks"
		if slices.ContainsFunc(guards, func(h hooks.Hook) bool { return h.State == hooks.Configured }) {
			where = "git's configuration of this clone"
		}
		out.below("  ", gates.Count(len(guards), "hook")+" in "+where+" judge each commit as it is made")
		out.below("  ", "one commit without them: GIT_TDD=off git commit …; no more: git tdd hooks uninstall")
	}
	if !s.Empty {
		out.below("  ", "take it all back: git tdd hooks uninstall && git status -s && git reset --keep HEAD~")
	}
	out.printf("\nnext, by hand:\n" +
		"  write one failing test, then    git commit -m 'test: …'\n" +
		"  make it pass, then              git commit -m 'feat: …'\n" +
		"  whose turn it is                git tdd status\n" +
		"next, with an agent:\n" +
		"  hold yours to these rules       git tdd agents install\n" +
		"  what it may do next             git tdd status --json\n" +
		"  let ours work (needs a model)   git tdd run\n")
}
