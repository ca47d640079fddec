package facts

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A changed dependency outside the tree needs another measurement; what a run
// leaves in the same folders does not.
func TestOf_seesDependenciesChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		link  string
		there files
		other files // changes the dependencies
		same  files // does not
	}{
		"npm": {
			"node_modules",
			files{"node_modules/.package-lock.json": "1", "node_modules/a/index.js": "1"},
			files{"node_modules/.package-lock.json": "22"},
			files{"node_modules/.cache/x": "1", "node_modules/a/cache": "1"},
		},
		"pnpm": {
			"node_modules",
			files{"node_modules/.modules.yaml": "1"},
			files{"node_modules/.modules.yaml": "22"},
			files{"node_modules/.vite/x": "1"},
		},
		"venv": {
			".venv",
			files{".venv/pyvenv.cfg": "1", ".venv/lib/python3.11/site-packages/a-1.dist-info/RECORD": "1", ".venv/lib/python3.11/site-packages/a/__init__.py": "1"},
			files{".venv/lib/python3.11/site-packages/b-1.dist-info/RECORD": "1"},
			files{".venv/lib/python3.11/site-packages/a/__pycache__/x": "1"},
		},
		"composer": {
			"vendor", files{"vendor/composer/installed.json": "1"}, files{"vendor/composer/installed.json": "22"}, files{"vendor/x": "1"},
		},
		"a folder of data": {"data", files{"data/a": "1"}, files{"data/a": "22"}, files{"data/.cache/x": "1"}},
		"a file":           {"local.env", files{"local.env": "1"}, files{"local.env": "22"}, files{"other": "1"}},
		"what is not there": {
			"node_modules", files{"x": "1"}, files{"node_modules/.package-lock.json": "1"}, files{"y": "1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			past := time.Now().Add(-time.Hour)
			c.there.Write(t, l.Dir)
			gittest.Check(t, filepath.WalkDir(l.Dir, func(path string, _ os.DirEntry, err error) error {
				gittest.Check(t, err)
				return os.Chtimes(path, past, past)
			}))
			opts := l.passing()
			opts.Link = []string{c.link}
			m := newMeasurer(t, opts)
			tree := l.tree(files{"a": "1"})
			of(t, m, tree)
			c.same.Write(t, l.Dir)
			if of(t, m, tree); m.Count() != 1 {
				t.Error("what a run leaves is taken for a change")
			}
			c.other.Write(t, l.Dir)
			if of(t, m, tree); m.Count() != 2 {
				t.Error("stale: the change was not seen")
			}
		})
	}
}

// Packages beside an interpreter are dependencies, too; they do not matter to
// other toolchains.
func TestInstalled_libraries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		install func(*testing.T) *installation
		file    string
		differs bool
	}{
		"pyenv":        {newPyenv, "pyenv/versions/3.11.7/lib/python3.11/site-packages/numpy-2.dist-info/RECORD", true},
		"venv":         {newVenv, "venv/lib/python3.11/site-packages/numpy-2.dist-info/RECORD", true},
		"base of venv": {newVenv, "opt/lib/python3.11/site-packages/numpy-2.dist-info/RECORD", true},
		"the user's":   {newVenv, "home/.local/lib/python3.11/site-packages/numpy-2.dist-info/RECORD", true},
		"of others":    {newGo, "home/.local/lib/python3.11/site-packages/numpy-2.dist-info/RECORD", false},
	} {
		in := c.install(t)
		in.m.opts.Repo = newLab(t).repo
		before := in.m.installed()
		in.write(t, c.file, "")
		in.m.homes = nil // as in a new process
		if differs := in.m.installed() != before; differs != c.differs {
			t.Errorf("%s: differs: %t", name, differs)
		}
	}
}
