package wholefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Put writes content to a place that a person named. A regular file is replaced as by
// [Write], and keeps its mode; a symbolic link is followed. A device or a pipe is
// written into: it is never replaced.
func Put(ctx context.Context, name string, content []byte, mode os.FileMode) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(name); err == nil { // a link: what it names is made
			return os.WriteFile(name, content, mode)
		}
		return Write(name, content, mode)
	}
	switch {
	case err != nil:
		return fmt.Errorf("write %s: %w", name, err)
	case info.Mode().IsRegular():
		target, err := filepath.EvalSymlinks(name)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		return Write(target, content, info.Mode().Perm())
	case info.Mode()&fs.ModeCharDevice == 0 && info.Mode()&fs.ModeNamedPipe == 0:
		return fmt.Errorf("write %s: it is %s; name a file", name, kind(info.Mode()))
	}
	return into(ctx, name, content)
}

// into writes to a device or a pipe. It waits for nobody to open the pipe, and no
// longer than the context for somebody to read on.
func into(ctx context.Context, name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return fmt.Errorf("write %s: nobody reads it; start what reads it first", name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(1, 0)) })() // a device has none, and takes what it gets
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// kind says what is there in the place of a file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}
