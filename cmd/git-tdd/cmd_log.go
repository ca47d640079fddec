package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// logFormat is the status view of a history: commit, step, phase, subject, tests, and
// what is special. The first three stand in columns; "% (" puts a blank before non-empty
// values only.
const logFormat = "%C(auto)%h%C(bold)%>(4)%(trailers:key=Tdd-Step,valueonly,separator=%x20)%C(reset)" +
	" %<(8)%(trailers:key=Tdd-Phase,valueonly,separator=%x20) " + logSubject +
	"%C(dim)% (trailers:key=Tdd-Tests,valueonly,separator=%x20)" +
	"% (trailers:key=Tdd-Outcome,valueonly,separator=%x20)% (trailers:key=Tdd-Told,separator=%x20)%C(reset)%C(auto)%d"

const logSubject = "%s"

// logFormatFor cuts the subjects, so that what the tests showed stands beside them
// on a terminal; without one nothing is cut.
func logFormatFor(width int) string {
	const front, tests, least, most = 22, 10, 20, 72 // columns
	if width == 0 {
		return logFormat
	}
	room := min(max(least, width-front-tests), most)
	return strings.Replace(logFormat, logSubject, fmt.Sprintf("%%<(%d,trunc)%s", room, logSubject), 1)
}

func (p *program) logCommand() *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "git log with the tdd format", ArgsUsage: "[options of git log]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if arg := c.Args().First(); arg == "--help" || arg == "-h" {
				return cli.ShowSubcommandHelp(c)
			}
			return p.showLog(c.Context, c.Args().Slice(), pager(p.environ))
		},
	}
}

// showLog runs git log.
func (p *program) showLog(ctx context.Context, args []string, pager string) error {
	if _, err := p.open(ctx); err != nil {
		return err
	}
	return p.handOver(ctx, pager, "log", append([]string{"--no-ext-diff", "--no-textconv", "--format=" + logFormatFor(p.out.width())}, args...)...)
}
