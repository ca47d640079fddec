package facts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// passing are options with a trivial command under which every tree passes.
func (l *lab) passing() Options { return l.shell("true") }

// entryFile is the only entry that a measurer keeps for a tree.
func entryFile(tb testing.TB, l *lab, tree string) string {
	tb.Helper()
	names, err := os.ReadDir(filepath.Join(l.repo.StateDir(), "facts", tree))
	gittest.Check(tb, err)
	if len(names) != 1 {
		tb.Fatalf("%d entries, want 1", len(names))
	}
	return filepath.Join(l.repo.StateDir(), "facts", tree, names[0].Name())
}

func TestStore_anyOtherByteIsAMiss(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.passing())
	tree := l.tree(files{"a": "1"})
	of(t, m, tree)
	name := entryFile(t, l, string(tree))
	good, err := os.ReadFile(name)
	gittest.Check(t, err)
	key := strings.TrimSuffix(filepath.Base(name), ".json")
	missed := func(what string, i int, bad []byte) {
		t.Helper()
		gittest.Check(t, os.WriteFile(name, bad, 0o600))
		if _, ok := m.store.load(tree, key, entryExtension); ok {
			t.Fatalf("%s at %d of %d is a hit", what, i, len(good))
		}
		if _, ok := m.Known(tree); ok {
			t.Fatalf("%s at %d of %d is known", what, i, len(good))
		}
	}
	for i := range good {
		for _, flip := range []byte{1, 0x20, 0x80} {
			bad := append([]byte{}, good...)
			bad[i] ^= flip
			missed("a flipped bit", i, bad)
		}
		missed("an end", i, good[:i])
		missed("an added byte", i, append(append(append([]byte{}, good[:i]...), ' '), good[i:]...))
	}
	missed("a line break", len(good), append(append([]byte{}, good...), '\n'))
	gittest.Check(t, os.WriteFile(name, good, 0o600))
	if _, ok := m.store.load(tree, key, entryExtension); !ok {
		t.Fatal("what was written is a miss")
	}
	of(t, m, tree)
	if m.Count() != 1 {
		t.Errorf("%d measurements, want 1", m.Count())
	}
}

func TestStore_foreignEntriesAreMisses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.passing())
	tree, other := l.tree(files{"a": "1"}), l.tree(files{"a": "2"})
	of(t, m, tree)
	of(t, m, other)
	name, otherName := entryFile(t, l, string(tree)), entryFile(t, l, string(other))
	good, err := os.ReadFile(name)
	gittest.Check(t, err)
	key := strings.TrimSuffix(filepath.Base(name), ".json")

	foreign, err := os.ReadFile(otherName)
	gittest.Check(t, err)
	gittest.Check(t, os.WriteFile(name, foreign, 0o600)) // of another tree
	if _, ok := m.store.load(tree, key, entryExtension); ok {
		t.Error("an entry of another tree is a hit")
	}
	if _, ok := m.Known(tree); ok {
		t.Error("an entry of another tree is known")
	}
	gittest.Check(t, os.WriteFile(filepath.Join(filepath.Dir(name), "0.json"), good, 0o600)) // under another key
	if _, ok := m.store.load(tree, "0", entryExtension); ok {
		t.Error("an entry of another key is a hit")
	}
	gittest.Check(t, os.Remove(filepath.Join(filepath.Dir(name), "0.json")))

	stranger := store{dir: m.store.dir, secret: make(secret, secretSize), unkept: &unkept{}}
	e, _ := m.store.load(other, strings.TrimSuffix(filepath.Base(otherName), ".json"), entryExtension)
	e.Key, e.Result.Facts.Tree = key, string(tree)
	gittest.Check(t, stranger.save(tree, e))
	if _, ok := m.store.load(tree, key, entryExtension); ok {
		t.Error("an entry of another user is a hit")
	}
	_, text, _ := bytes.Cut(good, []byte{'\n'})
	older := strings.Replace(place(name), fmt.Sprint(format), fmt.Sprint(format-1), 1)
	gittest.Check(t, os.WriteFile(name, append(append(m.store.secret.mac(older, text), '\n'), text...), 0o600))
	if _, ok := m.store.load(tree, key, entryExtension); ok {
		t.Error("an entry of another format is a hit")
	}
	gittest.Check(t, os.WriteFile(name, m.store.secret.seal(m.store.file(tree, key, answerExtension), text), 0o600))
	if _, ok := m.store.load(tree, key, entryExtension); ok {
		t.Error("what was sealed as something else is a hit")
	}
}

// A repository may be anywhere.
func TestKnown_inAPathOfPatterns(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "a[b]*?{c}")
	l := labOf(gittest.In(t, filepath.Join(base, "work")), base)
	m := newMeasurer(t, l.passing())
	tree := l.tree(files{"a": "1"})
	of(t, m, tree)
	if _, ok := m.Known(tree); !ok {
		t.Error("what was measured is not known")
	}
}

func TestDigest_toldApart(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{}
	for _, parts := range [][]string{
		{},
		{""},
		{"", ""},
		{"a", "b"},
		{"ab"},
		{"a\n1 b"},
		{"a", "", "b"},
		{"1 a"},
		{words([]string{"a", "b"})},
		{words([]string{"a"}), words([]string{"b"})},
		{words(nil)},
		{words([]string{""})},
		{words([]string{"", ""})},
	} {
		d := digest("test", parts...)
		if was, ok := seen[d]; ok {
			t.Errorf("%q and %q hash alike", was, parts)
		}
		seen[d] = parts
	}
}
