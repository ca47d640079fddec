//go:build linux || darwin

// Package machine says what a machine has run out of, where its system tells.
package machine

import (
	"os"

	"golang.org/x/sys/unix"
)

// readOnly is a flag of file systems, the same on both systems.
const readOnly = 1

// Room is how many bytes a user may still write to a file system: none where it has
// no more files. It is not known of one that cannot be written to, or does not count.
func Room(dir string) (bytes uint64, known bool) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Blocks == 0 || fs.Flags&readOnly != 0 {
		return 0, false
	}
	if fs.Files > 0 && fs.Ffree == 0 {
		return 0, true
	}
	room := fs.Bavail
	if os.Geteuid() == 0 {
		room = fs.Bfree
	}
	return room * uint64(fs.Bsize), true //nolint:gosec // a block has a size
}
