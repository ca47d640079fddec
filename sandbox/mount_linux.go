package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// mount shows everything that a command is to see elsewhere, in order.
func (c Command) mount() error {
	for _, m := range c.Mounts {
		if err := m.mount(); err != nil {
			return fmt.Errorf("show %s at %s: %w", m.From, m.At, err)
		}
	}
	return nil
}

func (m Mount) mount() error {
	if m.Layer == "" {
		return unix.Mount(m.From, m.At, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if m.overlay() == nil {
		return nil
	}
	if m.Stays {
		return unix.Mount(m.changes(), m.At, "", unix.MS_BIND, "")
	}
	// No layer over a file, nor over some file systems: what cannot be changed for
	// the command alone is not changed.
	if err := unix.Mount(m.From, m.At, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(m.At, &fs); err != nil {
		return err
	}
	kept := uintptr(fs.Flags) & (unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NODIRATIME) //nolint:gosec // flags
	if fs.Flags&unix.ST_RELATIME != 0 {
		kept |= unix.MS_RELATIME
	}
	return unix.Mount("", m.At, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|kept, "")
}

// changes is the folder in which changes end up.
func (m Mount) changes() string { return filepath.Join(m.Layer, "changes") }

// overlay shows a folder with a layer over it that takes the changes.
func (m Mount) overlay() error {
	upper, work := m.changes(), filepath.Join(m.Layer, "work")
	for _, dir := range []string{upper, work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	escaped := func(path string) string { return strings.NewReplacer(`\`, `\\`, `:`, `\:`, `,`, `\,`).Replace(path) }
	options := "lowerdir=" + escaped(m.From) + ",upperdir=" + escaped(upper) + ",workdir=" + escaped(work) + ",userxattr"
	return unix.Mount("overlay", m.At, "overlay", 0, options)
}
