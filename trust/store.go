package trust

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// maxRecord limits how much of one record is read, in bytes.
const maxRecord = 1 << 20

// Why a store refuses.
var (
	// ErrInside says that the store is inside the repository, which could then approve itself.
	ErrInside = errors.New("the store of approvals lies inside the repository")
	// ErrShared says that other users can write approvals into the store.
	ErrShared = errors.New("other users can write to the store of approvals")
)

// Store keeps approvals in a directory, one file each.
type Store struct {
	// Dir is an absolute path, created at the first approval; empty if the user has none. See [DefaultDir].
	Dir string
}

// Approve lets a subject run from now on. The record is written atomically, for its owner only.
// It fails with [ErrInside], [ErrRepository] or the file system's error.
func (s Store) Approve(subject Subject) error {
	c, err := s.place(subject)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("make the store of approvals: %w", err)
	}
	if err := s.private(); err != nil {
		return err
	}
	data := encode(c)
	if len(data) > maxRecord {
		return fmt.Errorf("approve %q: its commands take %d bytes, the limit is %d", c.Repository, len(data), maxRecord)
	}
	if err := wholefile.Write(s.file(c), data, 0o600); err != nil {
		return fmt.Errorf("write the approval of %q: %w", c.Repository, err)
	}
	return nil
}

// Approved reports whether exactly this subject was approved. A missing or damaged record is no
// approval. A store that cannot be read, that is inside the repository ([ErrInside]) or that
// others can write to ([ErrShared]) is an error.
func (s Store) Approved(subject Subject) (bool, error) {
	c, err := s.place(subject)
	if err != nil {
		return false, err
	}
	var record string
	if err = s.private(); err == nil {
		record, err = load(s.file(c))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && record == string(encode(c)), err
}

// Revoke takes back every approval of the subject's repository, whatever its commands were.
// There need be none, and the repository need not exist any more.
func (s Store) Revoke(subject Subject) error {
	path, err := resolve(subject.Repository)
	if errors.Is(err, ErrRepository) && subject.Repository != "" {
		path, err = filepath.Abs(subject.Repository)
	}
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(s.Dir)
	switch {
	case s.Dir == "":
		return errNoHome
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("list the approvals: %w", err)
	}
	for _, entry := range entries {
		file := filepath.Join(s.Dir, entry.Name())
		record, err := load(file)
		if err != nil || !strings.HasPrefix(record, string(encode(Subject{Repository: path}))) {
			continue // what cannot be read, or is no record, approves nothing
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("take back the approval of %q: %w", path, err)
		}
	}
	return nil
}

// file is where the approval of a canonical subject is kept.
func (s Store) file(c Subject) string { return filepath.Join(s.Dir, sum(encode(c))) }

// place returns the canonical subject, provided that the store can be used for it.
func (s Store) place(subject Subject) (Subject, error) {
	c, err := subject.canonical()
	if err != nil {
		return Subject{}, err
	}
	switch {
	case s.Dir == "":
		return Subject{}, errNoHome
	case !filepath.IsAbs(s.Dir):
		return Subject{}, fmt.Errorf("the store of approvals needs an absolute path, not %q", s.Dir)
	}
	owned := c.Repository
	if filepath.Base(owned) == ".git" {
		owned = filepath.Dir(owned) // what is beside a git directory, too
	}
	inside, err := within(s.Dir, owned)
	if err != nil {
		return Subject{}, err
	}
	if inside {
		return Subject{}, fmt.Errorf("%w: %q is in %q; set XDG_CONFIG_HOME (on Windows APPDATA) to a directory elsewhere",
			ErrInside, s.Dir, c.Repository)
	}
	return c, nil
}

// private refuses a store that others can write to; on Windows these bits say nothing.
func (s Store) private() error {
	info, err := os.Stat(s.Dir)
	if err != nil {
		return fmt.Errorf("look at the store of approvals: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%w: %q has mode %04o; look through it, then chmod 700 it", ErrShared, s.Dir, info.Mode().Perm())
	}
	return nil
}

// errNoHome says that the environment names no place for a user's settings.
var errNoHome = errors.New("no directory for your approvals: neither XDG_CONFIG_HOME nor HOME (on Windows APPDATA) is set to an absolute path")

// DefaultDir is where a user's approvals are kept, "git-tdd/trusted" in the directory for settings:
// $XDG_CONFIG_HOME, else $HOME/.config, as git has it on macOS too; %AppData% on Windows. As XDG
// requires, a relative path counts as unset: it would mean a directory in the repository.
func DefaultDir(environ []string) (string, error) {
	return defaultDir(runtime.GOOS, environ)
}

func defaultDir(goos string, environ []string) (string, error) {
	candidates := []string{envvar.Get(environ, "XDG_CONFIG_HOME"), ""}
	if home := envvar.Get(environ, "HOME"); home != "" {
		candidates[1] = filepath.Join(home, ".config")
	}
	if goos == "windows" {
		candidates = []string{cmp.Or(envvar.Get(environ, "APPDATA"), envvar.Get(environ, "AppData"))}
	}
	for _, dir := range candidates {
		if filepath.IsAbs(dir) {
			return filepath.Join(dir, "git-tdd", "trusted"), nil
		}
	}
	return "", errNoHome
}
