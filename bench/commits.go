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
	side := checkout{project: p, dir: filepath.Join(b.dir, "commits", p.name), environ: b.command(ctx, ".", "true").Env}
	if err := b.guarded(ctx, side); err != nil {
		return err
	}
	took := map[string][]cost{}
	for cycle := range cycles {
		run, err := side.plain(ctx, cycle)
		if err != nil {
			return err
		}
		if err := b.do(ctx, side.dir, "git", "checkout", "-q", "--", "."); err != nil {
			return err
		}
		took[""] = append(took[""], run)
		for _, ph := range phases() {
			c, err := b.commit(ctx, side, ph, cycle)
			if err != nil {
				return fmt.Errorf("%s: %w", ph.name, err)
			}
			took[ph.name] = append(took[ph.name], c)
		}
	}
	plain := took[""][1:]
	line := []string{fmt.Sprintf("%-11s plain runner %s", p.name, typical(plain, wall).Round(10*time.Millisecond))}
	for _, ph := range phases() {
		all := took[ph.name][1:]
		line = append(line, fmt.Sprintf("%s %s, %.1f × (%.1f × of processor time)", ph.name, typical(all, wall).Round(10*time.Millisecond),
			float64(typical(all, wall))/float64(typical(plain, wall)), float64(typical(all, cpu))/float64(max(typical(plain, cpu), 1))))
	}
	b.say("%s", strings.Join(line, "; "))
	return nil
}

// commit does the work of a phase and commits it, which is timed.
func (b *bench) commit(ctx context.Context, side checkout, ph phase, cycle int) (cost, error) {
	if err := side.work(side.dir, ph.name, cycle); err != nil {
		return cost{}, err
	}
	if err := b.do(ctx, side.dir, "git", "add", "-A"); err != nil {
		return cost{}, err
	}
	return b.process(ctx, side.dir, "git", "commit", "-q", "-m", ph.message)()
}

// guarded makes a repository of a project, with its settings approved and hooks in place.
func (b *bench) guarded(ctx context.Context, side checkout) error {
	test, err := json.Marshal(side.Test)
	if err != nil {
		return err
	}
	side.files[".tdd.yaml"] = fmt.Sprintf("language: %s\nci: {test_cmd: %s, check_cmd: [], fmt_cmd: []}\n", side.Language, test)
	side.files[".gitignore"] = "node_modules\ntarget/\nbuild/\n.gradle/\n__pycache__/\nCargo.lock\n.phpunit.result.cache\n"
	if err := side.put(side.dir); err != nil {
		return err
	}
	for _, argv := range [][]string{
		{"git", "init", "-q", "-b", "main"},
		{"git", "add", "-A"},
		{"git", "commit", "-q", "-m", "chore: start"},
		{b.binary, "trust"},
		{b.binary, "hooks", "install"},
	} {
		if err := b.do(ctx, side.dir, argv...); err != nil {
			return err
		}
	}
	return nil
}

// work writes what a phase of a cycle changes: the tests of one module more, its source, or
// that with the sum the other way round. Where a project lists its modules, more of one
// that is there is added to files.
func (p project) work(dir, phase string, cycle int) error {
	numbered := strings.NewReplacer("§", fmt.Sprint(p.modules+cycle))
	for name, text := range p.more {
		kind, name := written(name)
		if kind != phase && (kind != "green" || phase != "refactoring") {
			continue
		}
		name, text = filepath.Join(dir, numbered.Replace(name)), numbered.Replace(text)
		was, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		now := string(was) + text
		if kind != phase {
			now = strings.Replace(string(was), text, strings.NewReplacer("a + b", "b + a", "$a + $b", "$b + $a", "$1 + $2", "$2 + $1").Replace(text), 1)
		}
		if err := write(name, now); err != nil {
			return err
		}
	}
	return nil
}

// written is the phase in which a file of a project is written.
func written(name string) (phase, path string) {
	if phase, path, listed := strings.Cut(name, ":"); listed {
		return phase, path
	}
	if strings.Contains(strings.ToLower(name), "test") || strings.Contains(name, "spec") {
		return "red", name
	}
	return "green", name
}
