package gitx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// BusyError says that another git-tdd is working in the working tree.
type BusyError struct{ Holder string } // what the holder wrote about itself

// Error names the holder.
func (e *BusyError) Error() string {
	return fmt.Sprintf("another git-tdd is working in this working tree (%s); wait for it, or stop it", e.Holder)
}

// Lock takes the right to take steps in the working tree, until it is closed or the process ends;
// steps in another one, on another branch, may run at the same time. A killed process can hold it
// a little longer than it lives, so it waits a moment before it fails with *BusyError, which shows
// the line by which the holder describes itself.
func (r *Repo) Lock(ctx context.Context, holder string) (io.Closer, error) {
	if err := r.makeStateDir(); err != nil {
		return nil, err
	}
	name := r.own(filepath.Join(r.StateDir(), "lock"))
	lock := flock.New(name)
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ok, err := lock.TryLockContext(wait, 25*time.Millisecond)
	switch {
	case ok:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		text, _ := wholefile.Read(name)
		return nil, &BusyError{Holder: cmp.Or(strings.TrimSpace(string(text)), "it has not said who it is")}
	default:
		return nil, fmt.Errorf("lock %s: %w; git-tdd does not work without locks", name, err)
	}
	if err := os.WriteFile(name, []byte(holder+"\n"), 0o600); err != nil { //nolint:gosec // in the git directory, as git itself names it
		return nil, errors.Join(fmt.Errorf("write %s: %w", name, err), lock.Close())
	}
	return lock, nil
}

// awaitOrphans waits a moment for git children of a killed landing, whose writes would confuse a recovery.
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
	own := wholefile.Matching(r.CommonDir, "refs/tdd/*.lock", "refs/tdd/*/*.lock")
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
	self, places := fmt.Sprint(os.Getpid()), append(r.Siblings(), r.CommonDir, r.Top)
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
		if cwd, err := os.Readlink(filepath.Join(dir, "cwd")); err == nil && slices.ContainsFunc(places, func(p string) bool { return p != "" && Within(cwd, Resolved(p)) }) {
			return true
		}
	}
	return false
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

// Leftover is something that a crash has left in a git directory.
type Leftover struct {
	Path string
	What string
	// Ours says that Recover takes it away. Everything else is for its owner.
	Ours bool
}

// lockAge is the age from which a lock is named: no git holds one so long, unless a person waits.
const lockAge = 10 * time.Second

// Leftovers lists what crashes have left behind: abandoned locks, half-registered working trees
// (git's own fsck and gc refuse such a repository), temporary folders. It changes nothing.
func (r *Repo) Leftovers() ([]Leftover, error) {
	locks, err := r.locks()
	all := append(locks, r.halfMade()...)
	for _, dir := range r.oldScratch() {
		all = append(all, Leftover{Path: dir, What: "a temporary folder of a killed git-tdd", Ours: true})
	}
	return all, err
}

// scratchAge is the age at which a temporary folder is a leftover: no tree takes so long to build.
const scratchAge = time.Hour

// oldScratch lists the temporary folders that killed runs left behind.
func (r *Repo) oldScratch() []string {
	return slices.DeleteFunc(wholefile.Matching(r.StateDir(), "tmp-*"), func(dir string) bool { return !old(dir, scratchAge) })
}

// old reports whether something has not been touched for a while.
func old(name string, age time.Duration) bool {
	fi, err := os.Lstat(name)
	return err == nil && time.Since(fi.ModTime()) >= age
}

// locks lists the locks that are older than any command holds one, where no git is running.
func (r *Repo) locks() (found []Leftover, err error) {
	names := wholefile.Matching(r.GitDir, "*.lock")
	if r.CommonDir != r.GitDir {
		names = append(names, filepath.Join(r.CommonDir, "packed-refs.lock"), filepath.Join(r.CommonDir, "config.lock"))
	}
	err = filepath.WalkDir(filepath.Join(r.CommonDir, "refs"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			names = append(names, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) { // refs are kept otherwise
		err = nil
	}
	for _, name := range names {
		if old(name, lockAge) && !r.liveGit() {
			ours := strings.HasPrefix(name, filepath.Join(r.CommonDir, "refs", "tdd")+string(filepath.Separator))
			found = append(found, Leftover{Path: name, What: "a lock that no git holds any more", Ours: ours})
		}
	}
	return found, err
}

// halfMade lists the working trees whose registration a crash has cut off.
func (r *Repo) halfMade() (found []Leftover) {
	for _, dir := range wholefile.Matching(r.CommonDir, "worktrees/*") {
		for _, name := range []string{"commondir", "gitdir", "HEAD"} {
			if fi, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) || err == nil && fi.Size() == 0 {
				found = append(found, Leftover{Path: dir, What: "a half-made working tree: its file " + name + " is missing or empty"})
				break
			}
		}
	}
	return found
}
