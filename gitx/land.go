package gitx

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// nextRef is the ref with the redo record of a landing in this working tree.
func (r *Repo) nextRef() string { return r.own("refs/tdd/next") }

// What keeps a landing from starting, or from finishing.
var (
	// ErrInterrupted says that an earlier landing waits for Recover.
	ErrInterrupted = errors.New("a commit is landing here, or its landing was cut off; `git tdd doctor --repair` finishes it")
	// ErrUnfinished says that the branch has moved but not all files have; Recover continues there.
	ErrUnfinished = errors.New("the commit is on the branch, but not all files have followed it")
)

// Landing is a finished commit on its way to a branch.
type Landing struct {
	Branch   string // "refs/heads/main"
	Old, New ID     // commits; an empty Old is an unborn branch
	Log      string // what the reflog says
}

// Land moves a branch from Old to New and the user's files and index with it.
//
// It first looks for a branch that has moved (ErrMoved), collisions (*CollisionError) and a
// locked index. Then it creates refs/tdd/next and moves the branch by compare-and-swap, and the
// files follow, each only if it has the old content or already the new. Recover finishes
// whatever is interrupted; after ErrUnfinished the branch has moved, after any other error
// nothing has changed. If another branch is checked out, no file is touched. A cancelled
// context counts only before the first write. The caller holds the lock.
func (r *Repo) Land(ctx context.Context, l Landing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := r.ready(ctx, l); err != nil {
		return err
	}
	if err := r.mark(); err != nil {
		return err
	}
	record, err := r.writeRecord(ctx, l)
	if err == nil {
		err = r.UpdateRef(ctx, RefUpdate{Name: r.nextRef(), New: record, Log: "landing"})
	}
	if err != nil {
		return errors.Join(fmt.Errorf("record the landing: %w", err), r.unmark())
	}
	return r.finish(ctx, l, record)
}

// ready says why a landing cannot start.
func (r *Repo) ready(ctx context.Context, l Landing) error {
	if waiting, err := r.Interrupted(ctx); err != nil {
		return err
	} else if waiting {
		return ErrInterrupted
	}
	now, err := r.Ref(ctx, l.Branch)
	if err != nil {
		return err
	}
	if now != l.Old {
		return moved(l.Branch, now, l.Old)
	}
	branch, err := r.branch(ctx)
	if err != nil || branch != l.Branch {
		return err
	}
	diffs, err := r.landed(ctx, l)
	if err == nil {
		err = r.collisions(ctx, diffs)
	}
	if err != nil {
		return err
	}
	return r.awaitIndex()
}

// awaitIndex waits a moment for another git to finish with the index.
func (r *Repo) awaitIndex() error {
	name := filepath.Join(r.GitDir, "index.lock")
	for end := time.Now().Add(patience); ; time.Sleep(25 * time.Millisecond) {
		switch _, err := os.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("look for a lock: %w", err)
		case time.Now().After(end):
			return fmt.Errorf("another git works in this repository, or one has crashed: %s exists; nothing was changed", name)
		}
	}
}

// landed lists what differs between the two commits of a landing.
func (r *Repo) landed(ctx context.Context, l Landing) ([]Diff, error) {
	var before Commit
	var err error
	if l.Old != "" {
		if before, err = r.Commit(ctx, string(l.Old)); err != nil {
			return nil, err
		}
	}
	after, err := r.Commit(ctx, string(l.New))
	if err == nil {
		err = r.acceptable(ctx, after.Tree)
	}
	if err != nil {
		return nil, err
	}
	return r.Diff(ctx, before.Tree, after.Tree)
}

// acceptable refuses a tree that git would not check out, for instance because
// it reaches into .git. A tree can be stored without any check of its names.
func (r *Repo) acceptable(ctx context.Context, tree ID) error {
	dir, err := r.landingScratch()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := r.act(ctx, call{args: []string{"read-tree", string(tree)}, env: env, writes: true}); err != nil {
		return fmt.Errorf("git would not check this tree out: %w", err)
	}
	return nil
}

