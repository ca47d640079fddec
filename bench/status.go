package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
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

// compare takes turns, so that both see the same machine.
func (b *bench) compare(ctx context.Context, dir, what string) error {
	const rounds = 200
	var logs, statuses []time.Duration
	once := func(list *[]time.Duration, argv ...string) error {
		took, err := median(1, func() error { return b.do(ctx, dir, argv...) })
		*list = append(*list, took)
		return err
	}
	if err := b.do(ctx, dir, b.binary, "status"); err != nil {
		return err
	}
	for range rounds {
		if err := once(&logs, "git", "log", "-1"); err != nil {
			return err
		}
		if err := once(&statuses, b.binary, "status"); err != nil {
			return err
		}
	}
	base, own := middle(logs), middle(statuses)
	b.say("status: %s", what)
	b.say("  git log -1       %6.2f ms", float64(base.Microseconds())/1000)
	b.say("  git-tdd status   %6.2f ms   ratio %.2f (bar: 6)", float64(own.Microseconds())/1000, float64(own)/float64(base))
	return nil
}

// deepHistory imports a linear history and adopts it.
func (b *bench) deepHistory(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if err := b.do(ctx, dir, "git", "init", "-q", "-b", "main"); err != nil {
		return err
	}
	var stream strings.Builder
	for n := range depth {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 2\nc\n", 1_600_000_000+n)
		if n == 0 {
			config := "language: go\n"
			fmt.Fprintf(&stream, "M 100644 inline .tdd.yaml\ndata %d\n%s\nM 100644 inline go.mod\ndata 9\nmodule m\n\n", len(config), config)
		}
		stream.WriteString("\n")
	}
	cmd := b.command(ctx, dir, "git", "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w\n%s", err, out)
	}
	if err := b.do(ctx, dir, "git", "reset", "-q", "--hard"); err != nil {
		return err
	}
	return b.do(ctx, dir, "git", "repack", "-adq")
}
