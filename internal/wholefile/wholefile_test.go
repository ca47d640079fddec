package wholefile_test

import (
	"os"
	"path/filepath"
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
