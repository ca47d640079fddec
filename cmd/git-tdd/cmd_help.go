package main

import (
	"context"
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
)

func (p *program) explainCommand() *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "what a gate demands, why, and how to satisfy it; all settings", ArgsUsage: "[GATE | settings]",
		Action: func(c *cli.Context) error {
			switch name := c.Args().First(); name {
			case "":
				p.listGates()
			case "settings":
				p.out.printf("%s", config.Render(config.Default(), "The settings of "+config.FileName+" and their defaults; language and commands are found."))
			default:
				return p.explain(c.Context, name)
			}
			return nil
		},
	}
}

func (p *program) listGates() {
	for _, g := range gates.All() {
		sentence, _, _ := strings.Cut(strings.ReplaceAll(g.Doc, "\n", " "), ". ")
		p.out.printf("%s  %s\n            %s.\n", p.out.paint(bold, pad(g.Name, 10)), g.Who, strings.TrimSuffix(sentence, "."))
	}
	p.out.printf("\n`git tdd explain GATE` says more; `git tdd explain settings` lists what .tdd.yaml can set.\n")
}

func (p *program) explain(ctx context.Context, name string) error {
	all := gates.All()
	gate, known := gates.Find(all, func(g gates.Gate) bool { return g.Name == name })
	if !known {
		return noSuch("gate", name, append(gates.Each(all, func(g gates.Gate) string { return g.Name }), "settings"))
	}
	p.out.printf("%s – holds %s\n\n%s\n", p.out.paint(bold, name), gate.Who, gate.Doc)
	if slices.Contains(p.telling(ctx), name) {
		p.out.printf("\nHere this gate only tells (gates.enforce): hooks let through what it would refuse.\n")
	}
	return nil
}

// telling says which gates only tell; empty if none does.
func telling(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case len(gates.All()):
		return "the rules only tell (gates.enforce): hooks let every commit through; `git tdd report --told` counts what they would have refused"
	}
	return "these gates only tell (gates.enforce): " + strings.Join(names, ", ") + "; `git tdd report --told` counts what they would have refused"
}

// telling are the gates that only tell by HEAD's rules; none outside a repository.
func (p *program) telling(ctx context.Context) []string {
	if p.open(ctx) != nil {
		return nil
	}
	settings, err := p.settings(ctx)
	if err != nil {
		return nil
	}
	return settings.Gates.Telling()
}

// shells are the shells for which there is completion.
func shells() []string { return []string{"bash", "zsh", "fish"} }

// completionCommand prints what completes `git tdd` beside git's own completion.
func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print shell completion for git tdd", ArgsUsage: "SHELL",
		Description: "It works beside git's own completion. For one shell:\n" +
			"bash  git tdd completion bash >~/.local/share/bash-completion/completions/git-tdd\n" +
			"zsh   git tdd completion zsh >DIR/_git-tdd, in a DIR of $fpath\n" +
			"fish  git tdd completion fish >~/.config/fish/conf.d/git-tdd.fish",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || !slices.Contains(shells(), c.Args().First()) {
				return noSuch("completion for the shell", strings.Join(c.Args().Slice(), " "), shells())
			}
			p.out.printf("%s", completion(c.Args().First(), p.commands()))
			return nil
		},
	}
}

// completions define for bash and zsh the function by which git's completion extends itself,
// and for fish, whose completion of git asks that of git-tdd, the latter.
//
//go:embed completion/*
var completions embed.FS

// completion is what a shell reads.
func completion(shell string, commands []*cli.Command) string {
	var script strings.Builder
	_ = template.Must(template.New(shell).Funcs(template.FuncMap{
		"join": strings.Join, "single": single, "subs": subcommands, "flags": flagNames,
		"words": func(c *cli.Command) []string { return append(subcommands(c), flagNames(c)...) },
	}).ParseFS(completions, "completion/"+shell)).Execute(&script, commands) // they have all that it names
	return script.String()
}

// single puts a text between single quotes.
func single(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "’").Replace(text) + "'"
}

func subcommands(c *cli.Command) (words []string) {
	words = slices.Concat(gates.Each(c.Subcommands, (*cli.Command).Names)...)
	if len(words) == 0 && c.Name == "completion" {
		return shells()
	}
	return words
}

func flagNames(c *cli.Command) []string {
	return gates.Each(c.Flags, func(f cli.Flag) string { return "--" + f.Names()[0] })
}

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
