package facts

import (
	"context"
	"fmt"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

// large is a tree of many files.
func large(tb testing.TB, l *lab, change string) gitx.ID {
	tb.Helper()
	var base gitx.ID
	if change != "" {
		base = large(tb, l, "")
	} else {
		blob, err := l.repo.WriteBlob(context.Background(), []byte("package x\n"))
		gittest.Check(tb, err)
		var edits []gitx.TreeEdit
		for i := range 5000 {
			edits = append(edits, gitx.TreeEdit{Path: fmt.Sprintf("d%d/e%d/f%d.go", i%10, i%100, i), Blob: blob})
		}
		base, err = l.repo.WriteTree(context.Background(), "", edits)
		gittest.Check(tb, err)
	}
	if change == "" {
		return base
	}
	tree, err := l.repo.WriteTree(context.Background(), base, []gitx.TreeEdit{{Path: "d1/e1/f1.go", Content: []byte(change)}})
	gittest.Check(tb, err)
	return tree
}

// BenchmarkHit asks, like a new process, for what is on record.
func BenchmarkHit(b *testing.B) {
	l := newLab(b)
	for name, opts := range map[string]Options{
		"shell": l.passing(), "go": l.golang(), "rust": l.of("rust", "cargo"),
		"python": l.of("python", "python3"), "javascript": l.of("javascript", "npm"), "ruby": l.of("ruby", "ruby"),
	} {
		b.Run(name, func(b *testing.B) {
			opts.Commands.Test = []string{"true"}
			tree := l.tree(files{"go.mod": "module x\n\ngo 1.21\n", "rust-toolchain": "stable\n"})
			warm := newMeasurer(b, opts)
			of(b, warm, tree)
			for b.Loop() {
				m := newMeasurer(b, opts)
				if of(b, m, tree); m.Count() != 0 {
					b.Fatal("a miss")
				}
			}
		})
	}
}

func (l *lab) of(name, tool string) Options {
	l.Helper()
	gittest.Need(l, tool)
	opts := l.shell("")
	opts.Language = language(l, name)
	return opts
}

func BenchmarkKnown(b *testing.B) {
	l := newLab(b)
	m := newMeasurer(b, l.passing())
	tree := l.tree(files{"a": "1"})
	of(b, m, tree)
	for b.Loop() {
		if _, ok := m.Known(tree); !ok {
			b.Fatal("not known")
		}
	}
}

// BenchmarkExport5000 switches between two trees of 5,000 files that differ in
// one file.
func BenchmarkExport5000(b *testing.B) {
	l := newLab(b)
	w := newWorkbench(b, l, testrun.Generic())
	trees := []gitx.ID{large(b, l, ""), large(b, l, "package y\n")}
	export(b, w, l, trees[0])
	export(b, w, l, trees[0])
	i := 0
	for b.Loop() {
		i++
		export(b, w, l, trees[i%2])
	}
}

// BenchmarkRemeasure measures a Go project after a change to one file.
func BenchmarkRemeasure(b *testing.B) {
	l := newLab(b)
	m := newMeasurer(b, l.golang())
	i := 0
	for b.Loop() {
		i++
		of(b, m, l.tree(goProject(fmt.Sprintf("a + b + %d", i))))
	}
}
