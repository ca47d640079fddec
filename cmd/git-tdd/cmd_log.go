package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

// logFormat is the status view of a history: commit, step, phase, role,
// subject, tests, and what is special. "% (" puts a blank before non-empty
// values only.
const logFormat = "%C(auto)%h%C(bold)% (trailers:key=Tdd-Step,valueonly,separator=%x20)%C(reset)" +
	"% (trailers:key=Tdd-Phase,valueonly,separator=%x20)" +
	"%C(dim)% (trailers:key=Tdd-Role,valueonly,separator=%x20)%C(reset) %s" +
	"%C(dim)% (trailers:key=Tdd-Tests,valueonly,separator=%x20)" +
	"% (trailers:key=Tdd-Outcome,valueonly,separator=%x20)%C(reset)%C(auto)%d"

func (p *program) logCommand() *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "git log with the tdd format", ArgsUsage: "[options of git log]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if arg := c.Args().First(); arg == "--help" || arg == "-h" {
				return cli.ShowSubcommandHelp(c)
			}
			paging := pager(p.environ)
			if paging == usualPager {
				paging = "less -FRSX" // a line is a commit
			}
			return p.showLog(c.Context, c.Args().Slice(), paging)
		},
	}
}

// showLog runs git log.
func (p *program) showLog(ctx context.Context, args []string, pager string) error {
	if _, err := p.open(ctx); err != nil {
		return err
	}
	return p.handOver(ctx, pager, "log", append([]string{"--no-ext-diff", "--no-textconv", "--format=" + logFormat}, args...)...)
}
