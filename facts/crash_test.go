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
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

// exportForever is the argument with which a test starts this program again, to
// export trees until it is killed.
const exportForever = "-facts.export-forever"

// crashTrees are two trees with many differences.
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
	w, err := takeWorkbench(Dirs{Cache: filepath.Join(base, "cache")}, repo, "", testrun.Generic())
	if err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		if err := w.Export(ctx, repo, content{tree: trees[i%2]}); err != nil {
			panic(err)
		}
		fmt.Println(w.Root)
	}
}

func TestExport_killedAtAnyMoment(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	want := crashTrees()
	trees := [2]gitx.ID{l.tree(want[0]), l.tree(want[1])}
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, os.Args[0], exportForever, l.Home+"|"+string(trees[0])+","+string(trees[1]))
		cmd.Env = l.Env
		out, err := cmd.StdoutPipe()
		gittest.Check(t, err)
		gittest.Check(t, cmd.Start())
		line := make([]byte, 1) // it has exported once: now it is killed at some moment of a later export
		_, err = out.Read(line)
		gittest.Check(t, err)
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond) // a random moment is the point
		gittest.Check(t, cmd.Process.Kill())
		_ = cmd.Wait()
		cancel()
		b, err := takeWorkbench(l.dirs, l.repo, "", testrun.Generic())
		gittest.Check(t, err)
		export(t, b, l, trees[i%2])
		holds(t, b, want[i%2])
		gittest.Check(t, b.Close())
	}
}

// The states that a crash between two of our writes can leave behind.
func TestExport_halfWrittenStates(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	want := files{"a": "new", "b/c": "new"}
	tree := l.tree(want)
	file := func(name string) string { return filepath.Join(b.Root, name) }
	for name, crash := range map[string]func(){
		"a file is half written": func() { gittest.Write(t, file("a"), "n") },
		"a file is empty":        func() { gittest.Write(t, file("a"), "") },
		"a file is gone":         func() { gittest.Check(t, os.Remove(file("a"))) },
		"the manifest is gone":   func() { gittest.Check(t, os.Remove(b.manifest())) },
		"the manifest is half written": func() {
			data := gittest.Read(t, b.manifest())
			gittest.Write(t, b.manifest(), data[:len(data)/2])
		},
		"the tree is new, the manifest old": func() {
			export(t, b, l, l.tree(files{"a": "old", "b/c": "old"}))
			old, err := os.ReadFile(b.manifest())
			gittest.Check(t, err)
			export(t, b, l, tree)
			gittest.Check(t, os.WriteFile(b.manifest(), old, 0o600))
		},
		"the tree is old, the manifest new": func() {
			now, err := os.ReadFile(b.manifest())
			gittest.Check(t, err)
			export(t, b, l, l.tree(files{"a": "old", "b/c": "old"}))
			gittest.Check(t, os.WriteFile(b.manifest(), now, 0o600))
		},
		"the root is gone": func() { gittest.Check(t, os.RemoveAll(b.Root)); gittest.Check(t, b.prepare()) },
	} {
		export(t, b, l, tree)
		crash()
		export(t, b, l, tree)
		t.Log(name)
		holds(t, b, want)
	}
}
