package gitx

import (
	"context"
	"fmt"
	"testing"
)

func benchLab(b *testing.B, files int) (*lab, *Repo) {
	b.Helper()
	l := newBare(b)
	for i := range files {
		l.write(b, fmt.Sprintf("d%d/e%d/f%d", i%20, i%7, i), fmt.Sprintf("package p // %d\n", i))
	}
	l.git(b, "add", ".")
	l.git(b, "commit", "--quiet", "-m", "root")
	return l, l.open(b)
}

func newBare(b *testing.B) *lab {
	b.Helper()
	l := &lab{dir: b.TempDir(), env: labEnv(b)}
	l.git(b, "init", "--quiet")
	return l
}

func BenchmarkOpenHead(b *testing.B) {
	l, _ := benchLab(b, 100)
	ctx := context.Background()
	for b.Loop() {
		r, err := Open(ctx, Options{Dir: l.dir, Environ: l.env})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Head(ctx); err != nil {
			b.Fatal(err)
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkObject(b *testing.B) {
	_, r := benchLab(b, 100)
	for b.Loop() {
		if _, err := r.Object(context.Background(), "HEAD:d1/e1/f1"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	l, r := benchLab(b, 100)
	tree := l.rev(b, "HEAD^{tree}")
	for b.Loop() {
		if _, ok, err := r.Text(context.Background(), tree, "d1/e1/f1"); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkWriteTree(b *testing.B) {
	for _, files := range []int{100, 5000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			l, r := benchLab(b, files)
			base := l.rev(b, "HEAD^{tree}")
			n := 0
			for b.Loop() {
				n++
				edits := []TreeEdit{put("d1/e1/f1", fmt.Sprint(n)), put("new", fmt.Sprint(-n))}
				if _, err := r.WriteTree(context.Background(), base, edits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDirty(b *testing.B) {
	_, r := benchLab(b, 5000)
	ctx := context.Background()
	head, err := r.Head(ctx)
	if err != nil {
		b.Fatal(err)
	}
	entries, err := r.Entries(ctx, head.Tree)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if dirty, err := r.Dirty(ctx, entries); err != nil || len(dirty) != 0 {
			b.Fatal(dirty, err)
		}
	}
}

func BenchmarkWalk200(b *testing.B) {
	l, r := benchLab(b, 10)
	for i := range 200 {
		l.git(b, "commit", "--quiet", "--allow-empty", "-m", fmt.Sprint("step ", i))
	}
	for b.Loop() {
		n := 0
		if err := r.Walk(context.Background(), "HEAD", func(Commit) bool { n++; return true }); err != nil || n != 201 {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkLand(b *testing.B) {
	_, r := benchLab(b, 1000)
	ctx := context.Background()
	head, err := r.Head(ctx)
	if err != nil {
		b.Fatal(err)
	}
	tree, err := r.WriteTree(ctx, head.Tree, []TreeEdit{put("d1/e1/f1", "changed"), put("new/file", "new")})
	if err != nil {
		b.Fatal(err)
	}
	next, err := r.CommitTree(ctx, NewCommit{Tree: tree, Parents: []ID{head.Commit}, Author: Ident{"a", "b"}, Message: "m"})
	if err != nil {
		b.Fatal(err)
	}
	to := Landing{Branch: head.Branch, Old: head.Commit, New: next, Log: "there"}
	for b.Loop() {
		if err := r.Land(ctx, to); err != nil {
			b.Fatal(err)
		}
		to.Old, to.New = to.New, to.Old
	}
}
