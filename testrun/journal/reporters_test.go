package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
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
			req := testrun.Request{Dir: t.TempDir(), Scratch: t.TempDir()}
			if err := c.harm(installed(t, req)); err != nil {
				t.Fatal(err)
			}
			dir := installed(t, req)
			there, err := os.ReadDir(dir)
			if err != nil || len(there) != 1 {
				t.Fatal(there, err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "git_tdd_journal.py")); err != nil || string(got) != "ours" {
				t.Errorf("%q %v", got, err)
			}
			if err := testrun.Clear(req.Scratch); err != nil {
				t.Error(err)
			}
		})
	}
}

// installed is where a new session installs a reporter.
func installed(t *testing.T, req testrun.Request) string {
	t.Helper()
	s := projecttest.Session(t, req)
	own := fstest.MapFS{"reporters/git_tdd_journal.py": {Data: []byte("ours")}}
	if _, _, err := Keep(t.Context(), s, own, func(string) testrun.Job { return testrun.Job{Argv: []string{"none"}} }); err != nil {
		t.Fatal(err)
	}
	return s.Reporters
}
