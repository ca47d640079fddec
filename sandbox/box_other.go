//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// run runs the command and kills what its tier tells of when it ends.
func run(ctx context.Context, _ string, c Command) (Ending, error) {
	c, err := c.seated(ctx)
	if c.Path == "" || err != nil {
		return Ending{}, err // that a box may start is all that was asked
	}
	cmd := exec.CommandContext(ctx, c.Path)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Args, c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr
	cmd.WaitDelay = pipeGrace
	sweep := gather(cmd)
	if err := cmd.Start(); err != nil {
		return Ending{Code: 127, Refused: err.Error()}, nil
	}
	err = cmd.Wait()
	sweep() // what the command left behind
	// That a process failed, was killed or left a pipe open is no failure of the box.
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited && !errors.Is(err, exec.ErrWaitDelay) &&
		!errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return Ending{}, fmt.Errorf("wait for %s: %w", c.Path, err)
	}
	end := endingOf(cmd.ProcessState)
	end.Late = ctx.Err() != nil
	return end, nil
}

// seater is macOS's program that runs another one under a profile.
const seater = "/usr/bin/sandbox-exec"

// seated is the command within its walls; if there is no command, the walls alone are tried.
func (c Command) seated(ctx context.Context) (Command, error) {
	if c.Walls == nil {
		return c, nil
	}
	profile := []string{"sandbox-exec", "-p", c.Walls.seatbelt()}
	if c.Path == "" {
		cmd := exec.CommandContext(ctx, seater)
		cmd.Args = append(profile, "/usr/bin/true")
		if err := cmd.Run(); err != nil {
			return c, fmt.Errorf("%w: %s: %w", errRefused, seater, err)
		}
		return c, nil
	}
	c.Args = slices.Concat(profile, []string{c.Path}, c.Args[1:])
	c.Path = seater
	return c, nil
}

// offer says what walls of these means are worth here.
func offer(means Means) Offer {
	if means != Seatbelt {
		return Offer{Why: "walls are made of Linux's namespaces and Landlock, or of macOS's sandbox-exec"}
	}
	return Offer{Means: means, Why: "there are namespaces on Linux only", Open: []string{
		"whatever the profile gets wrong: it was never tried on macOS",
		"names, owners and times of files that it cannot read",
		"daemons: one that leaves its process group outlives the run, still within walls",
	}}
}

// endingOf words how a process ended.
func endingOf(state *os.ProcessState) Ending {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Ending{Code: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Ending{Code: state.ExitCode()}
}
