package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

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
		return &usageError{"--color takes auto, always or never, not " + quote(when) + meant(when, whens)}
	case when != "auto":
		p.out.colour, p.err.colour = when == "always", when == "always"
	}
	return nil
}
