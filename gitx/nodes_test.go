package gitx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// lsTree and diffTree ask git for what Entries and Diff say.
func (l *lab) lsTree(tree ID) []Entry {
	l.Helper()
	var out []Entry
	for _, rec := range records(l.Git("ls-tree", "-r", "-z", "--full-tree", string(tree))) {
		meta, path, _ := strings.Cut(rec, "\t")
		f := strings.Fields(meta)
		out = append(out, Entry{Path: path, Mode: f[0], ID: ID(f[2])})
	}
	return out
}

func (l *lab) diffTree(before, after ID, how string) []Diff {
	l.Helper()
	text := l.Git("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--ignore-submodules=none", "-l1000", how, string(before), string(after))
	if text == "" {
		return nil
	}
	diffs, err := parseRaw(text)
	gittest.Check(l, err)
	return diffs
}

// parseRaw reads `diff-tree -z --raw`: a record of ":modes ids status",
// followed by one path, or by two for a rename or a copy.
func parseRaw(out string) ([]Diff, error) {
	var diffs []Diff
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(meta) != 5 {
			return nil, fmt.Errorf("git diff-tree: unexpected record %q", fields[i])
		}
		before := &Entry{Path: fields[i+1], Mode: meta[0], ID: ID(meta[2])}
		after := &Entry{Path: fields[i+1], Mode: meta[1], ID: ID(meta[3])}
		switch meta[4][0] {
		case 'R', 'C':
			if i+2 >= len(fields) {
				return nil, fmt.Errorf("git diff-tree: a rename of %q without its new path", fields[i+1])
			}
			after.Path = fields[i+2]
			i++
		case 'A':
			before = nil
		case 'D':
			after = nil
		}
		diffs = append(diffs, Diff{Old: before, New: after})
	}
	return diffs, nil
}

func records(out string) []string {
	return slices.DeleteFunc(strings.Split(out, "\x00"), func(s string) bool { return s == "" })
}

// mktree stores the tree of a folder whose entries a random number chooses:
// names that sort differently as files and as folders, and every kind of entry.
func (l *lab) mktree(dice *rand.Rand, blobs []ID, depth int) ID {
	l.Helper()
	var lines strings.Builder
	for _, name := range []string{"a", "a.b", "a-b", "a0", "A", "b", "line\nbreak", "ü", "\xff", "z"} {
		blob := blobs[dice.IntN(len(blobs))]
		switch n := dice.IntN(12); {
		case n < 4:
			fmt.Fprintf(&lines, "%s blob %s\t%s\x00", []string{ModeFile, ModeFile, ModeExecutable, ModeSymlink}[n], blob, name)
		case n == 4:
			fmt.Fprintf(&lines, "160000 commit %s\t%s\x00", strings.Repeat(fmt.Sprint(dice.IntN(3)+1), len(blob)), name)
		case n < 8 && depth > 0:
			fmt.Fprintf(&lines, "040000 tree %s\t%s\x00", l.mktree(dice, blobs, depth-1), name)
		}
	}
	return ID(l.Feed(lines.String(), "mktree", "-z", "--missing"))
}

// TestTrees_asGitReadsThem compares what is read from random trees with git.
func TestTrees_asGitReadsThem(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, "--object-format="+format)
			r := l.open()
			var blobs []ID
			for n := range 4 { // two of them are equal, so that files can move
				id, err := r.WriteBlob(t.Context(), []byte(strings.Repeat("a line\n", 30)+strings.Repeat(fmt.Sprint(n), 20*(n/2))))
				gittest.Check(t, err)
				blobs = append(blobs, id)
			}
			dice := rand.New(rand.NewPCG(1, 2))
			before, err := r.WriteTree(t.Context(), "", nil)
			gittest.Check(t, err)
			for range 25 {
				after := l.mktree(dice, blobs, 2)
				l.sameTrees(r, before, after)
				before = after
			}
		})
	}
}

func (l *lab) sameTrees(r *Repo, before, after ID) {
	l.Helper()
	entries, err := r.Entries(l.Context(), after)
	if want := l.lsTree(after); err != nil || !slices.Equal(entries, want) {
		l.Fatalf("%s: %v\n%v, want\n%v", after, err, entries, want)
	}
	for _, e := range entries {
		content, ok, err := r.Text(l.Context(), after, e.Path)
		if err != nil || ok != (e.Mode != ModeSubmodule) || ok != (len(content) > 0) {
			l.Errorf("%s: %q %t %v", e.Path, content, ok, err)
		}
	}
	for how, diff := range map[string]func(context.Context, ID, ID) ([]Diff, error){"--no-renames": r.Diff, "--find-renames": r.DiffMoved} {
		for _, pair := range [][2]ID{{before, after}, {after, before}, {after, after}} {
			diffs, err := diff(l.Context(), pair[0], pair[1])
			want := l.diffTree(pair[0], pair[1], how)
			if err != nil || fmt.Sprint(spell(diffs)) != fmt.Sprint(spell(want)) {
				l.Fatalf("%s to %s, %s: %v\n%q, want\n%q", pair[0], pair[1], how, err, spell(diffs), spell(want))
			}
		}
	}
}

// spell writes differences out, both sides in full.
func spell(diffs []Diff) []string {
	var out []string
	for _, d := range diffs {
		var old, now Entry
		if d.Old != nil {
			old = *d.Old
		}
		if d.New != nil {
			now = *d.New
		}
		out = append(out, fmt.Sprint(old, now))
	}
	return out
}

// TestTrees_ofOldAndDamagedObjects: modes written by very old versions of git
// are read as git reads them, and what is not a tree is not taken for an empty
// one.
func TestTrees_ofOldAndDamagedObjects(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	blob, err := r.WriteBlob(t.Context(), []byte("x"))
	gittest.Check(t, err)
	raw := strings.Repeat("\x01", 20)
	store := func(content string) ID {
		return ID(l.Feed(content, "hash-object", "-t", "tree", "-w", "--stdin", "--literally"))
	}
	old := store("100664 a\x00" + raw + "100600 b\x00" + raw + "100775 c\x00" + raw + "120777 d\x00" + raw)
	entries, err := r.Entries(t.Context(), old)
	if want := l.lsTree(old); err != nil || !slices.Equal(entries, want) {
		t.Errorf("%v %v, want %v", entries, err, want)
	}
	for _, content := range []string{"100644 a\x00" + raw[1:], "100644 a", "hello a\x00" + raw, "100644 \x00" + raw} {
		bad := store(content)
		if entries, err := r.Entries(t.Context(), bad); err == nil {
			t.Errorf("%q holds %v", content, entries)
		}
		if diffs, err := r.Diff(t.Context(), old, bad); err == nil {
			t.Errorf("%q differs by %v", content, diffs)
		}
	}
	for _, id := range []ID{blob, ID(strings.Repeat("2", 40))} {
		if entries, err := r.Entries(t.Context(), id); err == nil {
			t.Errorf("%s holds %v", id, entries)
		}
	}
}
