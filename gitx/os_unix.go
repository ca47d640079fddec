//go:build unix

package gitx

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives a child a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd lets a cancelled git remove its locks before it goes.
func askToEnd(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}

// flush makes a folder's names durable.
func flush(dir *os.File) error { return dir.Sync() }
