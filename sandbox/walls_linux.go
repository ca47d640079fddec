package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// wall is one place that the command sees otherwise than we do.
type wall struct {
	path string
	from int    // a copy of what stood there, to be shown; noCopy: it is hidden
	link string // where a symbolic link leads
	was  os.FileMode
}

const noCopy = -1

// hiddenMemory is how much of the memory a command may use for what it puts into each folder that is hidden.
const hiddenMemory = "25%"

// build builds the walls. Everything becomes read-only, folders are hidden, and what
// the command is to find is put back, as it was mounted before.
func (w *Walls) build() error {
	if err := w.Limits.apply(); err != nil {
		return err
	}
	walls, err := w.plan()
	if err != nil {
		return err
	}
	devices := devices()
	if err := alter("/", unix.AT_RECURSIVE, unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}); err != nil {
		return fmt.Errorf("make all read-only: %w", err)
	}
	for _, wall := range walls {
		if err := wall.build(); err != nil {
			return fmt.Errorf("wall off %s: %w", wall.path, err)
		}
	}
	if err := makeDevices(devices); err != nil {
		return fmt.Errorf("make devices: %w", err)
	}
	if err := guardProc(); err != nil {
		return fmt.Errorf("guard /proc: %w", err)
	}
	if w.Network == Loopback {
		return raiseLoopback()
	}
	return nil
}

// plan copies what is to be shown before anything is hidden, and orders the walls so
// that each stands on those before it.
func (w *Walls) plan() ([]wall, error) {
	var out []wall
	for _, path := range w.Hidden {
		if is, err := os.Stat(path); err == nil {
			out = append(out, wall{path: path, from: noCopy, was: is.Mode()})
		}
	}
	for path, to := range w.Links {
		out = append(out, wall{path: path, from: noCopy, link: to})
	}
	for _, list := range []struct {
		paths []string
		attr  uint64
	}{{w.Shown, unix.MOUNT_ATTR_RDONLY}, {w.Given, 0}} {
		for _, path := range list.paths {
			fd, err := copyOf(path, list.attr|unix.MOUNT_ATTR_NOSUID)
			if err != nil {
				return nil, fmt.Errorf("show %s: %w", path, err)
			}
			if fd != noCopy {
				out = append(out, wall{path: path, from: fd})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b wall) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// copyOf is what is mounted at a path, as a mount of its own, or noCopy.
func copyOf(path string, attr uint64) (int, error) {
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err == unix.ENOENT || err == unix.ENOTDIR {
		return noCopy, nil
	}
	if err != nil {
		return noCopy, err
	}
	return fd, unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attr})
}

// alter changes a mount.
func alter(path string, flags uint, attr unix.MountAttr) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, flags, &attr)
}

func (w wall) build() error {
	switch {
	case w.link != "":
		if err := os.MkdirAll(filepath.Dir(w.path), 0o700); err != nil {
			return err
		}
		return os.Symlink(w.link, w.path)
	case w.from == noCopy:
		return w.hide()
	}
	return show(w.from, w.path)
}

// show puts a copy in its place, which is made if it is not there any more, and closes it.
func show(fd int, path string) error {
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	err := unix.MoveMount(fd, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
	if !errors.Is(err, unix.ENOENT) {
		return err
	}
	var is unix.Stat_t
	if err := unix.Fstat(fd, &is); err != nil {
		return err
	}
	if is.Mode&unix.S_IFMT == unix.S_IFDIR {
		err = os.MkdirAll(path, 0o700)
	} else if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = os.WriteFile(path, nil, 0o600)
	}
	if err != nil {
		return err
	}
	return unix.MoveMount(fd, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// hide makes a folder an empty one of the command's own, or a file an empty one.
func (w wall) hide() error {
	_, err := os.Lstat(w.path)
	switch {
	case err != nil && w.was.IsDir(): // it lies in one that is hidden already
		return os.MkdirAll(w.path, w.was.Perm())
	case err != nil:
		return nil //nolint:nilerr // likewise, and a file that is not there is hidden
	case !w.was.IsDir():
		return unix.Mount(os.DevNull, w.path, "", unix.MS_BIND, "")
	}
	mode := uint32(w.was.Perm())
	if w.was&os.ModeSticky != 0 {
		mode |= unix.S_ISVTX
	}
	return tmpfs(w.path, mode, hiddenMemory)
}

// tmpfs mounts an empty file system in memory.
func tmpfs(path string, mode uint32, size string) error {
	options := fmt.Sprintf("mode=%o", mode)
	if size != "" {
		options += ",size=" + size
	}
	return unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options)
}

// devices are copies of those that every program may use, where they can be had.
func devices() map[string]int {
	out := map[string]int{}
	for _, path := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"} {
		if fd, err := copyOf(path, 0); err == nil && fd != noCopy {
			out[path] = fd
		}
	}
	return out
}

// makeDevices makes a /dev without disks and without the user's terminals.
func makeDevices(nodes map[string]int) error {
	if err := tmpfs("/dev", 0o755, "1m"); err != nil {
		return err
	}
	for path, fd := range nodes {
		if err := show(fd, path); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(to, filepath.Join("/dev", name)); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/dev/shm", "/dev/pts"} {
		if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // as everywhere
			return err
		}
	}
	if err := tmpfs("/dev/shm", 0o1777, ""); err != nil {
		return err
	}
	return unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
}

// guardProc lets commands write about themselves in /proc, and nothing of the system.
func guardProc() error {
	if err := alter("/proc", 0, unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	for _, name := range []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"} {
		fd, err := copyOf(name, unix.MOUNT_ATTR_RDONLY)
		if err == nil && fd != noCopy {
			err = show(fd, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// raiseLoopback lets the command's own servers be reached.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raise the loopback: %w", err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("raise the loopback: %w", err)
	}
	return nil
}
