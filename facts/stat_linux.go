package facts

import (
	"io/fs"
	"syscall"
)

func changeTime(fi fs.FileInfo) (ctime, inode uint64) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ctim.Nano()), st.Ino //nolint:gosec // compared, never counted with
	}
	return 0, 0
}
