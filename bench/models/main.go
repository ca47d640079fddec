package models

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/verify"
)

const usage = `usage: bench models [flags] MATRIX
       bench models -report [flags] DIR...

Compares models: each on each kata, several times (docs/bench.md). What is complete
is not run again, so an interrupted comparison goes on where it was. Exit 0: every
run is complete; 2: usage; 3: one could not be carried out.
`

// usageError is a command line or a file that is wrong.
type usageError struct{ error }

// options are the flags.
type options struct {
	dir, shard, format string
	runs, jobs         int
	report             bool
	args               []string
}

// Main carries out a command line and returns the exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	const wrong, unjudged, interrupted = 2, 3, 130
	err := start(ctx, args, stdout, stderr)
	_, usage := errors.AsType[usageError](err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case ctx.Err() != nil:
		return interrupted
	case err == nil:
		return 0
	}
	_, _ = fmt.Fprintln(stderr, "bench models:", clean.Text(err.Error()))
	if usage {
		return wrong
	}
	return unjudged
}

func start(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.report {
		results, err := Collect(o.args...)
		if err != nil {
			return usageError{err}
		}
		return show(stdout, Sums(results), o.format)
	}
	plan, err := Load(o.args[0], o.runs)
	if err != nil {
		return usageError{err}
	}
	runs := plan.Runs
	if o.shard != "" {
		shard, err := verify.ParseShard(o.shard)
		if err != nil {
			return usageError{err}
		}
		runs = plan.Shard(shard.Number, shard.Of)
	}
	if o.dir == "" {
		o.dir = strings.TrimSuffix(o.args[0], filepath.Ext(o.args[0])) + ".results"
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return usageError{err}
	}
	c := &comparison{store: Store{Root: o.dir}, hidden: plan.Hidden, out: stdout, err: stderr}
	return c.all(ctx, runs, o)
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench models", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		f.PrintDefaults()
	}
	f.StringVar(&o.dir, "dir", "", "keep the runs in `DIR` (default MATRIX.results)")
	f.IntVar(&o.runs, "runs", 0, "`N` runs of each model on each kata (default: runs in MATRIX)")
	f.IntVar(&o.jobs, "jobs", 1, "`N` runs side by side")
	f.StringVar(&o.shard, "shard", "", "part `I/N` of the runs only")
	f.BoolVar(&o.report, "report", false, "run nothing: show what the named folders hold, together")
	f.StringVar(&o.format, "format", "text", "print as `FORMAT`: text, json, html")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, usageError{err}
	}
	o.args = f.Args()
	switch {
	case o.report && f.NArg() == 0:
		err = errors.New("-report takes the folders of results")
	case !o.report && f.NArg() != 1:
		err = errors.New("it takes one matrix file; docs/bench.md describes it")
	case o.runs < 0 || o.jobs < 1:
		err = errors.New("-runs and -jobs take a number from 1")
	case o.format != "text" && o.format != "json" && o.format != "html":
		err = errors.New("-format takes text, json or html")
	}
	if err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// comparison carries out the runs of a matrix.
type comparison struct {
	store    Store
	hidden   []string // folders that nothing of a run may see
	out, err io.Writer

	mu      sync.Mutex // of what follows, and of the writers
	results []Result
	failed  []string // runs that could not be carried out
}

func (c *comparison) say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintln(c.err, clean.Text(fmt.Sprintf(format, args...)))
}

// all carries out what is not complete, and shows everything.
func (c *comparison) all(ctx context.Context, runs []Run, o options) error {
	left, err := c.left(runs)
	if err != nil {
		return err
	}
	if done := len(runs) - len(left); done > 0 {
		c.say("complete already: %d of %d runs", done, len(runs))
	}
	var workers sync.WaitGroup
	next := make(chan Run)
	for range min(o.jobs, len(left)) {
		workers.Go(func() {
			for run := range next {
				c.take(ctx, run)
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
		c.say("complete: %d of %d runs; the same command goes on", c.complete(), len(runs))
		return ctx.Err()
	}
	if err := show(c.out, Sums(c.results), o.format); err != nil {
		return err
	}
	if missing := len(runs) - c.complete(); missing > 0 {
		return fmt.Errorf("%d of %d runs not complete: %s; the same command begins them again", missing, len(runs), strings.Join(c.failed, ", "))
	}
	return nil
}

// left lists the runs that are not complete. All settings are read before the first of them begins.
func (c *comparison) left(runs []Run) ([]Run, error) {
	var out []Run
	for _, run := range runs {
		if _, err := prepared(run); err != nil {
			return nil, usageError{err}
		}
		result, ok, err := c.store.Find(run)
		switch {
		case errors.Is(err, ErrChanged):
			return nil, usageError{fmt.Errorf("%w; name another folder with -dir, or remove %s", err, c.store.Dir(run))}
		case err != nil:
			return nil, usageError{err}
		case ok:
			c.results = append(c.results, result)
		default:
			out = append(out, run)
		}
	}
	return out, nil
}

func (c *comparison) complete() (n int) {
	for _, r := range c.results {
		if r.Complete() {
			n++
		}
	}
	return n
}

// take carries out one run and tells how it ended.
func (c *comparison) take(ctx context.Context, run Run) {
	c.say("%s begins", run.Name())
	result, err := c.one(ctx, run)
	text := fmt.Sprintf("%s: %v", run.Name(), err)
	c.mu.Lock()
	switch {
	case ctx.Err() != nil:
		text = run.Name() + " was interrupted"
	case err != nil:
		c.failed = append(c.failed, run.Name())
	default:
		first, _, _ := strings.Cut(result.Text, "\n")
		text = run.Name() + "  " + result.Reason + ": " + first
		if c.results = append(c.results, result); !result.Complete() {
			c.failed = append(c.failed, run.Name())
		}
	}
	c.mu.Unlock()
	c.say("%s", text)
}

// one carries out a run in its folder, and keeps the result.
func (c *comparison) one(ctx context.Context, run Run) (result Result, err error) {
	claim, err := c.store.Begin(run)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	r, err := prepared(run)
	if err != nil {
		return result, err
	}
	if result, err = r.carryOut(ctx, claim.Dir, append([]string{c.store.Root}, c.hidden...)); err != nil {
		return result, err
	}
	return result, claim.Keep(result)
}

// show prints results.
func show(out io.Writer, r Report, format string) error {
	switch format {
	case "html":
		return WritePage(out, r)
	case "json":
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	for i, rows := range Texts(r) {
		if i > 0 {
			_, _ = fmt.Fprintln(out)
		}
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			for i := range row {
				row[i] = clean.Text(row[i])
			}
			_, _ = fmt.Fprintln(t, strings.Join(row, "\t"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
