package gitx

import (
	"context"
	"fmt"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func benchLab(b *testing.B, files int) (*lab, *Repo) {
	b.Helper()
	l := newLab(b)
	for i := range files {
		l.Write(fmt.Sprintf("d%d/e%d/f%d", i%20, i%7, i), fmt.Sprintf("package p // %d\n", i))
	}
	l.commit("root")
	return l, l.open()
}

func BenchmarkOpenHead(b *testing.B) {
	l, _ := benchLab(b, 100)
	ctx := context.Background()
	for b.Loop() {
		r, err := Open(ctx, Options{Dir: l.Dir, Environ: l.Env})
		gittest.Check(b, err)
		if _, err := r.Head(ctx); err != nil {
			b.Fatal(err)
		}
		gittest.Check(b, r.Close())
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
	tree := l.rev("HEAD^{tree}")
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
			base := l.rev("HEAD^{tree}")
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
	gittest.Check(b, err)
	entries, err := r.Entries(ctx, head.Tree)
	gittest.Check(b, err)
	for b.Loop() {
		if dirty, err := r.Dirty(ctx, entries); err != nil || len(dirty) != 0 {
			b.Fatal(dirty, err)
		}
	}
}

func BenchmarkWalk200(b *testing.B) {
	l, r := benchLab(b, 10)
	for i := range 200 {
		l.Git("commit", "--quiet", "--allow-empty", "-m", fmt.Sprint("step ", i))
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
	gittest.Check(b, err)
	tree, err := r.WriteTree(ctx, head.Tree, []TreeEdit{put("d1/e1/f1", "changed"), put("new/file", "new")})
	gittest.Check(b, err)
	next, err := r.CommitTree(ctx, NewCommit{Tree: tree, Parents: []ID{head.Commit}, Author: Ident{"a", "b"}, Message: "m"})
	gittest.Check(b, err)
	to := Landing{Branch: head.Branch, Old: head.Commit, New: next, Log: "there"}
	for b.Loop() {
		gittest.Check(b, r.Land(ctx, to))
		to.Old, to.New = to.New, to.Old
	}
}
