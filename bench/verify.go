package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// nowhere is the endpoint of a model that is never asked.
const nowhere = "http://127.0.0.1:1/v1"

// cold compares a cold `git tdd verify` with `git rebase --exec` of the same test command
// over the same commits, each in a fresh clone. It keeps the compilers' caches, which both sides have used before; facts, workbenches
// and clones are new. What tests are worth is left aside, as rebase does; evidence
// measures what that costs.
func (b *bench) cold(ctx context.Context, s script, bar float64) error {
	const steps, rounds = 30, 3
	b.url = nowhere
	off, _ := b.modes()
	origin := filepath.Join(b.dir, "origin-"+s.name)
	if err := s.write(ctx, b, origin, steps); err != nil {
		return err
	}
	took, err := medians(rounds,
		func() (time.Duration, error) { return off.coldVerify(ctx, origin) },
		func() (time.Duration, error) { return b.rebase(ctx, origin, s.test) })
	if err != nil {
		return err
	}
	proof, rebase := took[0], took[1]
	b.say("verify: a %s kata of %d commits, cold, %d processors", s.name, steps, runtime.NumCPU())
	b.say("  git rebase --exec %-14s %6.2f s", strings.Join(s.test, " "), rebase.Seconds())
	b.say("  git tdd verify, evidence: off   %6.2f s   ratio %.2f (bar: %.1f)", proof.Seconds(), proof.Seconds()/rebase.Seconds(), bar)
	return nil
}

// clone makes a fresh clone and takes it away again.
func (b *bench) clone(ctx context.Context, origin string) (dir string, remove func() error, err error) {
	dir = filepath.Join(b.dir, "clone")
	remove = func() error { return os.RemoveAll(dir) }
	return dir, remove, b.do(ctx, b.dir, "git", "clone", "-q", origin, dir)
}

// coldVerify times a verify with caches of its own.
func (b *bench) coldVerify(ctx context.Context, origin string) (took time.Duration, err error) {
	dir, remove, err := b.clone(ctx, origin)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, remove(), os.RemoveAll(filepath.Join(b.dir, "cache"))) }()
	if err := b.do(ctx, dir, b.binary, "trust"); err != nil {
		return 0, err
	}
	return timed(func() error { return b.do(ctx, dir, b.binary, "verify", base+"..main") })
}

// rebase times the way in which people test each commit without git-tdd. The
// reds fail, so the command's exit code is put aside.
func (b *bench) rebase(ctx context.Context, origin string, test []string) (took time.Duration, err error) {
	dir, remove, err := b.clone(ctx, origin)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	return timed(func() error {
		return b.do(ctx, dir, "git", "rebase", "--quiet", "--exec", strings.Join(test, " ")+" || true", base)
	})
}

// verifyLong times a verify of a long history that was verified before, and reads its peak memory.
func (b *bench) verifyLong(ctx context.Context) error {
	const steps, rounds = 1000, 5
	s := shellScript()
	b.url = nowhere
	dir := filepath.Join(b.dir, "long")
	if err := s.write(ctx, b, dir, steps); err != nil {
		return err
	}
	for _, argv := range [][]string{{"git", "repack", "-adq"}, {b.binary, "trust"}, {b.binary, "verify", base + "..main"}} {
		if err := b.do(ctx, dir, argv...); err != nil {
			return err
		}
	}
	took, err := medians(rounds, func() (time.Duration, error) {
		return timed(func() error { return b.do(ctx, dir, b.binary, "verify", base+"..main") })
	})
	if err != nil {
		return err
	}
	peak, err := peakOf(b.command(ctx, dir, b.binary, "verify", base+"..main"))
	b.say("verify: %d commits whose facts are on record", steps)
	b.say("  git tdd verify                  %6.2f s (bar: 2)   peak %.1f MB (bar: 100)", took[0].Seconds(), float64(peak)/1024)
	return err
}

// with is a bench whose children get more environment.
func (b *bench) with(env ...string) *bench {
	other := *b
	other.env = env
	return &other
}

// modes are two benches that differ in gates.evidence only.
func (b *bench) modes() (off, full *bench) {
	return b.with("GIT_TDD_GATES_EVIDENCE=off"), b.with("GIT_TDD_GATES_EVIDENCE=full")
}

// greens times, with and without the question what tests are worth, the green steps of two katas that are worked side by side.
func (b *bench) greens(ctx context.Context) error {
	const cycles = 7
	var took [2][]time.Duration
	var katas [2]string
	for i, name := range []string{"evidence-off", "evidence-full"} {
		dir, stop, err := b.kata(ctx, name)
		defer stop()
		if err != nil {
			return err
		}
		katas[i] = dir
	}
	off, full := b.modes()
	for step := 1; step <= 3*cycles; step++ {
		for i, mode := range []*bench{off, full} {
			wall, err := timed(func() error { return mode.do(ctx, katas[i], mode.binary, "step") })
			if err != nil {
				return err
			}
			if step%3 == 2 {
				took[i] = append(took[i], wall)
			}
		}
	}
	b.ratio("evidence: a green step of a Go kata, instant model", median(took[0]), median(took[1]), 2.5)
	return nil
}

// proofs times a cold verify, with warm caches of the compilers.
func (b *bench) proofs(ctx context.Context) error {
	const steps, rounds = 30, 3
	b.url = nowhere
	origin := filepath.Join(b.dir, "origin-evidence")
	if err := goScript().write(ctx, b, origin, steps); err != nil {
		return err
	}
	off, full := b.modes()
	took, err := medians(rounds,
		func() (time.Duration, error) { return off.coldVerify(ctx, origin) },
		func() (time.Duration, error) { return full.coldVerify(ctx, origin) })
	if err != nil {
		return err
	}
	b.ratio("evidence: a cold verify of a Go kata of 30 commits", took[0], took[1], 2)
	return nil
}

// ratio prints two modes and their ratio.
func (b *bench) ratio(what string, off, full time.Duration, bar float64) {
	b.say("%s", what)
	b.say("  gates.evidence: off             %6.2f s", off.Seconds())
	b.say("  gates.evidence: full            %6.2f s   ratio %.2f (bar: %.1f)", full.Seconds(), full.Seconds()/off.Seconds(), bar)
}
