//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// inSession starts a command in a session of its own, as git-tdd does: kernels
// share the processors out by session.
func inSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// spent is the processor time of this process and of all that it has waited for.
func spent() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if syscall.Getrusage(who, &used) == nil {
			total += time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
	}
	return total
}
