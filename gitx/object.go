package gitx

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's object format, not a choice of ours
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ID names an object: 40 hexadecimal digits (SHA-1) or 64 (SHA-256).
type ID string

// Short is the id as people write it.
func (id ID) Short() string { return string(id[:min(len(id), 8)]) }

// IsZero reports whether the id names nothing.
func (id ID) IsZero() bool { return strings.Trim(string(id), "0") == "" }

// ErrMissing says that an object or a revision does not exist.
var ErrMissing = errors.New("no such object")

// Object is one object as git stores it.
type Object struct {
	ID      ID
	Type    string // blob, tree, commit, tag
	Size    int64  // of the content in bytes
	Content []byte
}

// orMissing adds ErrMissing to an error if one of the objects that the command
// needed is gone: somebody can prune what nothing refers to yet.
func (r *Repo) orMissing(ctx context.Context, err error, ids ...ID) error {
	for _, id := range ids {
		if err == nil || id == "" {
			continue
		}
		if _, err2 := r.Info(ctx, string(id)); errors.Is(err2, ErrMissing) {
			return errors.Join(err2, err)
		}
	}
	return err
}

// ErrPartial says that an object is still with the remote of a partial clone. It is not
// fetched, because that would run a transport that the configuration names.
var ErrPartial = errors.New("this is a partial clone that lacks it, and git-tdd fetches nothing by itself; " +
	"`git fetch --refetch --no-filter` brings all that is missing")

// absent is the error for what is missing: an object whose id is known is still with
// the remote of a partial clone. A newer git fails where an older one says missing.
func (r *Repo) absent(ctx context.Context, rev string, err error) error {
	id, _, _ := strings.Cut(rev, "^")
	if _, bad := hex.DecodeString(id); err == nil || bad != nil || len(id) < 2*sha1.Size || !r.partial(ctx) {
		return err
	}
	return fmt.Errorf("%s: %w", rev, ErrPartial)
}

// partial reports whether the repository is a clone that leaves objects with its remote.
func (r *Repo) partial(ctx context.Context) bool {
	promisors, err := r.Config(ctx, nil, `^(extensions\.partialclone|remote\..*\.promisor)$`)
	return err == nil && len(promisors) > 0
}

// objects is the only `git cat-file --batch-command` of a repository: a round trip
// takes microseconds, starting a process milliseconds.
type objects struct {
	mu   sync.Mutex
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errb bytes.Buffer
}

// Object reads what a revision names: an id, a ref, "HEAD:path", "HEAD^{tree}".
// It fails with ErrMissing if there is no such thing, or if it is damaged.
func (r *Repo) Object(ctx context.Context, rev string) (Object, error) {
	var found Object
	err := r.consult(ctx, "contents", rev, func(obj Object, content io.Reader) error {
		obj.Content = make([]byte, obj.Size)
		_, err := io.ReadFull(content, obj.Content)
		found = obj
		return err
	})
	return found, err
}

// consult asks the helper about a revision and has the answer read.
func (r *Repo) consult(ctx context.Context, command, rev string, read func(Object, io.Reader) error) error {
	if rev == "" || strings.ContainsAny(rev, "\n\x00") {
		return fmt.Errorf("%q: %w", rev, ErrMissing)
	}
	r.objects.mu.Lock()
	defer r.objects.mu.Unlock()
	for repeats := 0; ; repeats++ {
		if err := r.objects.start(ctx, r); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.objects.answer(command, rev, read)
		if err == nil || errors.Is(err, ErrMissing) {
			return r.absent(ctx, rev, err)
		}
		again, err := r.objects.fail(err)
		if again && repeats < maxRepeats {
			continue
		}
		if r.partial(ctx) {
			err = fmt.Errorf("%s: %w: %w", rev, ErrPartial, err)
		}
		return r.explained(ctx, err)
	}
}

// start starts the helper, which lives until Close or the end of its standard input.
func (o *objects) start(ctx context.Context, r *Repo) error {
	if o.cmd != nil {
		return nil
	}
	cmd := r.command(context.WithoutCancel(ctx), call{args: []string{"cat-file", "--batch-command"}})
	cmd.Stdin = nil
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	o.errb.Reset()
	cmd.Stderr = &o.errb
	if err = errors.Join(err, err2); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	o.cmd, o.in, o.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// answer sends one question and reads the answer, whose content is read by the caller.
func (o *objects) answer(command, rev string, read func(Object, io.Reader) error) error {
	if _, err := io.WriteString(o.in, command+" "+rev+"\n"); err != nil {
		return err
	}
	header, err := o.out.ReadString('\n')
	if err != nil {
		return err
	}
	header = strings.TrimSuffix(header, "\n")
	// A missing or ambiguous name is repeated, spaces and all.
	for _, nothing := range []string{" missing", " ambiguous", " submodule"} {
		if strings.HasSuffix(header, nothing) {
			return fmt.Errorf("%s: %w", rev, ErrMissing)
		}
	}
	fields := strings.Fields(header)
	if len(fields) != 3 {
		return fmt.Errorf("unexpected answer %q to %q", header, rev)
	}
	obj := Object{ID: ID(fields[0]), Type: fields[1]}
	if obj.Size, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
		return fmt.Errorf("unexpected answer %q to %q", header, rev)
	}
	if command == "info" {
		return read(obj, nil)
	}
	if err := read(obj, io.LimitReader(o.out, obj.Size)); err != nil {
		return err
	}
	_, err = o.out.Discard(1) // the line break behind the content
	return err
}

