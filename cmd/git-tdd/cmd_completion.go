package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// completionCommand prints what git's own completion calls for `git tdd`.
func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print shell completion for git tdd", ArgsUsage: "bash",
		Description: "git tdd completion bash >~/.local/share/bash-completion/completions/git-tdd, or\n" +
			"eval \"$(git tdd completion bash)\" in ~/.bashrc. It works beside git's own completion.",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() != "bash" {
				return &usageError{"completion knows one shell: git tdd completion bash"}
			}
			p.out.printf("%s", bashCompletion(p.commands()))
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
		if words := completions(c); words != "" {
			fmt.Fprintf(&cases, "\t%s) __gitcomp %q ;;\n", strings.Join(c.Names(), " | "), words)
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

// completions are the subcommands and flags of a command.
func completions(c *cli.Command) string {
	var words []string
	for _, sub := range c.Subcommands {
		words = append(words, sub.Names()...)
	}
	for _, f := range c.Flags {
		words = append(words, "--"+f.Names()[0])
	}
	return strings.Join(words, " ")
}
