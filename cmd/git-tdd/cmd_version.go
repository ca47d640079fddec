package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return &usageError{"version takes no argument " + quote(c.Args().First())}
			}
			p.out.printf("git tdd version %s\n", version)
			return nil
		},
	}
}

// colours takes --color=WHEN from before the command. It outweighs NO_COLOR.
func (p *program) colours(args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	when, ok := strings.CutPrefix(strings.TrimPrefix(args[1], "-"), "-color")
	rest := args[2:]
	switch {
	case !ok || when != "" && when[0] != '=':
		return args, nil
	case when == "" && len(rest) > 0:
		when, rest = rest[0], rest[1:]
	default:
		when = strings.TrimPrefix(when, "=")
	}
	switch when {
	case "auto":
	case "always", "never":
		p.out.colour, p.err.colour = when == "always", when == "always"
	default:
		return nil, &usageError{"--color takes auto, always or never, not " + quote(when) + meant(when, []string{"auto", "always", "never"})}
	}
	return append(args[:1:1], rest...), nil
}
