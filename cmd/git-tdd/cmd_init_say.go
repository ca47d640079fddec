package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/testrun"
)

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
		p.out.below("", "runs "+strings.Join(all, ", then ")+inFolder(one.Folder)+", now and at each commit")
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
	p.out.printf("adopted %s: %s\n", top, count(len(done.Several), "project"))
	for _, c := range done.Several {
		p.out.printf("  %s  %s, by %s: %s\n", c.Key(), c.Language.Name, c.By, strings.Join(c.Test, " "))
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
		out.below("  ", fmt.Sprintf("%d of %s installed; `git tdd hooks status` says why", len(guards)-len(rest), count(len(guards), "hook")))
	default:
		where := ".git/hooks"
		if slices.ContainsFunc(guards, func(h hooks.Hook) bool { return h.State == hooks.Configured }) {
			where = "git's configuration of this clone"
		}
		out.below("  ", count(len(guards), "hook")+" in "+where+" judge each commit as it is made")
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
