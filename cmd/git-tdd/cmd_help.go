package main

import (
	"context"
	"embed"
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
	at := slices.IndexFunc(all, func(g gates.Gate) bool { return g.Name == name })
	if at < 0 {
		return noSuch("gate", name, append(gates.Each(all, func(g gates.Gate) string { return g.Name }), "settings"))
	}
	p.out.printf("%s – holds %s\n\n%s\n", p.out.paint(bold, name), all[at].Who, all[at].Doc)
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
