package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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

// memory reads the peak resident memory of git-tdd itself, children left out, while it takes steps.
func (b *bench) memory(ctx context.Context) error {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.say("memory: not measured, there is no /proc here")
		return nil
	}
	dir, stop, err := b.kata(ctx, "memory")
	defer stop()
	if err != nil {
		return err
	}
	peak := 0
	for range 3 {
		most, err := peakOf(b.command(ctx, dir, b.binary, "step"))
		if err != nil {
			return err
		}
		peak = max(peak, most)
	}
	b.say("memory: peak of git-tdd itself in a step  %.1f MB (bar: 64)", float64(peak)/1024)
	return nil
}

// peakOf runs a command and reads its high-water mark until it ends, in kB.
func peakOf(cmd *exec.Cmd) (peak int, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-tick.C:
			data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)) // gone as soon as it has ended
			for line := range strings.Lines(string(data)) {
				var kb int
				if _, err := fmt.Sscanf(line, "VmHWM: %d", &kb); err == nil {
					peak = max(peak, kb)
				}
			}
		}
	}
}
