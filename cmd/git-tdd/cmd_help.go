package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
				return nil
			case "settings":
				p.out.printf("%s", config.Render(config.Default(), "The settings of "+config.FileName+" and their defaults; language and commands are found."))
				return nil
			default:
				return p.explain(c.Context, name)
			}
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
	var known []string
	for _, g := range gates.All() {
		if g.Name == name {
			p.out.printf("%s – holds %s\n\n%s\n", p.out.paint(bold, g.Name), g.Who, g.Doc)
			if slices.Contains(p.telling(ctx), name) {
				p.out.printf("\nHere this gate only tells (gates.enforce): hooks let through what it would refuse.\n")
			}
			return nil
		}
		known = append(known, g.Name)
	}
	return noSuch("gate", name, append(known, "settings"))
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
			script := map[string]func([]*cli.Command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Args().First()]
			if c.NArg() != 1 || script == nil {
				return noSuch("completion for the shell", strings.Join(c.Args().Slice(), " "), shells())
			}
			p.out.printf("%s", script(p.commands()))
			return nil
		},
	}
}

// bashCompletion defines the function by which git's completion extends itself.
func bashCompletion(commands []*cli.Command) string {
	var names []string
	var cases strings.Builder
	for _, c := range commands {
		names = append(names, c.Names()...)
		if words := append(subcommands(c), flagNames(c)...); len(words) > 0 {
			fmt.Fprintf(&cases, "\t%s) __gitcomp %q ;;\n", strings.Join(c.Names(), " | "), strings.Join(words, " "))
		}
	}
	return fmt.Sprintf(`_git_tdd() {
	local commands=%q
	case "$(__git_find_on_cmdline "$commands")" in
	'') __gitcomp "$commands" ;;
%s	esac
}
`, strings.Join(names, " "), cases.String())
}

// zshCompletion is a file for $fpath, or to be evaluated: zsh's completion of git calls
// the function of this name.
func zshCompletion(commands []*cli.Command) string {
	var names, cases strings.Builder
	for _, c := range commands {
		for _, name := range c.Names() {
			fmt.Fprintf(&names, "\t\t%s\n", single(name+":"+c.Usage))
		}
		fmt.Fprintf(&cases, "\t(%s) subs=(%s) flags=(%s) ;;\n", strings.Join(c.Names(), "|"), strings.Join(subcommands(c), " "), strings.Join(flagNames(c), " "))
	}
	return fmt.Sprintf(`#compdef git-tdd
#description measured test-driven development
_git-tdd() {
	local -a commands subs flags
	commands=(
%s	)
	if (( CURRENT == 2 )); then
		_describe -t commands 'git tdd command' commands
		return
	fi
	case $words[2] in
%s	esac
	if [[ $PREFIX == -* ]]; then
		compadd -- $flags
	elif (( CURRENT == 3 && $#subs )); then
		compadd -- $subs
	else
		_files
	fi
}
if [[ $funcstack[1] == _git-tdd ]]; then
	_git-tdd "$@"
else
	compdef _git-tdd git-tdd
fi
`, names.String(), cases.String())
}

// fishCompletion completes git-tdd; fish's completion of git asks it for `git tdd`.
func fishCompletion(commands []*cli.Command) string {
	var b strings.Builder
	b.WriteString("complete -c git-tdd -f\n" +
		"complete -c git -n __fish_git_needs_command -a tdd -d 'measured test-driven development'\n" +
		"complete -c git -f -n '__fish_git_using_command tdd' -a '(__fish_git_complete_custom_command tdd)'\n")
	for _, c := range commands {
		seen := "-n '__fish_seen_subcommand_from " + strings.Join(c.Names(), " ") + "'"
		for _, name := range c.Names() {
			fmt.Fprintf(&b, "complete -c git-tdd -n __fish_use_subcommand -a %s -d %s\n", name, single(c.Usage))
		}
		for _, sub := range c.Subcommands {
			fmt.Fprintf(&b, "complete -c git-tdd %s -a %s -d %s\n", seen, sub.Name, single(sub.Usage))
		}
		for _, f := range flagNames(c) {
			fmt.Fprintf(&b, "complete -c git-tdd %s -l %s\n", seen, strings.TrimPrefix(f, "--"))
		}
	}
	return b.String()
}

// single puts a text between single quotes.
func single(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "’").Replace(text) + "'"
}

func subcommands(c *cli.Command) (words []string) {
	for _, sub := range c.Subcommands {
		words = append(words, sub.Names()...)
	}
	if len(words) == 0 && c.Name == "completion" {
		return shells()
	}
	return words
}

func flagNames(c *cli.Command) (words []string) {
	for _, f := range c.Flags {
		words = append(words, "--"+f.Names()[0])
	}
	return words
}
