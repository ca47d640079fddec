package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// health is the result of one check.
type health string

// How an examined thing can be.
const (
	well   health = "ok"
	unsure health = "warning"
	ill    health = "failed"
)

// examined is one line of the doctor's report.
type examined struct {
	What   string `json:"what"`
	Health health `json:"health"`
	Seen   string `json:"seen"`
	Remedy string `json:"remedy,omitempty"`
}

func (p *program) doctorCommand() *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "check tools, settings, hooks, model and tests, with remedies",
		Description: "Sends no key, and runs no command of the repository before `git tdd trust`.\n" +
			"Exit 0 where nothing failed, else 2.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
			&cli.BoolFlag{Name: "hooks", Usage: "for who asks no model: hooks must be installed, endpoint and key are left out"},
			&cli.BoolFlag{Name: "repair", Usage: "first finish an interrupted landing and remove what killed runs of git-tdd left behind"},
		},
		Action: func(c *cli.Context) error {
			if c.Bool("repair") {
				if err := p.lock(c.Context, "doctor --repair"); err != nil { // as each step does before it begins
					return err
				}
			}
			d := &doctor{p: p, guards: c.Bool("hooks")}
			d.examine(c.Context)
			p.err.quiet()
			if !c.Bool("json") {
				p.showReport(d.report)
			} else if err := p.json(d.report); err != nil {
				return err
			}
			if slices.ContainsFunc(d.report, func(e examined) bool { return e.Health == ill }) {
				return usage("not everything is in order; see the remedies above")
			}
			return nil
		},
	}
}

func (p *program) showReport(report []examined) {
	marks := map[health]painted{well: p.out.paint(green, "✓"), unsure: p.out.paint(yellow, "!"), ill: p.out.paint(red, "✗")}
	for _, e := range report {
		const front = 16 // columns
		p.out.printf("%s %s %s\n", marks[e.Health], pad(e.What, front-3), p.out.folded(e.Seen, front))
		if e.Remedy != "" {
			p.out.printf("%s→ %s\n", pad("", front), p.out.folded(e.Remedy, front+2))
		}
	}
}

// doctor examines one thing after another; what cannot be examined without an earlier one is left out.
type doctor struct {
	p        *program
	report   []examined
	head     gitx.Head
	project  *check.Project
	settings config.Settings
	trusted  bool
	guards   bool // only people's commits are held to the rules; nobody asks a model
	guarded  bool // hooks are in use
}

func (d *doctor) say(what string, h health, seen, remedy string) {
	d.report = append(d.report, examined{What: what, Health: h, Seen: seen, Remedy: remedy})
}

// failed says that something cannot be looked at. It reports whether that is so.
func (d *doctor) failed(what string, err error, remedy string) bool {
	if err != nil {
		d.say(what, ill, err.Error(), remedy)
	}
	return err != nil
}

func (d *doctor) examine(ctx context.Context) {
	d.sandbox(ctx)
	if !d.git(ctx) || !d.config(ctx) {
		return
	}
	d.tools()
	d.trust()
	d.hooks(ctx)
	d.agents()
	if !d.guards {
		d.models(ctx)
	}
	d.baseline(ctx)
}

// sandbox looks at how tests can be contained here.
func (d *doctor) sandbox(ctx context.Context) {
	switch offer := sandbox.Offered(ctx); offer.Means {
	case sandbox.Namespaces:
		d.say("sandbox", well, "walls can be built around tests: files, network, processes", "")
	case "":
		d.say("sandbox", unsure, "no walls around tests, because "+offer.Why+": files and network are open to them; what they start ends with them ("+sandbox.Tier(ctx)+")",
			"allow user namespaces, or run git-tdd in a container or a virtual machine of its own")
	case sandbox.Landlock, sandbox.Seatbelt:
		d.say("sandbox", unsure, "walls around tests are made of "+string(offer.Means)+", because "+offer.Why+"; there are none around agents; open to tests stay: "+strings.Join(offer.Open, "; "),
			"allow user namespaces for walls that hide, with a loopback of their own")
	}
}

