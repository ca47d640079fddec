package gitx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// awaitOrphans waits a moment for git children that have outlived a killed
// landing: what they still write would confuse a recovery.
func (r *Repo) awaitOrphans() {
	if _, err := os.Lstat(r.marker()); err != nil {
		return
	}
	for end := time.Now().Add(patience); r.liveGit() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// clearStaleLocks removes the locks that git children of a killed landing may have left; branch
// is empty if no landing is on record. A lock is ours only if it is younger than the landing
// (or locks a ref that only git-tdd writes), is old enough, and no git is running in the
// repository. The caller holds our lock.
func (r *Repo) clearStaleLocks(branch string) error {
	own := matches(r.CommonDir, "refs/tdd/*.lock", "refs/tdd/*/*.lock")
	shared := []string{filepath.Join(r.CommonDir, "packed-refs.lock")}
	if branch != "" {
		shared = append(shared, filepath.Join(r.GitDir, "index.lock"), filepath.Join(r.GitDir, "HEAD.lock"),
			filepath.Join(r.CommonDir, filepath.FromSlash(branch)+".lock"))
	}
	if landing, err := os.Lstat(r.marker()); err == nil {
		for _, name := range shared {
			if fi, err := os.Lstat(name); err == nil && !fi.ModTime().Before(landing.ModTime()) {
				own = append(own, name)
			}
		}
	}
	for _, name := range own {
		if err := r.clearStaleLock(name); err != nil {
			return err
		}
	}
	return nil
}

// clearStaleLock waits until a lock is gone or stale, and removes it then. A clock
// that was set back makes locks of the future; they too are stale after a while.
func (r *Repo) clearStaleLock(name string) error {
	for end := time.Now().Add(r.staleAfter); ; {
		fi, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("look at a lock: %w", err)
		case time.Since(fi.ModTime()) < r.staleAfter && time.Now().Before(end):
			time.Sleep(r.staleAfter / 10)
			continue
		case r.liveGit():
			return nil // the process that wants the lock waits for it, or says that it is taken
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the stale lock: %w", err)
		}
		return nil
	}
}

// liveGit reports whether a git that writes, other than ours and the one that started us (git
// tdd …), runs in the repository; so it assumes if processes cannot be listed.
func (r *Repo) liveGit() bool {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(processes) == 0 {
		return true
	}
	self, places := fmt.Sprint(os.Getpid()), r.places()
	var family []string
	for pid := self; pid != "" && pid != "0" && !slices.Contains(family, pid); pid = parent(pid) {
		family = append(family, pid)
	}
	for _, dir := range processes {
		pid := filepath.Base(dir)
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		name, _, _ := strings.Cut(string(line), "\x00")
		if err != nil || !strings.HasPrefix(filepath.Base(name), "git") || strings.Contains(string(line), "\x00cat-file\x00") ||
			slices.Contains(family, pid) || parent(pid) == self {
			continue
		}
		if cwd, err := os.Readlink(filepath.Join(dir, "cwd")); err == nil && slices.ContainsFunc(places, func(p string) bool { return within(cwd, p) }) {
			return true
		}
	}
	return false
}

// places are the git directory and the working trees of the repository, without symbolic links.
func (r *Repo) places() []string {
	all := append(r.Siblings(), r.CommonDir)
	if r.Top != "" {
		all = append(all, r.Top)
	}
	for i, place := range all {
		all[i] = Resolved(place)
	}
	return all
}

// matches lists what matches patterns in a folder, whose own name is no pattern.
func matches(dir string, patterns ...string) (found []string) {
	for _, pattern := range patterns {
		names, _ := fs.Glob(os.DirFS(dir), pattern) // the patterns are ours
		for _, name := range names {
			found = append(found, filepath.Join(dir, name))
		}
	}
	return found
}

// parent is the id of a process's parent; empty if it is not known.
func parent(pid string) string {
	data, err := os.ReadFile(filepath.Join("/proc", pid, "status"))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(data), "\nPPid:\t")
	line, _, _ := strings.Cut(after, "\n")
	return line
}
