//go:build unix

package testrun_test

import (
	"os"
	"syscall"
)

// owner is the user that a file belongs to.
func owner(info os.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return ^uint32(0)
}
