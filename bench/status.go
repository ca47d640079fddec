package main

import (
	"context"
	"path/filepath"
	"strings"
)

// depth is the length of the history in which status is measured.
const depth = 100_000

// status compares `git-tdd status` with `git log -1`, each as a whole process,
// in a long history: with a step at its end, and with none at all.
func (b *bench) status(ctx context.Context) error {
	b.url = nowhere
	dir := filepath.Join(b.dir, "deep")
	if err := b.deepHistory(ctx, dir); err != nil {
		return err
	}
	if err := b.compare(ctx, dir, "no step in 100,000 commits"); err != nil {
		return err
	}
	message := "test: a step\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: green\n"
	if err := b.do(ctx, dir, "git", "commit", "-q", "--allow-empty", "-m", message); err != nil {
		return err
	}
	return b.compare(ctx, dir, "a step at HEAD of 100,001 commits")
}

// compare times both as whole processes.
func (b *bench) compare(ctx context.Context, dir, what string) error {
	took, err := medians(200, b.process(ctx, dir, "git", "log", "-1"), b.process(ctx, dir, b.binary, "status"))
	if err != nil {
		return err
	}
	b.say("status: %s", what)
	b.say("  git log -1       %6.2f ms", float64(took[0].Microseconds())/1000)
	b.say("  git-tdd status   %6.2f ms   ratio %.2f (bar: 6)", float64(took[1].Microseconds())/1000, float64(took[1])/float64(took[0]))
	return nil
}

// deepHistory imports a linear history and adopts it.
func (b *bench) deepHistory(ctx context.Context, dir string) error {
	var stream strings.Builder
	importCommit(&stream, "c\n", map[string]string{".tdd.yaml": "language: go\n", "go.mod": "module m\n"})
	for range depth - 1 {
		importCommit(&stream, "c\n", nil)
	}
	if err := b.imported(ctx, dir, stream.String()); err != nil {
		return err
	}
	return b.do(ctx, dir, "git", "repack", "-adq")
}
