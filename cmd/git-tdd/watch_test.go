package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A watcher tells what happens while it watches, in one line for each thing, and
// ends when it is interrupted.
func TestWatchFollows(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a.txt", "a\n")
	r.Commit("chore: start")
	read, write := io.Pipe()
	p := newProgram(r.Dir, r.Env, write, io.Discard)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.run(ctx, []string{"git-tdd", "watch"}) }()
	lines := bufio.NewScanner(read)
	next := func() string {
		lines.Scan()
		return lines.Text()
	}
	if got := next(); !strings.HasSuffix(got, "no steps were taken here") {
		t.Errorf("got %q", got)
	}
	gittest.Write(t, filepath.Join(r.Dir, ".tdd", "events.jsonl"), strings.Join([]string{
		`{"v":1,"run":"1","event":"doing","step":4,"role":"tester","what":"edit"}`,
		`{"v":1,"run":"1","event":"refused","step":4,"role":"tester","attempt":1,"findings":["scope: no"]}`,
		`{"v":1,"run":"1","event":"accepted","step":4,"role":"tester","attempt":2,"phase":"red","subject":"test: a","tests":"1 failed","in":7,"out":3,"seconds":1.5}`,
		`{"v":1,"run":"1","event":"stopped","reason":"budget","text":"it is used up\nmore"}`,
	}, "\n")+"\n")
	for _, want := range []string{
		"✗ step 4  tester  attempt 1 refused: scope: no",
		"✓ step 4  red  test: a · 1 failed · 2 attempts · 7 tokens in, 3 out · 1.5s",
		"■ budget: it is used up · 1 step, 1 refused · ",
	} {
		if got := next(); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	gittest.Check(t, os.RemoveAll(filepath.Join(r.Dir, ".tdd")))
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
