//go:build unix && !linux

package box

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func tiers() []string { return []string{tierGroup} }

// run runs the command in a process group of its own and kills the group
// when it ends. A process that leaves the group escapes: this is best effort.
func run(ctx context.Context, _ string, c Command) (Ending, error) {
	if c.Path == "" {
		return Ending{}, nil // that a box may start is all that was asked
	}
	cmd := exec.CommandContext(ctx, c.Path)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Args, c.Dir, c.Env, c.Stdout, c.Stderr
	cmd.WaitDelay = pipeGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return Ending{Code: 127, Refused: err.Error()}, nil
	}
	err := waited(cmd.Wait())
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the command left behind
	if err != nil {
		return Ending{}, fmt.Errorf("wait for %s: %w", c.Path, err)
	}
	end := endingOf(cmd.ProcessState)
	end.Late = ctx.Err() != nil
	return end, nil
}

// endingOf words how a process ended.
func endingOf(state *os.ProcessState) Ending {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Ending{Code: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Ending{Code: state.ExitCode()}
}
