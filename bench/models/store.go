package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/gofrs/flock"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Store is the folder that keeps the results of a matrix.
type Store struct{ Root string }

// The files of a run's folder.
const (
	resultFile = "result.json"
	lockFile   = "lock"
)

// resultVersion is the version of the format that is written, and read.
const resultVersion = 1

// The errors of a store.
var (
	ErrChanged = errors.New("the result is of another matrix")
	ErrBusy    = errors.New("somebody works on this run")
	ErrForeign = errors.New("the folder is none of bench models")
)

// Dir is the folder of a run.
func (s Store) Dir(r Run) string { return filepath.Join(s.Root, filepath.FromSlash(r.Name())) }

// Find returns the result of a run; ok is false if there is none that counts. An
// error that wraps [ErrChanged] says that the run was made from other inputs.
func (s Store) Find(r Run) (result Result, ok bool, err error) {
	file := filepath.Join(s.Dir(r), resultFile)
	result, err = readResult(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return result, false, nil
	case err != nil:
		return result, false, err
	case result.Inputs != r.Inputs || result.Name() != r.Name():
		return result, false, fmt.Errorf("%w: %s", ErrChanged, file)
	}
	return result, result.Complete(), nil
}

func readResult(file string) (r Result, err error) {
	text, err := wholefile.Read(file)
	if err != nil {
		return r, fmt.Errorf("read a result: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("read %s: %w", file, err)
	}
	if r.Version != resultVersion {
		return r, fmt.Errorf("%s has version %d, and this program reads version %d", file, r.Version, resultVersion)
	}
	return r, nil
}

// Claim is a run's folder, for whoever carries the run out.
type Claim struct {
	Dir  string
	lock *flock.Flock
}

// Begin claims the folder of a run and empties it. It fails with [ErrBusy] if
// somebody else has claimed it, and with [ErrForeign] rather than delete what is
// not its own.
func (s Store) Begin(r Run) (*Claim, error) {
	c := &Claim{Dir: s.Dir(r)}
	if err := os.MkdirAll(c.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("make the folder of a run: %w", err)
	}
	found, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("read the folder of a run: %w", err)
	}
	name := filepath.Join(c.Dir, lockFile)
	if _, err := os.Lstat(name); err != nil && len(found) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrForeign, c.Dir)
	}
	c.lock = flock.New(name)
	if ok, err := c.lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", c.Dir, err)
	} else if !ok {
		return nil, fmt.Errorf("%w: %s", ErrBusy, c.Dir)
	}
	for _, entry := range found {
		if entry.Name() != lockFile {
			err = errors.Join(err, os.RemoveAll(filepath.Join(c.Dir, entry.Name())))
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("empty the folder of a run: %w", err), c.Release())
	}
	return c, nil
}

// Keep writes the result of the run, whole or not at all.
func (c *Claim) Keep(r Result) error {
	r.Version = resultVersion
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode a result: %w", err)
	}
	const readable = 0o644
	if err := wholefile.Write(filepath.Join(c.Dir, resultFile), append(text, '\n'), readable); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	return nil
}

// Release lets others claim the folder.
func (c *Claim) Release() error {
	if err := c.lock.Unlock(); err != nil {
		return fmt.Errorf("unlock %s: %w", c.Dir, err)
	}
	return nil
}

// Collect reads all results below some folders. The same result in two of them
// counts once; two different results of one run, or of one run's name from
// different inputs, are an error.
func Collect(dirs ...string) ([]Result, error) {
	var out []Result
	seen := map[string]Result{}
	for _, dir := range dirs {
		found, err := resultsIn(dir)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			earlier, twice := seen[r.Name()]
			if twice && !reflect.DeepEqual(earlier, r) {
				return nil, fmt.Errorf("there are two results of %s, and that in %s is not the first; leave one of the folders out", r.Name(), dir)
			}
			if !twice {
				seen[r.Name()], out = r, append(out, r)
			}
		}
	}
	return out, nil
}

// resultsIn reads the results in one folder.
func resultsIn(dir string) (out []Result, err error) {
	files, err := fs.Glob(os.DirFS(dir), "*/*/seed-*/"+resultFile)
	if err != nil {
		return nil, fmt.Errorf("look for results in %s: %w", dir, err)
	}
	for _, file := range files {
		r, err := readResult(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no result in %s", dir)
	}
	return out, nil
}
