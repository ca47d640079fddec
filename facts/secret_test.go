package facts

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestSecret_isMadeOnceAndForTheUserAlone(t *testing.T) {
	t.Parallel()
	dirs := Dirs{State: filepath.Join(t.TempDir(), "state", "git-tdd")}
	first, err := dirs.secret()
	gittest.Check(t, err)
	second, err := dirs.secret()
	gittest.Check(t, err)
	if !bytes.Equal(first, second) || len(first) != secretSize || bytes.Equal(first, make([]byte, secretSize)) {
		t.Errorf("%x, then %x", first, second)
	}
	for name, want := range map[string]fs.FileMode{".": 0o700, "key": 0o600} {
		fi, err := os.Stat(filepath.Join(dirs.State, name))
		gittest.Check(t, err)
		if fi.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", name, fi.Mode().Perm(), want)
		}
	}
}

// Whichever process is first, and whatever is there, all get the same secret.
func TestSecret_racersAgree(t *testing.T) {
	t.Parallel()
	for _, there := range []int{-1, 0, 5, secretSize - 1, secretSize + 1} {
		dirs := Dirs{State: t.TempDir()}
		if there >= 0 {
			gittest.Check(t, os.WriteFile(filepath.Join(dirs.State, "key"), make([]byte, there), 0o600))
		}
		got := make([]secret, 24)
		var wait sync.WaitGroup
		start := make(chan struct{})
		for i := range got {
			wait.Go(func() {
				<-start
				key, err := dirs.secret()
				if err != nil {
					t.Error(err)
				}
				got[i] = key
			})
		}
		close(start)
		wait.Wait()
		for _, key := range got {
			if len(key) != secretSize || !bytes.Equal(key, got[0]) {
				t.Fatalf("with %d bytes there: %x and %x", there, got[0], key)
			}
		}
	}
}

func TestSecret_aNewOneMakesOldEntriesMisses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(files{"a": "1"})
	of(t, newMeasurer(t, l.passing()), tree)
	gittest.Check(t, os.Truncate(filepath.Join(l.dirs.State, "key"), 3))
	m := newMeasurer(t, l.passing())
	if _, ok := m.Known(tree); ok {
		t.Error("known under another secret")
	}
	of(t, m, tree)
	if m.Count() != 1 {
		t.Errorf("%d measurements, want 1", m.Count())
	}
}

func TestSecret_unreadable(t *testing.T) {
	t.Parallel()
	dirs := Dirs{State: t.TempDir()}
	gittest.Check(t, os.Mkdir(filepath.Join(dirs.State, "key"), 0o700))
	if _, err := dirs.secret(); err == nil {
		t.Error("made a secret over a folder")
	}
}

func TestDefaultDirs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environ      []string
		cache, state string // empty: an error
	}{
		{[]string{"HOME=/h"}, "/h/.cache/git-tdd", "/h/.local/state/git-tdd"},
		{[]string{"HOME=/h", "XDG_CACHE_HOME=/c"}, "/c/git-tdd", "/h/.local/state/git-tdd"},
		{[]string{"XDG_STATE_HOME=/s", "XDG_CACHE_HOME=/c"}, "/c/git-tdd", "/s/git-tdd"},
		{[]string{"XDG_CACHE_HOME=relative", "HOME=/h"}, "/h/.cache/git-tdd", "/h/.local/state/git-tdd"},
		{[]string{"XDG_CACHE_HOME=/c"}, "", ""},
		{[]string{"HOME=relative"}, "", ""},
		{nil, "", ""},
	} {
		got, err := DefaultDirs(c.environ)
		if (err != nil) != (c.cache == "") || err == nil && (got.Cache != c.cache || got.State != c.state) {
			t.Errorf("%q: %+v, %v", c.environ, got, err)
		}
	}
}
