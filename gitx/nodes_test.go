package gitx

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// lsTree and diffTree ask git for what Entries and Diff should return.
func lsTree(tb testing.TB, l *lab, tree ID) []Entry {
	tb.Helper()
	var out []Entry
	for _, rec := range records(l.git(tb, "ls-tree", "-r", "-z", "--full-tree", string(tree))) {
		meta, path, _ := strings.Cut(rec, "\t")
		f := strings.Fields(meta)
		out = append(out, Entry{Path: path, Mode: f[0], ID: ID(f[2])})
	}
	return out
}

func diffTree(tb testing.TB, l *lab, before, after ID, moves Moves) []Diff {
	tb.Helper()
	how := map[Moves]string{FollowMoves: "--find-renames", NoMoves: "--no-renames"}[moves]
	text := l.git(tb, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--ignore-submodules=none", "-l1000", how, string(before), string(after))
	if text == "" {
		return nil
	}
	diffs, err := parseRaw(text)
	if err != nil {
		tb.Fatal(err)
	}
	return diffs
}

func records(out string) []string {
	return slices.DeleteFunc(strings.Split(out, "\x00"), func(s string) bool { return s == "" })
}

// mktree stores the tree of a random folder: with names that sort differently
// as files and as folders, and every kind of entry.
func mktree(tb testing.TB, l *lab, dice *rand.Rand, blobs []ID, depth int) ID {
	tb.Helper()
	var lines strings.Builder
	for _, name := range []string{"a", "a.b", "a-b", "a0", "A", "b", "line\nbreak", "ü", "\xff", "z"} {
		blob := blobs[dice.IntN(len(blobs))]
		switch n := dice.IntN(12); {
		case n < 4:
			fmt.Fprintf(&lines, "%s blob %s\t%s\x00", []string{ModeFile, ModeFile, ModeExecutable, ModeSymlink}[n], blob, name)
		case n == 4:
			fmt.Fprintf(&lines, "160000 commit %s\t%s\x00", strings.Repeat(fmt.Sprint(dice.IntN(3)+1), len(blob)), name)
		case n < 8 && depth > 0:
			fmt.Fprintf(&lines, "040000 tree %s\t%s\x00", mktree(tb, l, dice, blobs, depth-1), name)
		}
	}
	cmd := exec.CommandContext(tb.Context(), "git", "mktree", "-z", "--missing")
	cmd.Dir, cmd.Env, cmd.Stdin = l.dir, l.env, strings.NewReader(lines.String())
	out, err := cmd.Output()
	if err != nil {
		tb.Fatal(err)
	}
	return ID(strings.TrimSpace(string(out)))
}

// TestTrees_asGitReadsThem compares what is read from random trees with git.
func TestTrees_asGitReadsThem(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, "--object-format="+format)
			r := l.open(t)
			var blobs []ID
			for n := range 4 { // two of them are equal, so that files can move
				id, err := r.WriteBlob(t.Context(), []byte(strings.Repeat("a line\n", 30)+strings.Repeat(fmt.Sprint(n), 20*(n/2))))
				if err != nil {
					t.Fatal(err)
				}
				blobs = append(blobs, id)
			}
			dice := rand.New(rand.NewPCG(1, 2))
			before, err := r.EmptyTree(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for range 25 {
				after := mktree(t, l, dice, blobs, 2)
				sameTrees(t, l, r, before, after)
				before = after
			}
		})
	}
}

func sameTrees(t *testing.T, l *lab, r *Repo, before, after ID) {
	t.Helper()
	entries, err := r.Entries(t.Context(), after)
	if want := lsTree(t, l, after); err != nil || !slices.Equal(entries, want) {
		t.Fatalf("%s: %v\n%v, want\n%v", after, err, entries, want)
	}
	for _, e := range entries {
		content, ok, err := r.Text(t.Context(), after, e.Path)
		if err != nil || ok != (e.Mode != ModeSubmodule) || ok != (len(content) > 0) {
			t.Errorf("%s: %q %t %v", e.Path, content, ok, err)
		}
	}
	for _, moves := range []Moves{NoMoves, FollowMoves} {
		for _, pair := range [][2]ID{{before, after}, {after, before}, {after, after}} {
			diffs, err := r.Diff(t.Context(), pair[0], pair[1], moves)
			want := diffTree(t, l, pair[0], pair[1], moves)
			if err != nil || fmt.Sprint(spell(diffs)) != fmt.Sprint(spell(want)) {
				t.Fatalf("%s to %s, moves %s: %v\n%q, want\n%q", pair[0], pair[1], moves, err, spell(diffs), spell(want))
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
	r := l.open(t)
	blob, err := r.WriteBlob(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	raw := strings.Repeat("\x01", 20)
	store := func(content string) ID {
		cmd := exec.CommandContext(t.Context(), "git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
		cmd.Dir, cmd.Env, cmd.Stdin = l.dir, l.env, strings.NewReader(content)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return ID(strings.TrimSpace(string(out)))
	}
	old := store("100664 a\x00" + raw + "100600 b\x00" + raw + "100775 c\x00" + raw + "120777 d\x00" + raw)
	entries, err := r.Entries(t.Context(), old)
	if want := lsTree(t, l, old); err != nil || !slices.Equal(entries, want) {
		t.Errorf("%v %v, want %v", entries, err, want)
	}
	for _, content := range []string{"100644 a\x00" + raw[1:], "100644 a", "hello a\x00" + raw, "100644 \x00" + raw} {
		bad := store(content)
		if entries, err := r.Entries(t.Context(), bad); err == nil {
			t.Errorf("%q holds %v", content, entries)
		}
		if diffs, err := r.Diff(t.Context(), old, bad, NoMoves); err == nil {
			t.Errorf("%q differs by %v", content, diffs)
		}
	}
	for _, id := range []ID{blob, ID(strings.Repeat("2", 40))} {
		if entries, err := r.Entries(t.Context(), id); err == nil {
			t.Errorf("%s holds %v", id, entries)
		}
	}
}
