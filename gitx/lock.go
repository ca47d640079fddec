package gitx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
