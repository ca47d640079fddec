//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"syscall"
)

func tiers() []string { return []string{tierGroup} }

// gather has the command be a process group of its own, which ends as a whole. A process
// that leaves the group escapes: this is best effort.
func gather(cmd *exec.Cmd) (sweep func()) {
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.SysProcAttr, cmd.Cancel = &syscall.SysProcAttr{Setpgid: true}, kill
	return func() { _ = kill() }
}
