package main

import (
	"errors"
	"os"
	"os/exec"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/gitx"
)

// logFormat is the status view of a history: step, phase, role, subject, tests.
const logFormat = "%C(auto)%h %C(bold)%(trailers:key=Tdd-Step,valueonly,separator=%x20)%C(reset) " +
	"%(trailers:key=Tdd-Phase,valueonly,separator=%x20) " +
	"%C(dim)%(trailers:key=Tdd-Role,valueonly,separator=%x20)%C(reset) %s" +
	"%C(dim) %(trailers:key=Tdd-Tests,valueonly,separator=%x20)" +
	"%(trailers:key=Tdd-Outcome,valueonly,separator=%x20)%C(reset)%C(auto)%d"

func (p *program) logCommand() *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "git log with the tdd format", ArgsUsage: "[options of git log]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			repo, err := p.open(c.Context)
			if err != nil {
				return err
			}
			args := []string{
				"-C", p.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false",
				"log", "--no-ext-diff", "--no-textconv", "--format=" + logFormat,
			}
			cmd := exec.CommandContext(c.Context, "git", append(args, c.Args().Slice()...)...)
			cmd.Env = append(os.Environ(), "GIT_PAGER="+pager(p.environ))
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, p.out.w, p.err.w
			err = cmd.Run()
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return &gitx.Error{Args: []string{"log"}, Exit: exit.ExitCode(), Err: err}
			}
			_ = repo
			return err
		},
	}
}

// pager is the user's own choice: a repository's core.pager is not run.
func pager(environ []string) string {
	for _, name := range []string{"GIT_PAGER", "PAGER"} {
		if v := getenv(environ, name); v != "" {
			return v
		}
	}
	return "less -FRX"
}
