//go:build unix && !linux

package testrun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func tiers() []string { return []string{tierGroup} }

func probe(string) error { return nil }

// boxMain is never reached: here a command is no child of a second git-tdd.
func boxMain([]string) int { return 2 }

// runTier runs the command in a process group of its own and kills the group
// when it ends. A process that leaves the group escapes: this is best effort.
func runTier(ctx context.Context, _ string, b boxed) (ending, error) {
	cmd := exec.CommandContext(ctx, b.path)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = b.argv, b.dir, b.env, b.stdout, b.stderr
	cmd.WaitDelay = pipeGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return ending{code: 127, refused: err.Error()}, nil
	}
	err := waited(cmd.Wait())
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the command left behind
	if err != nil {
		return ending{}, fmt.Errorf("wait for %s: %w", b.path, err)
	}
	return endingOf(cmd.ProcessState), nil
}

// endingOf words how a process ended.
func endingOf(state *os.ProcessState) ending {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ending{code: 128 + int(ws.Signal()), signal: ws.Signal().String()}
	}
	return ending{code: state.ExitCode()}
}