// fail ends a helper that can no longer be trusted and says why, and whether a
// new one may be asked: one that a signal ended has failed at nothing.
func (o *objects) fail(cause error) (again bool, failure error) {
	_ = o.in.Close()
	_, _ = io.Copy(io.Discard, o.out)
	err := o.cmd.Wait()
	o.cmd = nil
	return signalled(err), &Error{Args: []string{"cat-file", "--batch-command"}, Exit: exited(err), Stderr: lastLines(o.errb.String(), 5), Err: cause}
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cmd == nil {
		return nil
	}
	err := errors.Join(o.in.Close(), o.cmd.Wait())
	o.cmd = nil
	if signalled(err) {
		return nil
	}
	return err
}

// Text reads a file of a tree; ok is false if there is none. It walks the trees itself: git
// takes no name with a line break, and does not tell a missing file from a damaged one.
func (r *Repo) Text(ctx context.Context, tree ID, path string) (content []byte, ok bool, err error) {
	if tree == "" {
		return nil, false, nil
	}
	at := Entry{Mode: ModeFolder, ID: tree}
	for name := range strings.SplitSeq(path, "/") {
		if !at.folder() {
			return nil, false, nil
		}
		list, err := r.nodesOf(ctx, at.ID)
		i := slices.IndexFunc(list, func(e Entry) bool { return e.Path == name })
		if err != nil || i < 0 {
			return nil, false, err
		}
		at = list[i]
	}
	if at.folder() || at.Mode == ModeSubmodule {
		return nil, false, nil // a submodule has no content here
	}
	obj, err := r.Object(ctx, string(at.ID))
	if err != nil || obj.Type != "blob" {
		return nil, false, err
	}
	return obj.Content, true, nil
}

// A blob can be larger than the memory: what need not be read as a whole is asked for
// its size, copied or hashed as it flows.

// Info is Object without the content.
func (r *Repo) Info(ctx context.Context, rev string) (found Object, err error) {
	err = r.consult(ctx, "info", rev, func(obj Object, _ io.Reader) error {
		found = obj
		return nil
	})
	return found, err
}

// errCut says that git was stopped in the middle of an object.
var errCut = errors.New("git cat-file was stopped in the middle of an object")

// CopyBlob writes the content of a blob, however large; after an error perhaps a part of it.
func (r *Repo) CopyBlob(ctx context.Context, id ID, to io.Writer) error {
	var failed error // what to did not take
	begun := false
	err := r.consult(ctx, "contents", string(id), func(obj Object, content io.Reader) error {
		if begun {
			return errCut
		}
		begun = true
		n, err := io.Copy(to, content)
		if err != nil {
			failed = err
		} else if n < obj.Size {
			err = io.ErrUnexpectedEOF
		}
		return err
	})
	if failed != nil {
		return failed
	}
	return err
}

// BlobID is the id that git gives to a file's content; like is an id of the same repository.
func BlobID(content io.Reader, size int64, like ID) (ID, error) {
	h := newHash("blob", size, len(like))
	if n, err := io.Copy(h, content); err != nil || n != size {
		return "", errors.Join(err, fmt.Errorf("%d bytes of %d were read", n, size))
	}
	return ID(fmt.Sprintf("%x", h.Sum(nil))), nil
}

// objectID is the id that git gives to content; digits is the length of ids in this repository.
func objectID(kind string, content []byte, digits int) ID {
	h := newHash(kind, int64(len(content)), digits)
	h.Write(content)
	return ID(fmt.Sprintf("%x", h.Sum(nil)))
}

// newHash is the hash of an object to which its content is still to be written.
func newHash(kind string, size int64, digits int) hash.Hash {
	h := sha1.New() //nolint:gosec // git's object format, not a choice of ours
	if digits == 2*sha256.Size {
		h = sha256.New()
	}
	h.Write(fmt.Appendf(nil, "%s %d\x00", kind, size))
	return h
}
