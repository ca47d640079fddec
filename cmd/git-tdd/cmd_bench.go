package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/matrix"
	"github.com/git-tdd/git-tdd/verify"
)

func (p *program) benchCommand() *cli.Command {
	return &cli.Command{
		Name: "bench", Usage: "compare models: each on each kata, several times", ArgsUsage: "MATRIX | --report DIR...",
		Description: "MATRIX is a YAML file that names katas, models and how many runs (docs/bench.md). Each run\n" +
			"has a new repository in a folder of its own, and is measured when it has ended: criteria,\n" +
			"hidden tests, commits that do not hold. What is complete is not run again, so an\n" +
			"interrupted bench goes on where it was. Exit 0: every run is complete; 3: one could not\n" +
			"be carried out.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Usage: "keep the runs in `DIR`", DefaultText: "MATRIX.results"},
			&cli.IntFlag{Name: "runs", Usage: "`N` runs of each model on each kata", DefaultText: "runs in MATRIX"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "`N` runs side by side", Value: 1},
			&cli.StringFlag{Name: "shard", Usage: "part `I/N` of the runs only"},
			&cli.BoolFlag{Name: "report", Usage: "run nothing: show what the named folders hold, together"},
			&cli.StringFlag{Name: "format", Usage: "print as `FORMAT`: text, json, html", Value: formatText},
		},
		Action: p.benchAction,
	}
}

func (p *program) benchAction(c *cli.Context) error {
	format, err := p.formatOf(c, []string{formatText, formatJSON, formatHTML})
	if err != nil {
		return err
	}
	if c.Bool("report") {
		return p.benchReport(c.Args().Slice(), format)
	}
	switch {
	case c.NArg() != 1:
		return &usageError{"bench takes one matrix file; docs/bench.md describes it"}
	case c.IsSet("runs") && c.Int("runs") < 1:
		return &usageError{"--runs takes a number from 1"}
	case c.Int("jobs") < 1:
		return &usageError{"--jobs takes a number from 1"}
	}
	file := p.at(c.Args().First())
	plan, err := matrix.Load(file, c.Int("runs"), bundledRecording)
	if _, settings := errors.AsType[*config.Error](err); err != nil && !settings {
		err = &usageError{err.Error()}
	}
	if err != nil {
		return err
	}
	runs := plan.Runs
	if c.IsSet("shard") {
		shard, err := verify.ParseShard(c.String("shard"))
		if err != nil {
			return &usageError{err.Error()}
		}
		runs = plan.Shard(shard.Number, shard.Of)
	}
	dir := strings.TrimSuffix(file, filepath.Ext(file)) + ".results"
	if c.IsSet("dir") {
		dir = p.at(c.String("dir"))
	}
	b := &bench{p: p, store: matrix.Store{Root: dir}, hidden: plan.Hidden}
	return b.all(c.Context, runs, c.Int("jobs"), format)
}

func (p *program) benchReport(dirs []string, format string) error {
	if len(dirs) == 0 {
		return &usageError{"--report takes the folders of results"}
	}
	for i := range dirs {
		dirs[i] = p.at(dirs[i])
	}
	results, err := matrix.Collect(dirs...)
	if err != nil {
		return &usageError{err.Error()}
	}
	return p.showBench(matrix.Sums(results), format)
}

// bench carries out the runs of a matrix.
type bench struct {
	p      *program
	store  matrix.Store
	hidden []string // folders that nothing of a run may see

	mu      sync.Mutex // of what follows, and of the terminal
	results []matrix.Result
	failed  []string // runs that could not be carried out
}

