package gitx

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestObject(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	l.git(t, "tag", "-a", "-m", "a tag", "v1")
	r := l.open(t)
	for rev, want := range map[string]string{
		"HEAD": "commit", "HEAD^{tree}": "tree", "HEAD:a/one.txt": "blob", "HEAD:a": "tree", "v1": "tag", "refs/heads/main": "commit",
	} {
		obj, err := r.Object(ctx, rev)
		if err != nil || obj.Type != want {
			t.Errorf("%s: %s, %v", rev, obj.Type, err)
		}
		if got := l.git(t, "cat-file", "-s", rev); got != itoa(len(obj.Content)) {
			t.Errorf("%s: %d bytes, want %s", rev, len(obj.Content), got)
		}
	}
	for _, rev := range []string{"", "nope", "HEAD:missing", "HEAD\nHEAD", "a\x00b", strings.Repeat("0", 40), "HEAD:", "-x", "HEAD: spaced name missing"} {
		if rev == "HEAD:" {
			continue
		}
		if _, err := r.Object(ctx, rev); !errors.Is(err, ErrMissing) {
			t.Errorf("%q: %v", rev, err)
		}
	}
	if _, err := r.Commit(ctx, "HEAD^{tree}"); err == nil {
		t.Error("a tree was read as a commit")
	}
	if c, err := r.Commit(ctx, "v1"); err != nil || c.ID != l.rev(t, "HEAD") {
		t.Errorf("through a tag: %v, %v", c, err)
	}
}

func itoa(n int) string {
	var b []byte
	for ; n > 9; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(append([]byte{byte('0' + n)}, b...))
}

