package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func middle[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// memory reads the peak resident memory of git-tdd itself, children left out,
// while it takes steps.
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
		cmd := b.command(ctx, dir, b.binary, "step")
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		most, err := watch(cmd.Process.Pid, ended)
		if err != nil {
			return err
		}
		peak = max(peak, most)
	}
	b.say("memory: peak of git-tdd itself in a step  %.1f MB (bar: 64)", float64(peak)/1024)
	return nil
}

// watch reads the high-water mark of a process until it ends, in kB.
func watch(pid int, ended <-chan error) (peak int, err error) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-tick.C:
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(data)) {
				var kb int
				if _, err := fmt.Sscanf(line, "VmHWM: %d", &kb); err == nil {
					peak = max(peak, kb)
				}
			}
		}
	}
}