// all carries out what is not complete, and shows everything.
func (b *bench) all(ctx context.Context, runs []matrix.Run, jobs int, format string) error {
	left, err := b.left(runs)
	if err != nil {
		return err
	}
	if done := len(runs) - len(left); done > 0 {
		b.p.err.printf("complete already: %d of %s\n", done, count(len(runs), "run"))
	}
	var workers sync.WaitGroup
	next := make(chan matrix.Run)
	for range min(jobs, len(left)) {
		workers.Go(func() {
			for run := range next {
				b.take(ctx, run)
			}
		})
	}
	for _, run := range left {
		if ctx.Err() == nil {
			next <- run
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		b.p.err.printf("complete: %d of %s; the same command goes on\n", len(b.complete()), count(len(runs), "run"))
		return ctx.Err()
	}
	if err := b.p.showBench(matrix.Sums(b.results), format); err != nil {
		return err
	}
	if missing := len(runs) - len(b.complete()); missing > 0 {
		return &unjudgedError{fmt.Sprintf("%d of %s not complete: %s; the same command begins them again", missing, count(len(runs), "run"), strings.Join(b.failed, ", "))}
	}
	return nil
}

// left lists the runs that are not complete. All settings are read before the first of them begins.
func (b *bench) left(runs []matrix.Run) ([]matrix.Run, error) {
	var out []matrix.Run
	for _, run := range runs {
		if _, err := newBenchRun(run); err != nil {
			return nil, err
		}
		result, ok, err := b.store.Find(run)
		switch {
		case errors.Is(err, matrix.ErrChanged):
			return nil, &usageError{err.Error() + "; name another folder with --dir, or remove " + b.store.Dir(run)}
		case err != nil:
			return nil, &usageError{err.Error()}
		case ok:
			b.results = append(b.results, result)
		default:
			out = append(out, run)
		}
	}
	return out, nil
}

func (b *bench) complete() (out []matrix.Result) {
	for _, r := range b.results {
		if r.Complete() {
			out = append(out, r)
		}
	}
	return out
}

// take carries out one run and tells how it ended.
func (b *bench) take(ctx context.Context, run matrix.Run) {
	b.mu.Lock()
	b.p.err.printf("%s begins\n", run.Name())
	b.mu.Unlock()
	result, err := b.one(ctx, run)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		b.p.err.printf("%s was interrupted\n", run.Name())
	case err != nil:
		b.failed = append(b.failed, run.Name())
		b.p.err.printf("%s %s: %v\n", b.p.err.paint(red, "✗"), run.Name(), err)
	default:
		b.results = append(b.results, result)
		sign := b.p.err.paint(green, "✓")
		if !result.Complete() {
			b.failed = append(b.failed, run.Name())
			sign = b.p.err.paint(red, "✗")
		}
		b.p.err.printf("%s %s  %s\n", sign, run.Name(), firstLine(result.Reason+": "+result.Text))
	}
}

// one carries out a run in its folder, and keeps the result.
func (b *bench) one(ctx context.Context, run matrix.Run) (result matrix.Result, err error) {
	claim, err := b.store.Begin(run)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	r, err := newBenchRun(run)
	if err != nil {
		return result, err
	}
	if result, err = r.carryOut(ctx, claim.Dir, append([]string{b.store.Root}, b.hidden...), b.p.environ); err != nil {
		return result, err
	}
	return result, claim.Keep(result)
}

// showBench prints results.
func (p *program) showBench(r matrix.Report, format string) error {
	switch format {
	case formatHTML:
		return matrix.WritePage(p.out.w, r)
	case formatJSON:
		return p.json(r)
	}
	for i, rows := range matrix.Texts(r) {
		if i > 0 {
			p.out.printf("\n")
		}
		p.columnsOut(rows)
	}
	return nil
}

// columnsOut prints rows in columns, of which empty ones are left out. The first row is the heading.
func (p *program) columnsOut(rows [][]string) {
	widths := make([]int, len(rows[0])) // 0 for a column that holds no more than its heading
	for n, row := range rows {
		for i := range row {
			if row[i] = clean.Text(row[i]); n > 0 && row[i] != "" {
				widths[i] = max(widths[i], columns(row[i]), columns(rows[0][i]))
			}
		}
	}
	for n, row := range rows {
		line, gap := "", 0
		for i, text := range row {
			if widths[i] > 0 {
				line += pad("", gap) + text
				gap = widths[i] - columns(text) + 2
			}
		}
		shown := painted(cut(line, p.out.width()))
		if n == 0 {
			shown = p.out.paint(dim, string(shown))
		}
		p.out.printf("%s\n", shown)
	}
}

// bundledRecording is the recording that comes with a kata.
func bundledRecording(kata, language string) ([]byte, error) {
	data, err := recordings.ReadFile("demo/" + kata + "." + language + ".json")
	if err != nil {
		return nil, fmt.Errorf("none comes with the kata %s in the language %s; there are those of string-calculator in go and rust", quote(kata), quote(language))
	}
	return data, nil
}
