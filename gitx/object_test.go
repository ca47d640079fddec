package gitx

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestObject(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	l.Git("tag", "-a", "-m", "a tag", "v1")
	r := l.open()
	for rev, want := range map[string]string{
		"HEAD": "commit", "HEAD^{tree}": "tree", "HEAD:a/one.txt": "blob", "HEAD:a": "tree", "v1": "tag", "refs/heads/main": "commit",
	} {
		obj, err := r.Object(ctx, rev)
		if err != nil || obj.Type != want {
			t.Errorf("%s: %s, %v", rev, obj.Type, err)
		}
		if got := l.Git("cat-file", "-s", rev); got != itoa(len(obj.Content)) {
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
	if c, err := r.Commit(ctx, "v1"); err != nil || c.ID != l.rev("HEAD") {
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
	bad := string(l.rev("HEAD:a/one.txt"))
	file := l.Path(".git/objects/" + bad[:2] + "/" + bad[2:])
	gittest.Check(t, os.Chmod(file, 0o644))
	gittest.Write(t, file, "rubbish")
	r := l.open()
	if _, err := r.Object(ctx, bad); err == nil {
		t.Error("a damaged object was read")
	}
	if _, ok, err := r.Text(ctx, l.rev("HEAD^{tree}"), "a/one.txt"); ok || err == nil {
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
	l.Write("big", big)
	l.Write("small", "")
	l.commit("root")
	r := l.open()
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
		l.Write(name, "content of "+name)
	}
	l.commit("root")
	r := l.open()
	head, err := r.Head(ctx)
	gittest.Check(t, err)
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
	l.commit("one\n\nTdd-Step: 1")
	l.Git("switch", "--quiet", "-c", "side")
	l.commit("side\n\nTdd-Step: 99")
	l.Git("switch", "--quiet", "main")
	l.commit("two\n\nTdd-Step: 2")
	l.Git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
	l.commit("last")
	r := l.open()
	want := strings.Fields(l.Git("rev-list", "--first-parent", "HEAD"))
	if got := walk(t, r, "HEAD"); !slices.Equal(got, want) {
		t.Errorf("walk %v, want %v", got, want)
	}
	step2 := l.rev("HEAD~2")
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
	l.Git("config", "grep.patternType", "fixed")
	l.Git("config", "i18n.logOutputEncoding", "UTF-16")
	l.Git("config", "format.pretty", "raw")
	if id, err := r.Nearest(ctx, "HEAD", `^Tdd-Step: *\([0-9]\)$`); err != nil || id != step2 {
		t.Errorf("nearest with preferences %s, %v; want %s", id, err, step2)
	}
}

func walk(t *testing.T, r *Repo, rev string) []string {
	t.Helper()
	var ids []string
	gittest.Check(t, r.Walk(context.Background(), rev, func(c Commit) bool {
		ids = append(ids, string(c.ID))
		return true
	}))
	return ids
}

func TestShallowHistoryEndsAtItsBoundary(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	for _, m := range []string{"one\n\nTdd-Step: 1", "two", "three", "four"} {
		l.commit(m)
	}
	user := &lab{l.Clone("--depth=2")}
	r := user.open()
	var last Commit
	n := 0
	gittest.Check(t, r.Walk(ctx, "HEAD", func(c Commit) bool { last = c; n++; return true }))
	if n != 2 || len(last.Parents) != 0 {
		t.Errorf("%d commits, the last with parents %v", n, last.Parents)
	}
	if id, err := r.Nearest(ctx, "HEAD", "^Tdd-Step:"); err != nil || id != "" {
		t.Errorf("nearest: %s %v", id, err)
	}
	// The boundary holds also where objects beyond it happen to be there.
	user.Git("fetch", "--quiet", "--depth=4", "origin", "main")
	user.Write(".git/shallow", user.Git("rev-parse", "HEAD~1")+"\n")
	if got := walk(t, user.open(), "HEAD"); len(got) != 2 {
		t.Errorf("walked past the boundary: %v", got)
	}
}

// TestMissingHistoryIsAnError: a hole in the history is not its end.
func TestMissingHistoryIsAnError(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	root := string(l.commit("one"))
	l.commit("two")
	gittest.Check(t, os.Remove(l.Path(".git/objects/"+root[:2]+"/"+root[2:])))
	err := l.open().Walk(context.Background(), "HEAD", func(Commit) bool { return true })
	if !errors.Is(err, ErrMissing) {
		t.Errorf("a hole in the history: %v", err)
	}
}

func TestReplacedObjectsAreIgnored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	one := l.commit("one\n\nTdd-Step: 1")
	forged := l.commit("forged\n\nTdd-Step: 7")
	l.Git("reset", "--quiet", "--hard", string(one))
	two := l.commit("two")
	l.Git("replace", "-f", string(one), string(forged))
	l.Write(".git/info/grafts", string(two)+" "+string(forged)+"\n")
	r := l.open()
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
	l.Git("config", "core.autocrlf", "true")
	l.Write(".gitattributes", "* text=auto filter=evil ident\n")
	r := l.open()
	for _, content := range [][]byte{{}, []byte("a\r\nb\r\n"), []byte("$Id$\n"), {0, 1, 2, 255}, bytes.Repeat([]byte("x"), 1<<20)} {
		id, err := r.WriteBlob(ctx, content)
		gittest.Check(t, err)
		obj, err := r.Object(ctx, string(id))
		if err != nil || !bytes.Equal(obj.Content, content) {
			t.Errorf("%.20q came back as %.20q, %v", content, obj.Content, err)
		}
	}
}