func TestObjectAfterCorruption(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	bad := string(l.rev(t, "HEAD:a/one.txt"))
	file := l.path(".git/objects/" + bad[:2] + "/" + bad[2:])
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("rubbish"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := l.open(t)
	if _, err := r.Object(ctx, bad); err == nil {
		t.Error("a damaged object was read")
	}
	if _, ok, err := r.Text(ctx, l.rev(t, "HEAD^{tree}"), "a/one.txt"); ok || err == nil {
		t.Error("a damaged file was taken for an absent one")
	}
	if _, err := r.Object(ctx, "HEAD"); err != nil {
		t.Errorf("after a corrupt object: %v", err)
	}
}

// TestObjectConcurrently asks from several goroutines and across Close.
func TestObjectConcurrently(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	big := strings.Repeat("0123456789abcdef\n", 20000)
	l.write(t, "big", big)
	l.write(t, "small", "")
	l.commit(t, "root")
	r := l.open(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				obj, err := r.Object(ctx, "HEAD:big")
				if err != nil || string(obj.Content) != big {
					t.Errorf("big: %v", err)
				}
				if obj, err = r.Object(ctx, "HEAD:small"); err != nil || len(obj.Content) != 0 {
					t.Errorf("small: %v", err)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Object(cancelled, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	odd := oddNames()
	for _, name := range odd {
		l.write(t, name, "content of "+name)
	}
	l.commit(t, "root")
	r := l.open(t)
	head, err := r.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range odd {
		text, ok, err := r.Text(ctx, head.Tree, name)
		if err != nil || !ok || string(text) != "content of "+name {
			t.Errorf("%q: %q %v %v", name, text, ok, err)
		}
	}
	for _, name := range []string{"missing", "dir", "dir/missing", ""} {
		if _, ok, err := r.Text(ctx, head.Tree, name); ok || err != nil {
			t.Errorf("%q: %v %v", name, ok, err)
		}
	}
	if _, ok, err := r.Text(ctx, "", "x"); ok || err != nil {
		t.Errorf("the empty tree: %v %v", ok, err)
	}
}

// oddNames are names that git accepts and tools stumble over.
func oddNames() []string {
	return []string{
		"new\nline", "tab\tulator", `quo"te`, "Überprüfung/ключ.txt", "-leading", "--help", "dir/-x", " space ", "a b/c d",
		"dir/.tdd-x.tmp.txt", ":colon", "star*", "[x]", "back\\slash", "100%", "#hash", "missing missing",
		strings.Repeat("n", 255), strings.Repeat("deep/", 60) + "end",
	}
}

func TestWalkAndNearest(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.commit(t, "one\n\nTdd-Step: 1")
	l.git(t, "switch", "--quiet", "-c", "side")
	l.commit(t, "side\n\nTdd-Step: 99")
	l.git(t, "switch", "--quiet", "main")
	l.commit(t, "two\n\nTdd-Step: 2")
	l.git(t, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
	l.commit(t, "last")
	r := l.open(t)
	want := strings.Fields(l.git(t, "rev-list", "--first-parent", "HEAD"))
	if got := walk(t, r, "HEAD"); !slices.Equal(got, want) {
		t.Errorf("walk %v, want %v", got, want)
	}
	step2 := l.rev(t, "HEAD~2")
	if id, err := r.Nearest(ctx, "HEAD", "^Tdd-Step: *[0-9]"); err != nil || id != step2 {
		t.Errorf("nearest %s, %v; want %s", id, err, step2)
	}
	if id, err := r.Nearest(ctx, "HEAD", "^Nothing-Such"); err != nil || id != "" {
		t.Errorf("nearest of none: %q, %v", id, err)
	}
	for _, rev := range []string{"nope", "", "--all"} {
		if _, err := r.Nearest(ctx, rev, "x"); !errors.Is(err, ErrMissing) {
			t.Errorf("%q: %v", rev, err)
		}
	}
	// The user's preferences do not change what matches.
	l.git(t, "config", "grep.patternType", "fixed")
	l.git(t, "config", "i18n.logOutputEncoding", "UTF-16")
	l.git(t, "config", "format.pretty", "raw")
	if id, err := r.Nearest(ctx, "HEAD", `^Tdd-Step: *\([0-9]\)$`); err != nil || id != step2 {
		t.Errorf("nearest with preferences %s, %v; want %s", id, err, step2)
	}
}

func walk(t *testing.T, r *Repo, rev string) []string {
	t.Helper()
	var ids []string
	if err := r.Walk(context.Background(), rev, func(c Commit) bool {
		ids = append(ids, string(c.ID))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestShallowHistoryEndsAtItsBoundary(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	for _, m := range []string{"one\n\nTdd-Step: 1", "two", "three", "four"} {
		l.commit(t, m)
	}
	dir := filepath.Join(t.TempDir(), "shallow")
	l.git(t, "clone", "--quiet", "--depth=2", "file://"+l.dir, dir)
	user := &lab{dir: dir, env: l.env}
	r := user.open(t)
	var last Commit
	n := 0
	if err := r.Walk(ctx, "HEAD", func(c Commit) bool { last = c; n++; return true }); err != nil {
		t.Fatal(err)
	}
	if n != 2 || len(last.Parents) != 0 {
		t.Errorf("%d commits, the last with parents %v", n, last.Parents)
	}
	if id, err := r.Nearest(ctx, "HEAD", "^Tdd-Step:"); err != nil || id != "" {
		t.Errorf("nearest: %s %v", id, err)
	}
	// The boundary holds even if objects beyond it happen to be there.
	user.git(t, "fetch", "--quiet", "--depth=4", "origin", "main")
	user.write(t, ".git/shallow", user.git(t, "rev-parse", "HEAD~1")+"\n")
	if got := walk(t, openAt(t, dir, l.env), "HEAD"); len(got) != 2 {
		t.Errorf("walked past the boundary: %v", got)
	}
}

// TestMissingHistoryIsAnError: a hole in the history is not its end.
func TestMissingHistoryIsAnError(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	root := string(l.commit(t, "one"))
	l.commit(t, "two")
	if err := os.Remove(l.path(".git/objects/" + root[:2] + "/" + root[2:])); err != nil {
		t.Fatal(err)
	}
	err := l.open(t).Walk(context.Background(), "HEAD", func(Commit) bool { return true })
	if !errors.Is(err, ErrMissing) {
		t.Errorf("a hole in the history: %v", err)
	}
}

func TestReplacedObjectsAreIgnored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	one := l.commit(t, "one\n\nTdd-Step: 1")
	forged := l.commit(t, "forged\n\nTdd-Step: 7")
	l.git(t, "reset", "--quiet", "--hard", string(one))
	two := l.commit(t, "two")
	l.git(t, "replace", "-f", string(one), string(forged))
	l.write(t, ".git/info/grafts", string(two)+" "+string(forged)+"\n")
	r := l.open(t)
	if got := walk(t, r, "HEAD"); !slices.Equal(got, []string{string(two), string(one)}) {
		t.Errorf("walk %v", got)
	}
	c, err := r.Commit(ctx, string(one))
	if err != nil || c.Message != "one\n\nTdd-Step: 1\n" {
		t.Errorf("%+v %v", c, err)
	}
	if id, err := r.Nearest(ctx, "HEAD", "^Tdd-Step:"); err != nil || id != one {
		t.Errorf("nearest %s %v, want %s", id, err, one)
	}
}

func TestContentIsByteExact(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.git(t, "config", "core.autocrlf", "true")
	l.write(t, ".gitattributes", "* text=auto filter=evil ident\n")
	r := l.open(t)
	for _, content := range [][]byte{{}, []byte("a\r\nb\r\n"), []byte("$Id$\n"), {0, 1, 2, 255}, bytes.Repeat([]byte("x"), 1<<20)} {
		id, err := r.WriteBlob(ctx, content)
		if err != nil {
			t.Fatal(err)
		}
		obj, err := r.Object(ctx, string(id))
		if err != nil || !bytes.Equal(obj.Content, content) {
			t.Errorf("%.20q came back as %.20q, %v", content, obj.Content, err)
		}
	}
}
