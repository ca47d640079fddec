package facts

import (
	"io/fs"
	"syscall"
)

func changeTime(fi fs.FileInfo) (ctime int64, inode uint64) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano(), st.Ino
	}
	return 0, 0
}
