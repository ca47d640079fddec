package wholefile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The sizes of files that are read.
const (
	Most     = 256 << 20 // of one that is read whole
	streamed = 4 << 30   // of one that is read from beginning to end
)

// Open opens a regular file to read it; anything else is an error: a pipe waits, a device has no end.
func Open(name string) (*os.File, error) { return open(name, os.OpenFile) }

// OpenIn opens a regular file below a folder as [Open] does.
func OpenIn(root *os.Root, name string) (*os.File, error) { return open(name, root.OpenFile) }

func open(name string, by func(string, int, fs.FileMode) (*os.File, error)) (*os.File, error) {
	f, err := by(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: it is %s, not a file", name, kind(info.Mode()))
	} else if err == nil && info.Size() > streamed {
		err = fmt.Errorf("open %s: it is larger than %d GB", name, streamed>>30)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Read reads a regular file that is no larger than [Most].
func Read(name string) ([]byte, error) { return ReadUpTo(name, Most) }

// ReadUpTo reads a regular file that is no larger than so many bytes.
func ReadUpTo(name string, most int64) ([]byte, error) {
	f, err := Open(name)
	return whole(f, err, most)
}

// ReadIn reads a regular file below a folder as [Read] does.
func ReadIn(root *os.Root, name string) ([]byte, error) {
	f, err := OpenIn(root, name)
	return whole(f, err, Most)
}

func whole(f *os.File, err error, most int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("read %s: it is larger than %d kB", f.Name(), most>>10)
	}
	return io.ReadAll(io.LimitReader(f, most))
}
