package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// steps is how many steps are measured.
const steps = 12

// gitShim appends the nanoseconds of each git command to a file.
const gitShim = `#!/bin/sh
case "$*" in *"cat-file --batch"*) exec "$REAL_GIT" "$@" ;; esac
s=$(date +%s%N)
"$REAL_GIT" "$@"
rc=$?
echo $(($(date +%s%N) - s)) >>"$SHIM_TIMES"
exit $rc
`

// step takes steps with a model that answers at once, and takes away what the
// children of git-tdd cost: the project's own commands and git.
func (b *bench) step(ctx context.Context) error {
	dir, stop, err := b.kata(ctx, "step")
	defer stop()
	if err != nil {
		return err
	}
	shim := filepath.Join(b.dir, "shim")
	if err := os.MkdirAll(shim, 0o750); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(shim, "git"), []byte(gitShim), 0o700); err != nil { //nolint:gosec // a program
		return err
	}
	var plain, wall, commands, git time.Duration
	runs := 0
	for range steps {
		// Every other step is timed without the shim, which costs time itself.
		took, _, err := b.oneStep(ctx, dir, "")
		if err != nil {
			return err
		}
		plain += took
		took, times, err := b.oneStep(ctx, dir, shim)
		if err != nil {
			return err
		}
		wall += took
		git += times
		spent, n, err := lastLog(dir)
		if err != nil {
			return err
		}
		commands += spent
		runs += n
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / steps }
	b.say("step: a Go kata, instant model, %d steps", steps)
	b.say("  wall, unobserved           %7.1f ms a step", ms(plain))
	b.say("  wall, git observed         %7.1f ms", ms(wall))
	b.say("    fmt, check and tests     %7.1f ms", ms(commands))
	b.say("    git                      %7.1f ms (as the shim sees it)", ms(git))
	b.say("    git-tdd itself           %7.1f ms (%.2f of the wall)", ms(wall-commands-git), float64(wall-commands-git)/float64(wall))
	b.say("  measurements of a tree     %7.2f a step (bar: 1 for an accepted first attempt)", float64(runs)/steps)
	return nil
}

// oneStep takes a step and returns its wall time and, with the shim, the time that git took.
func (b *bench) oneStep(ctx context.Context, dir, shim string) (wall, git time.Duration, err error) {
	cmd := b.command(ctx, dir, b.binary, "step")
	times := filepath.Join(b.dir, "git-times")
	if shim != "" {
		real, err := exec.LookPath("git")
		if err != nil {
			return 0, 0, err
		}
		cmd.Env = append(cmd.Env, "PATH="+shim+string(os.PathListSeparator)+os.Getenv("PATH"), "REAL_GIT="+real, "SHIM_TIMES="+times)
	}
	_ = os.Remove(times)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("step: %w\n%s", err, out)
	}
	wall = time.Since(start)
	if shim == "" {
		return wall, 0, nil
	}
	data, err := os.ReadFile(times)
	for line := range strings.Lines(string(data)) {
		var ns int64
		if _, err := fmt.Sscan(line, &ns); err == nil {
			git += time.Duration(ns)
		}
	}
	return wall, git, err
}

// lastLog reads what the newest step log says of the project's commands: their
// time, and how many times the tests ran.
func lastLog(dir string) (spent time.Duration, runs int, err error) {
	names, err := filepath.Glob(filepath.Join(dir, ".tdd", "logs", "*.json"))
	if err != nil {
		return 0, 0, err
	}
	var newest string
	var at time.Time
	for _, name := range names {
		fi, err := os.Stat(name)
		if err != nil {
			return 0, 0, err
		}
		if fi.ModTime().After(at) {
			newest, at = name, fi.ModTime()
		}
	}
	data, err := os.ReadFile(newest)
	if err != nil {
		return 0, 0, err
	}
	var log struct {
		Commands []struct {
			Name    string
			Seconds float64
		}
	}
	if err := json.Unmarshal(data, &log); err != nil {
		return 0, 0, err
	}
	for _, c := range log.Commands {
		spent += time.Duration(c.Seconds * float64(time.Second))
		if c.Name == "test" {
			runs++
		}
	}
	return spent, runs, nil
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
