package testrun

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReportersAreWhatTheyWere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		harm func(dir string) error
	}{
		{"nothing", func(string) error { return nil }},
		{"another text", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "git_tdd_journal.py"), []byte("import os"), 0o600)
		}},
		{"one more", func(dir string) error { return os.WriteFile(filepath.Join(dir, "json.py"), nil, 0o600) }},
		{"one less", func(dir string) error { return os.Remove(filepath.Join(dir, "git_tdd_journal.py")) }},
		{"a folder that may not be written to", func(dir string) error {
			inner := filepath.Join(dir, "__pycache__")
			return errors.Join(os.Mkdir(inner, 0o700), os.WriteFile(filepath.Join(inner, "x"), nil, 0o600), os.Chmod(inner, 0o500), os.Chmod(dir, 0o500))
		}},
		{"a link to one", func(dir string) error {
			name := filepath.Join(dir, "git_tdd_journal.py")
			return errors.Join(os.Rename(name, dir+".py"), os.Symlink(dir+".py", name))
		}},
		{"a link to all", func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".moved"), os.Symlink(dir+".moved", dir))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := Request{Dir: t.TempDir(), Scratch: t.TempDir()}
			if err := c.harm(installed(t, req)); err != nil {
				t.Fatal(err)
			}
			dir := installed(t, req)
			there, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range there {
				got, err := os.ReadFile(filepath.Join(dir, entry.Name()))
				want, wrong := reporters.ReadFile("reporters/" + entry.Name())
				if err := errors.Join(err, wrong); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s is not ours: %v", entry.Name(), err)
				}
			}
			if err := Clear(req.Scratch); err != nil {
				t.Error(err)
			}
		})
	}
}

// installed is where a new session installs the reporters of Python.
func installed(t *testing.T, req Request) string {
	t.Helper()
	b, err := newBench(req)
	if err != nil {
		t.Fatal(err)
	}
	dir, _, err := b.installReporters("*.py")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
