package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst puts the flags of a command line before its arguments, the only
// place where the parser looks for them; people who know git write them
// anywhere. Everything after "--" is an argument, whatever it looks like.
func flagsFirst(app *cli.App, args []string) []string {
	flags, commands := app.Flags, app.Commands
	at := 1
	for ; at < len(args) && strings.HasPrefix(args[at], "-"); at++ { // --color, which stands before the command
		if valued(flags, strings.TrimLeft(args[at], "-")) {
			at++
		}
	}
	global := at
	for ; at < len(args); at++ {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[at]) })
		if i < 0 {
			break
		}
		if commands[i].SkipFlagParsing {
			return args
		}
		flags, commands = commands[i].Flags, commands[i].Subcommands
	}
	if at == global {
		return args
	}
	front, back := parted(flags, args[at:])
	if slices.ContainsFunc(back, func(arg string) bool { return arg != "-" && strings.HasPrefix(arg, "-") }) {
		front = append(front, "--")
	}
	return slices.Concat(args[:at], front, back)
}

// bounded refuses more arguments than a command takes: one if its usage names any.
func bounded(do cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		most, takes := 0, "no argument "+quote(c.Args().First())
		if c.Command.ArgsUsage != "" {
			most, takes = 1, "one argument, "+c.Command.ArgsUsage
		}
		if c.NArg() > most {
			return usage(c.Command.Name + " takes " + takes + "; `git tdd " + c.Command.Name + " -h` lists what it takes")
		}
		return do(c)
	}
}

// parted separates the flags, with their values, from the arguments. If the
// last flag lacks its value, the arguments are dropped, so that none is taken
// for it.
func parted(flags []cli.Flag, words []string) (front, back []string) {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
			return front, append(back, words[i+1:]...)
		case word == "-" || !strings.HasPrefix(word, "-"):
			back = append(back, word)
		case len(word) > 2 && word[1] != '-' && word[2] != '=' && valued(flags, word[1:2]): // -j1
			front = append(front, word[:2], word[2:])
		default:
			front = append(front, word)
			if !valued(flags, strings.TrimLeft(word, "-")) {
				continue
			}
			if i++; i == len(words) {
				return front, nil
			}
			front = append(front, words[i])
		}
	}
	return front, back
}

// valued reports whether a flag takes the next word as its value.
func valued(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool {
		_, alone := f.(*cli.BoolFlag)
		return !alone && slices.Contains(f.Names(), name)
	})
}

// theme is what some commands have in common.
type theme struct {
	name     string
	commands []*cli.Command
}

// themes are all commands in the order in which the help lists them: first the eight
// that most people need.
func (p *program) themes() []theme {
	return []theme{
		{"COMMANDS", []*cli.Command{
			p.initCommand(), p.statusCommand(), p.verifyCommand(), p.evidenceCommand(), p.hooksCommand(), p.agentsCommand(), p.runCommand(), p.undoCommand(),
		}},
		{"MORE TO LOOK AT", []*cli.Command{p.logCommand(), p.factsCommand(), p.reportCommand(), p.explainCommand(), p.doctorCommand()}},
		{"MORE FOR COMMITS", []*cli.Command{p.splitCommand(), p.squashCommand(), p.renumberCommand()}},
		{"MORE FOR MODELS", []*cli.Command{p.demoCommand(), p.stepCommand(), p.promptCommand()}},
		{"MORE FOR SETUP", []*cli.Command{p.trustCommand(), p.completionCommand(), p.versionCommand()}},
	}
}

// overview is the help of the whole program.
func (p *program) overview() string {
	var b strings.Builder
	b.WriteString(`git tdd - test-driven development that is measured, not believed

USAGE:
   git tdd COMMAND [options]
   git tdd COMMAND -h         what a command does, and its options
`)
	for _, t := range p.themes() {
		fmt.Fprintf(&b, "\n%s:\n", t.name)
		for _, c := range t.commands {
			fmt.Fprintf(&b, "   %-16s%s\n", strings.Join(c.Names(), ", "), c.Usage)
		}
	}
	b.WriteString(`
GLOBAL OPTIONS:
   --color WHEN   colour what is printed WHEN: auto, always, never (default: auto)
   --help, -h     show help
   --version, -v  print the version

EXIT STATUS: 0 accepted or done; 1 refused by a gate; 2 usage or configuration;
3 could not judge; 4 stuck, out of attempts or budget; 130 interrupted.
`)
	return b.String()
}

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Action: func(c *cli.Context) error {
			p.out.printf("git tdd version %s\n", programVersion())
			return nil
		},
	}
}

// colours obeys --color. It outweighs NO_COLOR.
func (p *program) colours(c *cli.Context) error {
	whens := []string{"auto", "always", "never"}
	switch when := c.String("color"); {
	case !slices.Contains(whens, when):
		return usage("--color takes auto, always or never, not " + quote(when) + meant(when, whens))
	case when != "auto":
		p.out.colour, p.err.colour = when == "always", when == "always"
	}
	return nil
}

// at is a path as it was named where the program was started.
func (p *program) at(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.dir, name)
}
