package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/envvar"
	"github.com/git-tdd/git-tdd/gitx"
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
			return p.showLog(c.Context, c.Args().Slice(), pager(p.environ))
		},
	}
}

// quietPager does not page.
const quietPager = "cat"

// showLog runs git log, with the user's own pager: the one that a repository's
// configuration names is not run.
func (p *program) showLog(ctx context.Context, args []string, pager string) error {
	if _, err := p.open(ctx); err != nil {
		return err
	}
	return p.handOver(ctx, pager, append([]string{
		"-c", "log.showSignature=false", "log", "--no-ext-diff", "--no-textconv", "--format=" + logFormat,
	}, args...)...)
}

// handOver lets git itself show something to the user.
func (p *program) handOver(ctx context.Context, pager string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", p.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	cmd.Env = append(slices.Clone(p.environ), "GIT_PAGER="+pager)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, p.out.w, p.err.w
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return &gitx.Error{Args: args, Exit: exit.ExitCode(), Err: err}
	}
	return err
}

// pager is the user's own pager: a repository's core.pager is not run.
func pager(environ []string) string {
	for _, name := range []string{"GIT_PAGER", "PAGER"} {
		if v := envvar.Get(environ, name); v != "" {
			return v
		}
	}
	return "less -FRX"
}
