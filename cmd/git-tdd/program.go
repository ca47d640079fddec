package main

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/lang"
)

// version is set by the linker when a release is built.
var version = "development"

// programVersion is the release, or what go install knows of the module.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if version != "development" || !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return version
	}
	return info.Main.Version
}

// program is one run of git-tdd.
type program struct {
	dir     string // where it was started
	environ []string
	out     *terminal      // results
	err     *terminal      // progress and errors
	repo    *gitx.Repo     // nil until a command needs it
	later   []func() error // called when the program ends
	cycles  bool           // test and code are asked for in one answer
	told    sync.Map       // the notes that are said once

	outdated atomic.Bool // settings that went were read

	patience time.Duration // how long an agent's hook may take
}

func newProgram(dir string, environ []string, stdout, stderr io.Writer) *program {
	p := &program{dir: dir, environ: environ, out: newTerminal(stdout, environ), err: newTerminal(stderr, environ)}
	p.out.beside = p.err
	return p
}

// close leaves the terminal clean. The repository's helper process ends by
// itself when its input does; waiting for it would only take time.
func (p *program) close() {
	for _, end := range p.later {
		_ = end() // at worst a folder stays in the cache; the kernel frees a lock
	}
	p.err.quiet()
}

// main carries out a command line and returns the exit code.
func (p *program) main(ctx context.Context, args []string) int {
	err := p.run(ctx, args)
	p.err.quiet()
	code := exitCode(ctx, err)
	switch {
	case code == exitInterrupted:
		p.err.printf("interrupted; %s\n", p.leftBy(context.WithoutCancel(ctx)))
	case err != nil:
		p.complain(err)
	}
	p.tellRetired(ctx, args)
	return code
}

// leftBy says in which state an interrupted command left the repository. It
// looks: a command can have been interrupted before, in or after a landing.
func (p *program) leftBy(ctx context.Context) string {
	if p.repo == nil {
		return "nothing is lost: no repository was opened"
	}
	waits, err := p.repo.Interrupted(ctx)
	if err != nil {
		return "and the repository cannot be read any more: " + err.Error()
	}
	if waits {
		return "a commit is on its way to the branch; `git tdd doctor --repair` finishes that, so commit nothing before"
	}
	head, err := p.repo.Head(ctx)
	switch {
	case err != nil:
		return "and HEAD cannot be read any more: " + err.Error()
	case head.Unborn():
		return "nothing is lost: there is no commit yet"
	}
	return "nothing is lost: HEAD is at " + head.Commit.Short() + ", and no landing is unfinished"
}

// run carries out a command line. What hooks call is no command for people,
// so the command line parser knows nothing of it.
func (p *program) run(ctx context.Context, args []string) error {
	if len(args) > 1 && args[1] == "hook" {
		return p.hook(ctx, args[2:])
	}
	if len(args) > 1 && args[1] == "agent-hook" {
		return p.agentHook(ctx, args[2:], os.Stdin)
	}
	app := p.app()
	return app.RunContext(ctx, flagsFirst(app, args))
}

// tellRetired says which settings of HEAD went, once a command and once a commit.
func (p *program) tellRetired(ctx context.Context, args []string) {
	once := len(args) < 3 || args[1] != "hook" || args[2] == "commit-msg" || args[2] == "pre-push"
	if !p.outdated.Load() || !once || ctx.Err() != nil || args[1] == "agent-hook" {
		return
	}
	settings, _ := p.settings(ctx) // what is wrong was said
	for _, gone := range settings.Retired {
		p.err.printf("%s %s\n", p.err.paint(yellow, "git tdd:"), gone)
	}
}

// hooksDisplaced is what somebody should know who believes to be guarded.
const hooksDisplaced = "commits pass unguarded: git was told to look elsewhere for hooks since these were installed"

// hooksMissing is what somebody should know in a clone.
const hooksMissing = "commits pass unguarded: git's hooks are not installed in this clone"

// warnOfDisplacedHooks warns after every command for people but those that say more
// about hooks; those that show where one stands warn of missing ones too.
func (p *program) warnOfDisplacedHooks(c *cli.Context) error {
	ctx, command := c.Context, c.Args().First()
	if p.repo == nil || command == "hooks" || command == "doctor" || ctx.Err() != nil {
		return nil //nolint:nilerr // whoever interrupts a command is told so
	}
	i, seen := hooks.Installer{Repo: p.repo}, hooksDisplaced
	ask := i.Displaced
	if command == "status" || command == "log" {
		ask = i.Unguarded
		if !i.Placed() {
			seen = hooksMissing
		}
	}
	remedy, err := ask(ctx)
	if err == nil && remedy != "" {
		p.err.printf("%s %s\n  → %s\n", p.err.paint(yellow, "git tdd:"), seen, remedy)
	}
	return nil
}

