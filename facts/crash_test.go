package facts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// exportForever is the argument by which a test starts this very program to
// export trees until it is killed.
const exportForever = "-facts.export-forever"

// crashTrees are two trees with much to do between them.
func crashTrees() [2]files {
	a, b := files{"kind/a": "folder", "link@": "kind"}, files{"kind": "file", "link/a": "folder"}
	for i := range 60 {
		name := fmt.Sprintf("d%d/f%d", i%7, i)
		a[name] = fmt.Sprintf("a%d", i)
		if i%5 > 0 {
			b[name] = fmt.Sprintf("b%d", i)
		}
	}
	return [2]files{a, b}
}

func exportUntilKilled(arg string) {
	base, ids, _ := strings.Cut(arg, "|")
	var trees [2]gitx.ID
	a, b, _ := strings.Cut(ids, ",")
	trees[0], trees[1] = gitx.ID(a), gitx.ID(b)
	ctx := context.Background()
	repo, err := gitx.Open(ctx, gitx.Options{Dir: filepath.Join(base, "work"), Environ: os.Environ()})
	if err != nil {
		panic(err)
	}
	bench, err := takeBench(Dirs{Cache: filepath.Join(base, "cache")}, repo, testrun.Generic())
	if err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		if err := bench.Export(ctx, repo, content{tree: trees[i%2]}); err != nil {
			panic(err)
		}
		fmt.Println(bench.Root)
	}
}

func TestExport_killedAtAnyMoment(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	l := labAt(t, base)
	want := crashTrees()
	trees := [2]gitx.ID{l.tree(t, want[0]), l.tree(t, want[1])}
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, os.Args[0], exportForever, base+"|"+string(trees[0])+","+string(trees[1]))
		cmd.Env = l.env
		out, err := cmd.StdoutPipe()
		check(t, err)
		check(t, cmd.Start())
		line := make([]byte, 1) // it has exported once: now it is killed at some moment of a later export
		_, err = out.Read(line)
		check(t, err)
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond) // a random moment is the point
		check(t, cmd.Process.Kill())
		_ = cmd.Wait()
		cancel()
		b, err := takeBench(l.dirs, l.repo, testrun.Generic())
		check(t, err)
		export(t, b, l, trees[i%2])
		holds(t, b, want[i%2])
		check(t, b.Close())
	}
}

// The states that a crash can leave between two of our writes.
func TestExport_halfWrittenStates(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newBench(t, l, testrun.Generic())
	want := files{"a": "new", "b/c": "new"}
	tree := l.tree(t, want)
	file := func(name string) string { return filepath.Join(b.Root, name) }
	for name, crash := range map[string]func(){
		"a file is half written": func() { check(t, os.WriteFile(file("a"), []byte("n"), 0o600)) },
		"a file is empty":        func() { check(t, os.WriteFile(file("a"), nil, 0o600)) },
		"a file is gone":         func() { check(t, os.Remove(file("a"))) },
		"the manifest is gone":   func() { check(t, os.Remove(b.manifest())) },
		"the manifest is half written": func() {
			data, err := os.ReadFile(b.manifest())
			check(t, err)
			check(t, os.WriteFile(b.manifest(), data[:len(data)/2], 0o600))
		},
		"the tree is new, the manifest old": func() {
			export(t, b, l, l.tree(t, files{"a": "old", "b/c": "old"}))
			old, err := os.ReadFile(b.manifest())
			check(t, err)
			export(t, b, l, tree)
			check(t, os.WriteFile(b.manifest(), old, 0o600))
		},
		"the tree is old, the manifest new": func() {
			now, err := os.ReadFile(b.manifest())
			check(t, err)
			export(t, b, l, l.tree(t, files{"a": "old", "b/c": "old"}))
			check(t, os.WriteFile(b.manifest(), now, 0o600))
		},
		"the root is gone": func() { check(t, os.RemoveAll(b.Root)); check(t, b.prepare()) },
	} {
		export(t, b, l, tree)
		crash()
		export(t, b, l, tree)
		t.Log(name)
		holds(t, b, want)
	}
}
