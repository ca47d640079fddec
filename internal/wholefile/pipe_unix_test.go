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

// What is no file, or is larger than it may be, is neither waited for nor read.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gittest.Files{"file": "text", "link@": "file", "zero@": "/dev/zero", "folder/x": "", "empty": ""}.Write(t, dir)
	gittest.Check(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for name, size := range map[string]int64{"large": wholefile.Most + 1, "huge": 1 << 40} {
		gittest.Write(t, filepath.Join(dir, name), "")
		gittest.Check(t, os.Truncate(filepath.Join(dir, name), size))
	}
	root, err := os.OpenRoot(dir)
	gittest.Check(t, err)
	defer root.Close() //nolint:errcheck // only read
	for name, want := range map[string]string{"file": "text", "link": "text", "empty": ""} {
		got, err := wholefile.Read(filepath.Join(dir, name))
		within, err2 := wholefile.ReadIn(root, name)
		if string(got) != want || string(within) != want || err != nil || err2 != nil {
			t.Errorf("%s: %q %q %v %v", name, got, within, err, err2)
		}
	}
	for name, want := range map[string]string{
		"pipe": "it is a pipe", "zero": "it is a device", "folder": "it is a folder", "large": "it is larger than", "huge": "it is larger than",
	} {
		if _, err := wholefile.Read(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := wholefile.ReadUpTo(filepath.Join(dir, "file"), 3); err == nil {
		t.Error("four bytes are three")
	}
	if _, err := wholefile.Read(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}
