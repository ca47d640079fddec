package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

func (p *program) agentsCommand() *cli.Command {
	sub := func(name, usage string, do func(*cli.Context, agenthook.Site, []presets.Preset) error, more ...cli.Flag) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: "[NAME…]", OnUsageError: usageErrorOf, HideHelpCommand: true, Flags: more, Before: p.inRepo,
			Action: func(c *cli.Context) error { return p.agentsAction(c, do) },
		}
	}
	dry := &cli.BoolFlag{Name: "dry-run", Usage: "name the files that would change, change nothing"}
	return parent(&cli.Command{
		Name: "agents", Usage: "guard coding agents: install, uninstall, status",
		Description: "Writes what an agent reads in a repository: its hooks, a skill, a block in AGENTS.md. What\n" +
			"is there already stays as it is. Without a NAME: the agents whose program or whose folder\n" +
			"is found here. Known are " + strings.Join(presets.Names(), ", ") + ".\n" +
			"Hooks in an agent save a round trip; git's hooks, which are installed too, and\n" +
			"`git tdd verify` are the wall.",
		Subcommands: []*cli.Command{
			sub("install", "write the hooks, or bring them up to date", p.installAgents, dry),
			sub("uninstall", "take out what was written", p.uninstallAgents, dry),
			sub("status", "say which agents are held", p.agentsStatus, &cli.BoolFlag{Name: "json", Usage: "print JSON"}),
		},
	})
}

// agentsAction does something with the agents that a command line names, or with all.
func (p *program) agentsAction(c *cli.Context, do func(*cli.Context, agenthook.Site, []presets.Preset) error) error {
	names := c.Args().Slice()
	if len(names) == 0 {
		names = presets.Names()
	}
	var named []presets.Preset
	for _, name := range names {
		one, err := presets.ByName(name)
		if err != nil {
			return usage(err.Error() + meant(name, presets.Names()))
		}
		named = append(named, one)
	}
	return do(c, agenthook.Site{Top: p.repo.Top}, named)
}

func (p *program) installAgents(c *cli.Context, site agenthook.Site, named []presets.Preset) error {
	if wholefile.Matching(site.Top, config.FileName, config.AltFileName) == nil {
		return usage("there is no " + config.FileName + " here, so nothing would be held to any rule; `git tdd init` makes one")
	}
	if !c.Args().Present() {
		var err error
		if named, err = agentsHere(site, named); err != nil {
			return err
		}
	}
	changes, err := site.Install(named)
	if err != nil {
		return err
	}
	if err := p.applyChanges(c, site, changes); err != nil || c.Bool("dry-run") {
		return err
	}
	for _, a := range named {
		mark := p.out.paint(green, "✓")
		if byHand(a, changes) {
			mark = p.out.paint(yellow, "! not held yet:")
		}
		p.out.printf("%s %s\n", mark, a.Title)
		if a.Note != "" {
			p.out.printf("  → %s\n", a.Note)
		}
	}
	if err := p.wall(c); err != nil {
		return err
	}
	if slices.ContainsFunc(changes, agenthook.Change.Does) {
		p.out.printf("Commit what was written, so that it holds in every clone: git add -A && git commit -m 'chore: hold coding agents to the rules'\n")
	}
	return nil
}

// byHand reports whether a person has to do something before an agent is held.
func byHand(a presets.Preset, changes []agenthook.Change) bool {
	return slices.ContainsFunc(changes, func(c agenthook.Change) bool {
		return c.Remedy != "" && slices.ContainsFunc(a.Files, func(f presets.Placed) bool { return f.Path == c.Path })
	})
}

// wall installs git's hooks, without which the hooks of an agent hold nothing.
func (p *program) wall(c *cli.Context) error {
	all, err := hooks.Installer{Repo: p.repo}.Install(c.Context)
	if err != nil {
		return err
	}
	if rest := unguarded(all); len(rest) > 0 {
		p.showHooks(rest)
	} else {
		p.out.printf("%s git's hooks\n", p.out.paint(green, "✓"))
	}
	return nil
}

func (p *program) uninstallAgents(c *cli.Context, site agenthook.Site, named []presets.Preset) error {
	all, err := presets.All()
	if err != nil {
		return err
	}
	rest := slices.DeleteFunc(all, func(a presets.Preset) bool {
		return slices.ContainsFunc(named, func(n presets.Preset) bool { return n.Name == a.Name })
	})
	changes, err := site.Uninstall(named, rest)
	if err != nil {
		return err
	}
	return p.applyChanges(c, site, changes)
}

// applyChanges names the files that are to change, and changes them.
func (p *program) applyChanges(c *cli.Context, site agenthook.Site, changes []agenthook.Change) error {
	for _, ch := range changes {
		switch {
		case ch.Remedy != "":
			p.out.printf("%s %s: %s\n", p.out.paint(yellow, "!"), ch.Path, ch.Remedy)
		case ch.Does():
			p.out.printf("  %s\n", ch.Path)
		}
	}
	if c.Bool("dry-run") {
		return nil
	}
	return site.Apply(changes)
}

// agentsHere are those agents whose program or whose folder is found here.
func agentsHere(site agenthook.Site, all []presets.Preset) (here []presets.Preset, err error) {
	here = slices.DeleteFunc(all, func(preset presets.Preset) bool {
		a, failed := site.Look(preset)
		err = errors.Join(err, failed)
		return a.Program == "" && !a.Used
	})
	if err == nil && len(here) == 0 {
		err = usage("no coding agent is found here; name one: git tdd agents install " + strings.Join(presets.Names(), "|"))
	}
	return here, err
}

func (p *program) agentsStatus(c *cli.Context, site agenthook.Site, named []presets.Preset) error {
	agents := make([]agenthook.Agent, len(named))
	for i, preset := range named {
		var err error
		if agents[i], err = site.Look(preset); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return p.json(agents)
	}
	for _, a := range agents {
		p.showAgent(a)
	}
	guards, err := hooks.Installer{Repo: p.repo}.Status(c.Context)
	if rest := unguarded(guards); len(rest) > 0 {
		p.out.printf("%s %s git's own hooks are not all there, and they are the wall → git tdd hooks install\n", p.out.paint(yellow, "!"), pad("git", 10))
	}
	return err
}

func (p *program) showAgent(a agenthook.Agent) {
	mark, text := p.out.paint(dim, "·"), "not installed"
	switch a.State {
	case agenthook.Installed:
		mark, text = p.out.paint(green, "✓"), "installed"
	case agenthook.Partly:
		mark, text = p.out.paint(yellow, "!"), "installed in part → git tdd agents install "+a.Name
	case agenthook.Absent:
		if a.Program != "" || a.Used {
			mark, text = p.out.paint(yellow, "!"), "found here, but not held → git tdd agents install "+a.Name
		}
	}
	if a.Program == "" {
		text += "; its program is not on the PATH"
	}
	p.out.printf("%s %s %s\n", mark, pad(a.Name, 10), text)
	if a.Note != "" && a.State != agenthook.Absent {
		p.out.printf("  %s → %s\n", pad("", 10), a.Note)
	}
}
