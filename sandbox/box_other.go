//go:build !unix

package sandbox

import (
	"context"
	"fmt"
	"os/exec"
)

func tiers() []string { return []string{tierProcess} }

// run runs the command and kills that one process when ctx ends.
func run(ctx context.Context, _ string, c Command) (Ending, error) {
	if c.Walls != nil {
		return Ending{}, errRefused
	}
	if c.Path == "" {
		return Ending{}, nil // that a box may start is all that was asked
	}
	cmd := exec.CommandContext(ctx, c.Path)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Args, c.Dir, c.Env, c.Stdout, c.Stderr
	cmd.WaitDelay = pipeGrace
	if err := cmd.Start(); err != nil {
		return Ending{Code: 127, Refused: err.Error()}, nil
	}
	if err := waited(cmd.Wait()); err != nil {
		return Ending{}, fmt.Errorf("wait for %s: %w", c.Path, err)
	}
	return Ending{Code: cmd.ProcessState.ExitCode(), Late: ctx.Err() != nil}, nil
}

// offer says that nobody builds walls here.
func offer(Means) Offer {
	return Offer{Why: "walls are made of Linux's namespaces and Landlock, or of macOS's sandbox-exec"}
}
