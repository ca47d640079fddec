package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cycles is how many red-green-refactor cycles are committed; the first warms up.
const cycles = 4

// phase is a commit of a cycle, by its message.
type phase struct{ name, message string }

func phases() []phase {
	return []phase{{"red", "test: sum more"}, {"green", "feat: sum more"}, {"refactoring", "refactor: turn the sum round"}}
}

// commits measures what the hooks add to a person's commits of red, green and refactoring
// in a project, in plain runs of its tests, which are timed before each cycle: a module is
// tested, written, and tidied.
func (b *bench) commits(ctx context.Context, p project) error {
	err := p.missing()
	if err == nil {
		err = b.cyclesOf(ctx, p)
	}
	if errors.Is(err, errLacks) {
		b.say("%-11s %v", p.name, err)
		return nil
	}
	return err
}

func (b *bench) cyclesOf(ctx context.Context, p project) error {
	dir := filepath.Join(b.dir, "commits", p.name)
	test, err := json.Marshal(p.Test)
	if err != nil {
		return err
	}
	p.files[".tdd.yaml"] = fmt.Sprintf("language: %s\nci: {test_cmd: %s, check_cmd: [], fmt_cmd: []}\n", p.Language, test)
	p.files[".gitignore"] = "node_modules\ntarget/\nbuild/\n.gradle/\n__pycache__/\nCargo.lock\n.phpunit.result.cache\n"
	if err := b.guarded(ctx, p, dir); err != nil {
		return err
	}
	side := checkout{project: p, dir: dir, environ: b.command(ctx, ".", "true").Env}
	var plain []cost
	took := map[string][]cost{}
	for cycle := range cycles {
		run, err := side.plain(ctx, cycle)
		if err != nil {
			return err
		}
		if err := b.do(ctx, dir, "git", "checkout", "-q", "--", "."); err != nil {
			return err
		}
		for _, ph := range phases() {
			if err := p.work(dir, ph.name, cycle); err != nil {
				return err
			}
			if err := b.do(ctx, dir, "git", "add", "-A"); err != nil {
				return err
			}
			c, err := costOf(func() error { return b.do(ctx, dir, "git", "commit", "-q", "-m", ph.message) })
			if err != nil {
				return fmt.Errorf("%s: %w", ph.name, err)
			}
			if cycle > 0 {
				took[ph.name] = append(took[ph.name], c)
			}
		}
		if cycle > 0 {
			plain = append(plain, run)
		}
	}
	line := fmt.Sprintf("%-11s plain runner %s", p.name, typical(plain, wall).Round(10*time.Millisecond))
	for _, ph := range phases() {
		all := took[ph.name]
		line += fmt.Sprintf("; %s %s, %.1f × (%.1f × of processor time)", ph.name, typical(all, wall).Round(10*time.Millisecond),
			float64(typical(all, wall))/float64(typical(plain, wall)), float64(typical(all, cpu))/float64(max(typical(plain, cpu), 1)))
	}
	b.say("%s", line)
	return nil
}

// guarded makes a repository of a project, with its settings approved and hooks in place.
func (b *bench) guarded(ctx context.Context, p project, dir string) error {
	for name, text := range p.files {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	if err := p.depend(dir); err != nil {
		return err
	}
	for _, argv := range [][]string{
		{"git", "init", "-q", "-b", "main"},
		{"git", "add", "-A"},
		{"git", "commit", "-q", "-m", "chore: start"},
		{b.binary, "trust"},
		{b.binary, "hooks", "install"},
	} {
		if err := b.do(ctx, dir, argv...); err != nil {
			return err
		}
	}
	return nil
}

// work writes what a phase of a cycle changes: the tests of one module more, its source, or
// that with the sum the other way round. Where a project lists its modules, more of one
// that is there is added to files.
func (p project) work(dir, phase string, cycle int) error {
	n := fmt.Sprint(modules + cycle)
	for name, text := range p.more {
		kind, name, listed := strings.Cut(name, ":")
		if !listed {
			kind, name = "green", kind
			if strings.Contains(strings.ToLower(name), "test") || strings.Contains(name, "spec") {
				kind = "red"
			}
		}
		name, text = strings.ReplaceAll(filepath.Join(dir, name), "§", n), strings.ReplaceAll(text, "§", n)
		switch {
		case kind == "green" && phase == "refactoring":
			was, err := os.ReadFile(name) //nolint:gosec // a file of ours
			if err != nil {
				return err
			}
			other := strings.NewReplacer("a + b", "b + a", "$a + $b", "$b + $a", "$1 + $2", "$2 + $1")
			if err := write(name, strings.Replace(string(was), text, other.Replace(text), 1)); err != nil {
				return err
			}
		case kind == phase:
			was, err := os.ReadFile(name) //nolint:gosec // a file of ours
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			if err := write(name, string(was)+text); err != nil {
				return err
			}
		}
	}
	return nil
}
