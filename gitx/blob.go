package gitx

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's object format, not a choice of ours
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
)

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
