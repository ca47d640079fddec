//go:build unix

package coder

import (
	"os"

	"golang.org/x/sys/unix"
)

// openPipe makes a named pipe and opens it for writing before anybody reads.
func openPipe(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if err := unix.Mkfifo(name, 0o600); err != nil {
		return nil, err
	}
	fd, err := unix.Open(name, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
