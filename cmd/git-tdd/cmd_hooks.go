package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/hooks"
)

func (p *program) hooksCommand() *cli.Command {
	sub := func(name, usage string, do func(hooks.Installer, context.Context) ([]hooks.Hook, error), more ...cli.Flag) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, OnUsageError: usageErrorOf, HideHelpCommand: true, ArgsUsage: "[DIR]",
			Flags: append([]cli.Flag{
				&cli.BoolFlag{Name: "json", Usage: "print JSON"},
				&cli.BoolFlag{Name: "server", Usage: "the hook of a repository that is pushed to, at DIR or here"},
			}, more...),
			Action: func(c *cli.Context) error { return p.hooksAction(c, do) },
		}
	}
	return parent(&cli.Command{
		Name: "hooks", Usage: "guard commits as they are made: install, uninstall, status",
		Description: "From git 2.54 on, git's configuration names the hooks, and all others stay as they are.\n" +
			"With an older git a hook that is there already is kept and runs first; uninstall puts it\n" +
			"back. Where a folder of hooks belongs to somebody else, the line to add is printed instead.\n" +
			"GIT_TDD=off git commit … goes around the hooks once, and the commit says so.\n" +
			"--server is about the hook of a repository that is pushed to: it refuses what does not hold.",
		Subcommands: []*cli.Command{
			sub("install", "install the hooks, or bring them up to date", hooks.Installer.Install,
				&cli.BoolFlag{Name: "shims", Usage: "as files in the folder of hooks, also where git could read them from its configuration"}),
			sub("uninstall", "take the hooks away and put back what was there", hooks.Installer.Uninstall),
			sub("status", "say which hooks guard this repository", hooks.Installer.Status),
		},
	})
}

// parent is a command that does nothing without one of its own commands.
func parent(c *cli.Command) *cli.Command {
	known := subcommands(c)
	c.ArgsUsage, c.HideHelpCommand = strings.Join(known, "|"), true
	c.Action = func(ctx *cli.Context) error {
		if word := ctx.Args().First(); word != "" {
			return noSuch("command git tdd "+c.Name, word, known)
		}
		return cli.ShowSubcommandHelp(ctx)
	}
	return c
}

// hooksAction does something with the hooks and reports their state.
func (p *program) hooksAction(c *cli.Context, do func(hooks.Installer, context.Context) ([]hooks.Hook, error)) error {
	i, err := p.installerFor(c)
	if err != nil {
		return err
	}
	i.Shims = c.Bool("shims")
	found, err := do(i, c.Context)
	if err == nil && i.Server && c.Command.Name == "install" {
		err = p.approveServed(c.Context)
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return p.json(found)
	}
	p.showHooks(found)
	return nil
}

// installerFor is the installer for a command line.
func (p *program) installerFor(c *cli.Context) (hooks.Installer, error) {
	dir, served := c.Args().First(), c.Bool("server")
	switch {
	case !served && dir != "":
		return hooks.Installer{}, usage("a directory is named with --server only")
	case !served:
		err := p.open(c.Context)
		return hooks.Installer{Repo: p.repo}, err
	case c.NArg() > 1:
		return hooks.Installer{}, usage("--server takes one directory")
	}
	p.dir = p.at(dir)
	err := p.openServed(c.Context)
	return hooks.Installer{Repo: p.repo, Server: true}, err
}

func (p *program) showHooks(found []hooks.Hook) {
	for _, h := range found {
		mark := p.out.paint(green, "✓")
		if !h.Guards() {
			mark = p.out.paint(yellow, "!")
		}
		p.out.printf("%s %s %s\n", mark, pad(h.Name, 18), describe(h))
		if h.Remedy != "" {
			p.out.printf("  %s → %s\n", pad("", 18), h.Remedy)
		}
	}
}

// describe describes the state of a hook.
func describe(h hooks.Hook) string {
	return map[hooks.State]string{
		hooks.Configured: "installed in git's configuration; hooks in folders run after it",
		hooks.Installed:  "installed",
		hooks.Chained:    "installed; the hook that was there before runs first",
		hooks.Behind:     "called by the hook that is there",
		hooks.Idle:       "there, but git does not run it",
		hooks.Foreign:    "another hook is there, and it does not call git-tdd",
		hooks.Absent:     "not installed",
	}[h.State]
}

// unguarded returns the hooks that do not guard.
func unguarded(found []hooks.Hook) []hooks.Hook {
	return slices.DeleteFunc(slices.Clone(found), hooks.Hook.Guards)
}

// approveServed approves what HEAD of a served repository declares: installing
// the hook there means deciding what runs there. That does not approve what is
// pushed later.
func (p *program) approveServed(ctx context.Context) error {
	head, err := p.repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Unborn() {
		p.err.printf("nothing is approved yet: HEAD is %s, which has no commit. `git tdd trust REV` here approves what a revision runs\n", head.Name())
		return nil
	}
	covered, err := p.showDeclared(ctx, head.Tree, p.err)
	if errors.Is(err, config.ErrNoLanguage) {
		return nil // nothing is declared, so nothing can run
	}
	if err != nil {
		return err
	}
	return p.approve(covered, p.err)
}

// preReceive judges what a push would bring, before any ref moves.
func (p *program) preReceive(ctx context.Context) error {
	p.environ = hooks.ServerEnviron(p.environ)
	if err := p.openServed(ctx); err != nil {
		return err
	}
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read what is being pushed: %w", err)
	}
	g := &guard{p: p, Guard: hooks.Guard{Repo: p.repo, Checker: p.checker(check.Options{Fresh: check.Recorded}), Environ: p.environ}}
	ids, err := g.Incoming(ctx, hooks.ParseUpdates(string(lines)))
	if err != nil || len(ids) == 0 {
		return err
	}
	p.err.printf("git tdd: judging %s\n", gates.Count(len(ids), "commit"))
	err = g.prove(ctx, ids, "nothing was taken over; mend it (git commit --amend, git rebase -i) and push again")
	if _, untrusted := errors.AsType[*untrustedError](err); untrusted {
		return refused("nothing was taken over: this push runs commands that nobody has approved on the server; " +
			"its administrator fetches it there, looks, and runs `git tdd trust FETCH_HEAD`")
	}
	return err
}
