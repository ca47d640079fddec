package wholefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, text := range []string{"one", "another"} {
		gittest.Check(t, wholefile.Write(name, []byte(text), 0o600))
		if got := gittest.Read(t, name); got != text {
			t.Errorf("%q", got)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	alone(t, dir)
}

// Where nothing can be written, what was there is there, and nothing else.
func TestWrite_fails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gittest.Files{"folder/kept": "kept"}.Write(t, dir)
	if err := wholefile.Write(filepath.Join(dir, "folder"), []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if err := wholefile.Write(filepath.Join(dir, "nowhere", "a"), nil, 0o600); err == nil {
		t.Error("a folder was made")
	}
	alone(t, dir)
}

func alone(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if gittest.Check(t, err); len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

// What is no file is written into, and stays what it was; a link is followed.
func TestPut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gittest.Files{"file": "old", "link@": "file", "null@": os.DevNull, "nowhere@": "made"}.Write(t, dir)
	put := func(name string) error {
		return wholefile.Put(t.Context(), filepath.Join(dir, name), []byte("new"), 0o644)
	}
	for _, name := range []string{"link", "null", "nowhere", "plain"} {
		gittest.Check(t, put(name))
	}
	for _, name := range []string{"file", "made", "plain"} {
		if got := gittest.Read(t, filepath.Join(dir, name)); got != "new" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "file")); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	for _, name := range []string{"link", "null", "nowhere"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%v %v", info, err)
		}
	}
	if err := put("."); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Error(err)
	}
}
