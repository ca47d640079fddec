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
func (b *bench) cold(ctx context.Context, kata string, bar float64) error {
	const steps, rounds = 30, 3
	b.url = nowhere
	off, _ := b.modes()
	origin := filepath.Join(b.dir, "origin-"+kata)
	s, err := b.history(ctx, kata, origin, steps)
	if err != nil {
		return err
	}
	took, err := medians(rounds,
		func() (cost, error) { return off.coldVerify(ctx, origin) },
		func() (cost, error) { return b.rebase(ctx, origin, s.Test) })
	if err != nil {
		return err
	}
	proof, rebase := took[0], took[1]
	b.say("verify: a %s kata of %d commits, cold, %d processors", s.Name, steps, runtime.NumCPU())
	b.say("  git rebase --exec %-14s %6.2f s", strings.Join(s.Test, " "), rebase.Seconds())
	b.say("  git tdd verify, evidence: off   %6.2f s   ratio %.2f (bar: %.1f)", proof.Seconds(), proof.Seconds()/rebase.Seconds(), bar)
	return nil
}

// inClone runs something in a fresh clone, and takes that away again.
func (b *bench) inClone(ctx context.Context, origin string, run func(dir string) (cost, error)) (took cost, err error) {
	dir := filepath.Join(b.dir, "clone")
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := b.do(ctx, b.dir, "git", "clone", "-q", origin, dir); err != nil {
		return cost{}, err
	}
	return run(dir)
}

// coldVerify times a verify with caches of its own.
func (b *bench) coldVerify(ctx context.Context, origin string) (cost, error) {
	return b.inClone(ctx, origin, func(dir string) (took cost, err error) {
		defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, "cache"))) }()
		if err := b.do(ctx, dir, b.binary, "trust"); err != nil {
			return cost{}, err
		}
		return b.process(ctx, dir, b.binary, "verify", base+"..main")()
	})
}

// rebase times the way in which people test each commit without git-tdd. The
// reds fail, so the command's exit code is put aside.
func (b *bench) rebase(ctx context.Context, origin string, test []string) (cost, error) {
	return b.inClone(ctx, origin, func(dir string) (cost, error) {
		return b.process(ctx, dir, "git", "rebase", "--quiet", "--exec", strings.Join(test, " ")+" || true", base)()
	})
}

// verifyLong times a verify of a long history that was verified before, and reads its peak memory.
func (b *bench) verifyLong(ctx context.Context) error {
	const steps, rounds = 1000, 5
	b.url = nowhere
	dir := filepath.Join(b.dir, "long")
	if _, err := b.history(ctx, "shell", dir, steps); err != nil {
		return err
	}
	for _, argv := range [][]string{{"git", "repack", "-adq"}, {b.binary, "trust"}, {b.binary, "verify", base + "..main"}} {
		if err := b.do(ctx, dir, argv...); err != nil {
			return err
		}
	}
	took, err := medians(rounds, b.process(ctx, dir, b.binary, "verify", base+"..main"))
	if err != nil {
		return err
	}
	peak, err := peakOf(b.command(ctx, dir, b.binary, "verify", base+"..main"))
	b.say("verify: %d commits whose facts are on record", steps)
	b.say("  git tdd verify                  %6.2f s (bar: 2)   peak %.1f MB (bar: 100)", took[0].Seconds(), float64(peak)/1024)
	return err
}

// modes are two benches that differ in gates.evidence only.
func (b *bench) modes() (off, full *bench) {
	one, other := *b, *b
	one.env, other.env = []string{"GIT_TDD_GATES_EVIDENCE=off"}, []string{"GIT_TDD_GATES_EVIDENCE=full"}
	return &one, &other
}

// greens times, with and without the question what tests are worth, the green steps of two katas that are worked side by side.
func (b *bench) greens(ctx context.Context) error {
	const cycles = 7
	var took [2][]cost
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
			c, err := mode.process(ctx, katas[i], mode.binary, "step")()
			if err != nil {
				return err
			}
			if step%3 == 2 {
				took[i] = append(took[i], c)
			}
		}
	}
	b.ratio("evidence: a green step of a Go kata, instant model", typical(took[0], wall), typical(took[1], wall), 2.5)
	return nil
}

// proofs times a cold verify, with warm caches of the compilers.
func (b *bench) proofs(ctx context.Context) error {
	const steps, rounds = 30, 3
	b.url = nowhere
	origin := filepath.Join(b.dir, "origin-evidence")
	if _, err := b.history(ctx, "go", origin, steps); err != nil {
		return err
	}
	off, full := b.modes()
	took, err := medians(rounds,
		func() (cost, error) { return off.coldVerify(ctx, origin) },
		func() (cost, error) { return full.coldVerify(ctx, origin) })
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
