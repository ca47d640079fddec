package main

import (
	"context"
	"path/filepath"
	"time"
)

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
			wall, _, err := mode.oneStep(ctx, katas[i], "")
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
