package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
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
func logFormatFor(width int, format string) string {
	const front, tests, least, most = 22, 10, 20, 72 // columns
	if width == 0 {
		return format
	}
	room := min(max(least, width-front-tests), most)
	return strings.Replace(format, logSubject, fmt.Sprintf("%%<(%d,trunc)%s", room, logSubject), 1)
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
	repo, err := p.open(ctx)
	if err != nil {
		return err
	}
	format, width := logFormat, p.out.width()
	if head, err := repo.Head(ctx); err == nil {
		if rules, err := check.ReadSettings(ctx, repo, head.Tree, p.environ, lang.All()); err == nil {
			if slices.ContainsFunc(rules.Settings.Rotation, func(role gates.Role) bool { return rules.Settings.Rules(role).Type != "" }) {
				// The phase says whose step it was, but for roles of a project's own, which all keep.
				format = strings.Replace(format, "%<(8)%(trailers:key=Tdd-Phase", "%<(12,trunc)%(trailers:key=Tdd-Role", 1)
				width = max(width-4, min(width, 1))
			}
		}
	}
	return p.handOver(ctx, pager, "log", append([]string{"--no-ext-diff", "--no-textconv", "--format=" + logFormatFor(width, format)}, args...)...)
}