// complain prints an error in the program's style.
func (p *program) complain(err error) {
	if err.Error() == "" {
		return
	}
	p.err.printf("%s %s\n", p.err.paint(red, "git tdd:"), strings.TrimSpace(err.Error()))
	if untrusted, ok := errors.AsType[*untrustedError](err); ok {
		p.err.commands("  ", untrusted.runs)
	}
	if errors.Is(err, gitx.ErrMissing) {
		p.err.printf("  → if `git gc --prune=now` or `git prune` ran meanwhile, do it again; otherwise `git fsck` says what is damaged\n")
	}
}

// app is the command line.
func (p *program) app() *cli.App {
	return &cli.App{
		Name:           "git tdd",
		HelpName:       "git tdd",
		Usage:          "test-driven development that is measured, not believed",
		Version:        programVersion(),
		Writer:         p.out.w,
		ErrWriter:      p.err.w,
		Commands:       p.commands(),
		Flags:          []cli.Flag{&cli.StringFlag{Name: "color", Usage: "colour what is printed `WHEN`: auto, always, never", Value: "auto"}},
		Before:         p.colours,
		After:          p.warnOfDisplacedHooks,
		ExitErrHandler: func(*cli.Context, error) {}, // only main exits
		OnUsageError:   usageErrorOf,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("there is no command " + quote(c.Args().First()) + "; `git tdd help` lists them" + meant(c.Args().First(), slices.Concat(gates.Each(p.commands(), (*cli.Command).Names)...)))
			}
			return cli.ShowAppHelp(c)
		},
		CustomAppHelpTemplate: p.overview(),
	}
}

// usageErrorOf says which flag a mistyped one may be.
func usageErrorOf(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if typed, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok && c.Command != nil {
		names := slices.Concat(gates.Each(c.Command.Flags, cli.Flag.Names)...)
		known := gates.Each(names, func(name string) string { return "--" + name })
		if typed = strings.TrimLeft(typed, "-"); len(typed) > 1 { // however many dashes: package flag knows one
			typed = "-" + typed
		}
		text = "there is no flag " + quote("-"+typed) + meant("--"+strings.TrimLeft(typed, "-"), known)
	}
	return usage(text)
}

func (p *program) commands() []*cli.Command {
	all := slices.Concat(gates.Each(p.themes(), func(t theme) []*cli.Command { return t.commands })...)
	for _, c := range all {
		c.OnUsageError = usageErrorOf
		if c.Action != nil && len(c.Subcommands) == 0 && !c.SkipFlagParsing && !strings.Contains(c.ArgsUsage, "...") {
			c.Action = bounded(c.Action)
		}
	}
	return all
}

// open opens the repository in which the program was started.
func (p *program) open(ctx context.Context) (err error) {
	if p.repo == nil {
		p.repo, err = gitx.Open(ctx, gitx.Options{Dir: p.dir, Environ: p.environ, Seal: p.seal("git-tdd landing")})
	}
	return err
}

// openServed opens it as one that others push to.
func (p *program) openServed(ctx context.Context) (err error) {
	p.repo, err = gitx.OpenServed(ctx, gitx.Options{Dir: p.dir, Environ: p.environ})
	return err
}

// openAny opens it with or without a working tree.
func (p *program) openAny(ctx context.Context) error {
	err := p.open(ctx)
	if errors.Is(err, gitx.ErrBare) {
		return p.openServed(ctx)
	}
	return err
}

// inRepo is for commands that need a repository with a working tree.
func (p *program) inRepo(c *cli.Context) error { return p.open(c.Context) }

// inAnyRepo is for commands that need a repository.
func (p *program) inAnyRepo(c *cli.Context) error { return p.openAny(c.Context) }

// seal proves that something of ours is this user's: the record of a landing, or a manifest of a step.
func (p *program) seal(label string) func(text []byte) (string, error) {
	return func(text []byte) (string, error) {
		dirs, _ := facts.DefaultDirs(p.environ) // sealing says why there are none
		return dirs.Seal(label, text)
	}
}

// settings are those of HEAD.
func (p *program) settings(ctx context.Context) (config.Settings, error) {
	head, err := p.repo.Head(ctx)
	if err != nil {
		return config.Settings{}, err
	}
	read, err := check.ReadSettings(ctx, p.repo, head.Tree, p.environ, lang.All())
	return read.Settings, err
}