// marker is a file whose age shows which locks a killed landing may have left behind.
func (r *Repo) marker() string { return r.own(filepath.Join(r.StateDir(), "landing")) }

func (r *Repo) mark() error {
	if err := r.makeStateDir(); err != nil {
		return err
	}
	if err := os.WriteFile(r.marker(), nil, 0o600); err != nil {
		return fmt.Errorf("mark the landing: %w", err)
	}
	return nil
}

// landingScratch makes the only temporary folder of a landing, where a recovery finds it.
func (r *Repo) landingScratch() (string, error) {
	dir := r.marker() + ".tmp"
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o750)); err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}

func (r *Repo) unmark() error {
	if err := errors.Join(os.RemoveAll(r.marker()+".tmp"), os.RemoveAll(r.marker())); err != nil {
		return fmt.Errorf("unmark the landing: %w", err)
	}
	return nil
}

// finish does everything that comes after the redo record. No file is touched
// before the branch has moved: if it cannot be moved, nothing has happened.
func (r *Repo) finish(ctx context.Context, l Landing, record ID) error {
	if err := r.UpdateRef(ctx, RefUpdate{Name: l.Branch, New: l.New, Old: l.Old, Log: l.Log}); err != nil {
		if now, err2 := r.Ref(ctx, l.Branch); err2 != nil || now == l.New {
			return errors.Join(err, err2)
		}
		return errors.Join(err, r.clearStaleLocks(l.Branch), r.forget(ctx, record)) // a git that was killed leaves locks
	}
	branch, err := r.branch(ctx)
	if err == nil && branch == l.Branch {
		err = r.follow(ctx, l)
	}
	if err == nil {
		err = r.forget(ctx, record)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnfinished, err)
	}
	return nil
}

// forget removes the redo record.
func (r *Repo) forget(ctx context.Context, record ID) error {
	if err := r.UpdateRef(ctx, RefUpdate{Name: r.nextRef(), Old: record}); err != nil {
		return err
	}
	return r.unmark()
}

// record is the redo record of a landing: a tag object with the branch and the working tree,
// which keeps the commit reachable. It is sealed, because a push or a fetch could bring one.
type record struct {
	Landing

	top string // the working tree
}

// text is the record without its seal.
func (l record) text() string {
	return fmt.Sprintf("object %s\ntype commit\ntag next\ntagger git-tdd <tdd@local> 0 +0000\n\nbranch %s\nold %s\nworktree %s\n",
		l.New, l.Branch, l.Old, strconv.Quote(l.top))
}

// sealed is the line that proves a record to be this user's.
func (r *Repo) sealed(text string) (string, error) {
	if r.seal == nil {
		return "", nil
	}
	proof, err := r.seal([]byte(text))
	return "seal " + proof + "\n", err
}

// writeRecord stores the redo record of a landing in this working tree.
func (r *Repo) writeRecord(ctx context.Context, l Landing) (ID, error) {
	text := record{Landing: l, top: r.Top}.text()
	seal, err := r.sealed(text)
	if err != nil {
		return "", err
	}
	id, err := oneID(r.act(ctx, call{args: []string{"mktag"}, stdin: []byte(text + seal)}))
	return id, r.orMissing(ctx, err, l.New)
}

var recordPattern = lazyregexp.New(`(?s)^object (\w+)\n.*\nbranch ([^\n]+)\nold (\w*)\nworktree ([^\n]+)\n`)

// readRecord reads a redo record; ok is false if it is none, or none that this user has sealed.
func (r *Repo) readRecord(obj Object) (rec record, ok bool, err error) {
	rec.Log = "tdd: finish an interrupted step"
	if hit := recordPattern().FindStringSubmatch(string(obj.Content)); hit != nil {
		rec.New, rec.Branch, rec.Old = ID(hit[1]), hit[2], ID(hit[3])
		rec.top, _ = strconv.Unquote(hit[4])
	}
	text := rec.text()
	seal, err := r.sealed(text)
	genuine := hmac.Equal(obj.Content, []byte(text+seal))
	return rec, obj.Type == "tag" && genuine && strings.HasPrefix(rec.Branch, "refs/heads/"), err
}
