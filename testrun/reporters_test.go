package testrun

import (
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
			return firstOf(os.Mkdir(inner, 0o700), os.WriteFile(filepath.Join(inner, "x"), nil, 0o600), os.Chmod(inner, 0o500), os.Chmod(dir, 0o500))
		}},
		{"a link to one", func(dir string) error {
			name := filepath.Join(dir, "git_tdd_journal.py")
			return firstOf(os.Rename(name, dir+".py"), os.Symlink(dir+".py", name))
		}},
		{"a link to all", func(dir string) error { return firstOf(os.Rename(dir, dir+".moved"), os.Symlink(dir+".moved", dir)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, err := newBench(Request{Dir: t.TempDir(), Scratch: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			dir, _, err := b.installReporters("*.py")
			if err := firstOf(err, c.harm(dir)); err != nil {
				t.Fatal(err)
			}
			again, _, err := b.installReporters("*.py")
			want, wrong := reporterTexts("*.py")
			if err := firstOf(err, wrong); err != nil {
				t.Fatal(err)
			}
			if again != dir || !holds(dir, want) {
				t.Errorf("%s does not hold our reporters", again)
			}
			if err := Clear(b.req.Scratch); err != nil {
				t.Error(err)
			}
		})
	}
}

// firstOf is the first error, if any.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
