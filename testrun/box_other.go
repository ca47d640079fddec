//go:build !unix

package testrun

import (
	"context"
	"fmt"
	"os/exec"
)

func tiers() []string { return []string{tierProcess} }

func probe(string) error { return nil }

// boxMain is never reached: here a command is no child of a second git-tdd.
func boxMain([]string) int { return 2 }

// runTier runs the command and kills that one process when ctx ends.
func runTier(ctx context.Context, _ string, b boxed) (ending, error) {
	cmd := exec.CommandContext(ctx, b.path)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = b.argv, b.dir, b.env, b.stdout, b.stderr
	cmd.WaitDelay = pipeGrace
	if err := cmd.Start(); err != nil {
		return ending{code: 127, refused: err.Error()}, nil
	}
	if err := waited(cmd.Wait()); err != nil {
		return ending{}, fmt.Errorf("wait for %s: %w", b.path, err)
	}
	return ending{code: cmd.ProcessState.ExitCode()}, nil
}
