//go:build unix

package wholefile_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// A pipe is written into if somebody reads, and nothing waits for longer than its
// caller does.
func TestPut_pipe(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe")
	gittest.Check(t, unix.Mkfifo(name, 0o600))
	if err := wholefile.Put(t.Context(), name, nil, 0); err == nil || !strings.Contains(err.Error(), "nobody reads it") {
		t.Error(err)
	}
	reader, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	gittest.Check(t, err)
	defer reader.Close() //nolint:errcheck // only read
	gittest.Check(t, wholefile.Put(t.Context(), name, []byte("text"), 0))
	got := make([]byte, 9)
	if n, err := reader.Read(got); string(got[:n]) != "text" {
		t.Errorf("%q %v", got[:n], err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := wholefile.Put(ctx, name, make([]byte, 1<<20), 0); err == nil {
		t.Error("a full pipe took all")
	}
}
