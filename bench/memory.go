package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

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
