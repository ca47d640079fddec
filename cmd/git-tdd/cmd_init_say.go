package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/testrun"
)

// settingsText is what init writes of some settings: what is not the default.
func settingsText(s config.Settings) []byte {
	return config.Brief(s, "What is left out has its default: git tdd explain settings")
}

// foundBy says in a few words by what a language was found.
func foundBy(l testrun.Language) string {
	if l.FoundBy == "" {
		return l.Name
	}
	return l.Name + ", by " + l.FoundBy
}

// announce says what was found, and what is going to be run.
func (i *initializer) announce(found string, projects testrun.Projects) {
	if i.brief {
		return
	}
	i.p.out.below("", "found "+found)
	for _, p := range projects {
		var all []string
		for _, argv := range [][]string{p.Commands.Check, p.Commands.Test} {
			if len(argv) > 0 {
				all = append(all, "`"+strings.Join(argv, " ")+"`")
			}
		}
		i.p.out.below("", "runs "+strings.Join(all, ", then ")+inFolder(p.Folder)+", now and at each commit")
	}
}

// write makes the tree of init's commit.
func (i *initializer) write(ctx context.Context, base gitx.ID, edits []gitx.TreeEdit) (gitx.ID, error) {
	i.wrote = nil
	for _, e := range edits {
		i.wrote = append(i.wrote, e.Path)
	}
	return i.repo.WriteTree(ctx, base, edits)
}

// frankly says what was done to the repository, how to take it back, and what comes next.
func (i *initializer) frankly(guards []hooks.Hook) {
	if i.brief {
		return
	}
	out := i.p.out
	out.below("  ", "committed "+strings.Join(i.wrote, ", ")+", and nothing else")
	switch rest := unguarded(guards); {
	case i.bare:
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
	if !i.empty {
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

// installed installs the hooks, unless they are not wanted.
func (i *initializer) installed(ctx context.Context) ([]hooks.Hook, error) {
	if i.bare {
		return nil, nil
	}
	installer, err := i.p.installer(ctx)
	if err != nil {
		return nil, err
	}
	return installer.Install(ctx)
}