func (d *doctor) config(ctx context.Context) bool {
	if d.head.Unborn() {
		d.say("config", ill, "there is no commit yet", "`git tdd init` makes the first")
		return false
	}
	declared, err := check.ReadSettings(ctx, d.p.repo, d.head.Tree, d.p.environ, lang.All())
	switch {
	case d.failed("config", err, "mend it, commit it as chore:, then try again"):
		return false
	case declared.File == "":
		d.say("config", ill, "HEAD has no "+config.FileName, "`git tdd init` adds one")
		return false
	}
	d.settings = declared.Settings
	d.say("config", well, declared.File+" at HEAD", "")
	for _, w := range d.settings.InTheClear() {
		d.say("config", unsure, w, "")
	}
	if d.project, err = d.p.projectOf(ctx, d.head.Tree); d.failed("language", err, "") {
		return false
	}
	d.say("language", well, d.project.Language.Name, "")
	return true
}

// tools looks for the programs of the commands, without running them.
func (d *doctor) tools() {
	for _, part := range d.project.Parts() {
		c := part.Commands
		d.tool(part.Folder, "fmt_cmd", c.Fmt)
		d.tool(part.Folder, "check_cmd", c.Check)
		d.tool(part.Folder, "test_cmd", c.Test)
	}
}

// tool looks for the program of one command.
func (d *doctor) tool(at testrun.Folder, name string, argv []string) {
	what, under, command := name+inFolder(at.Dir), "ci", strings.Join(argv, " ")
	if at.Dir != "" {
		under = "projects." + at.Dir
	}
	if len(argv) == 0 {
		d.say(what, unsure, "none", "")
	} else if path := testrun.Locate(argv[0], filepath.Join(d.p.repo.Top, filepath.FromSlash(at.Dir)), d.p.environ); path == "" {
		d.say(what, ill, fmt.Sprintf("%s: %s is not installed, or not on PATH", command, argv[0]), "install "+argv[0]+", or name another command under "+under+"."+name)
	} else {
		d.say(what, well, command+" ("+path+")", "")
	}
}

func (d *doctor) trust() {
	const remedy = "read them with `git tdd trust --show`, approve them with `git tdd trust`"
	err := d.p.permit(d.project)
	d.trusted = err == nil
	switch _, untrusted := errors.AsType[*untrustedError](err); {
	case untrusted:
		d.say("trust", ill, "the commands and endpoints are not approved on this machine", remedy)
	case !d.failed("trust", err, remedy):
		d.say("trust", well, "the commands and endpoints are approved", "")
	}
	if words, some := d.p.promptSubject(d.project); some && !d.failed("prompts", d.p.permitPrompts(d.project), remedy) {
		d.say("prompts", well, gates.Count(len(words.Commands), "text")+" for roles approved", "")
	}
}

func (d *doctor) hooks(ctx context.Context) {
	i := hooks.Installer{Repo: d.p.repo}
	found, err := i.Status(ctx)
	if d.failed("hooks", err, "") {
		return
	}
	if text := telling(d.settings.Gates.Telling()); text != "" {
		d.say("rules", unsure, text, "gates: {enforce: refuse} in .tdd.yaml holds commits to them")
	}
	rest := unguarded(found)
	d.guarded = len(rest) < len(found)
	displaced, err := i.Displaced(ctx)
	switch {
	case d.failed("hooks", err, ""):
	case displaced != "":
		d.say("hooks", ill, hooksDisplaced, displaced)
		return
	case len(rest) == len(found) && d.guards:
		d.say("hooks", ill, "none", "git tdd hooks install")
	case len(rest) == len(found):
		d.say("hooks", unsure, "none; people's commits are judged only by `git tdd verify`", "git tdd hooks install")
	case len(rest) == 0:
		d.say("hooks", well, "people's commits are held to the rules", "")
	}
	if d.guarded {
		for _, h := range rest {
			d.say("hooks", unsure, h.Name+": "+describe(h), h.Remedy)
		}
	}
}
