package gitx

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestBlob(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, "--object-format="+format)
			r := l.open()
			for _, text := range []string{"", "a", "a\n\x00b\n", strings.Repeat("0123456789", 1<<17)} {
				id, err := r.WriteBlob(t.Context(), []byte(text))
				gittest.Check(t, err)
				info, err := r.Info(t.Context(), string(id))
				if err != nil || info.ID != id || info.Type != "blob" || info.Size != int64(len(text)) || info.Content != nil {
					t.Errorf("%.20q: %+v, %v", text, info, err)
				}
				var got bytes.Buffer
				if err := r.CopyBlob(t.Context(), id, &got); err != nil || got.String() != text {
					t.Errorf("%.20q: %.20q, %v", text, got.String(), err)
				}
				if own, err := BlobID(strings.NewReader(text), int64(len(text)), id); err != nil || own != id {
					t.Errorf("%.20q is %s, git says %s, %v", text, own, id, err)
				}
			}
		})
	}
}

func TestBlob_missing(t *testing.T) {
	t.Parallel()
	r := newLab(t).open()
	none := strings.Repeat("1", 40)
	if _, err := r.Info(t.Context(), none); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	var got bytes.Buffer
	if err := r.CopyBlob(t.Context(), ID(none), &got); !errors.Is(err, ErrMissing) || got.Len() > 0 {
		t.Error(err, got.Len())
	}
	if _, err := BlobID(strings.NewReader("abc"), 4, ID(none)); err == nil {
		t.Error("a file that shrank has an id")
	}
}

// full takes a few bytes.
type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// What does not take a blob is to blame itself, and what is asked next is answered.
func TestBlob_notTaken(t *testing.T) {
	t.Parallel()
	r := newLab(t).open()
	id, err := r.WriteBlob(t.Context(), bytes.Repeat([]byte("text\n"), 1<<20))
	gittest.Check(t, err)
	if err := r.CopyBlob(t.Context(), id, &full{left: 100_000}); !errors.Is(err, errFull) || errors.As(err, new(*Error)) {
		t.Error(err)
	}
	if obj, err := r.Object(t.Context(), string(id)); err != nil || len(obj.Content) != 5<<20 {
		t.Error(len(obj.Content), err)
	}
}
