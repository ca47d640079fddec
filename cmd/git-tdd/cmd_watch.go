package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/loop"
)

// How often a watcher looks for events, and in how many looks for working trees.
const (
	lookEvery  = time.Second / 4
	treesEvery = 8
)

func (p *program) watchCommand() *cli.Command {
	return &cli.Command{
		Name: "watch", Usage: "follow the steps in all working trees, from another terminal",
		Description: "Steps, attempts, refusals, tokens and time, as they happen, until it is interrupted.\n" +
			"It reads .tdd/events.jsonl of each working tree, and changes nothing.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "say where each working tree stands, and end"},
			&cli.BoolFlag{Name: "json", Usage: "print the events, one a line, with the working tree of each"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return &usageError{"watch takes no argument " + quote(c.Args().First())}
			}
			repo, err := p.open(c.Context)
			if err != nil {
				return err
			}
			w := &watcher{p: p, repo: repo, json: c.Bool("json"), trees: map[string]*watched{}}
			if err := w.findTrees(c.Context); err != nil || c.Bool("once") {
				return errors.Join(err, w.look())
			}
			return w.run(c.Context)
		},
	}
}

// watcher follows the working trees of a repository.
type watcher struct {
	p     *program
	repo  *gitx.Repo
	json  bool
	order []string
	trees map[string]*watched
}

// watched is a working tree that is followed.
type watched struct {
	name   string
	repo   *gitx.Repo
	stream loop.Stream
	tally
}

// tally adds up the events of the latest run.
type tally struct {
	last     loop.Event
	began    time.Time
	steps    int
	refused  int
	in, out  int
	cached   int
	cost     float64
	watching bool // its past has been told
}

// add takes an event into account.
func (t *tally) add(e loop.Event) {
	if e.Run != t.last.Run {
		*t = tally{began: e.Time, watching: t.watching}
	}
	t.last = e
	switch e.Kind {
	case loop.EventAnswer:
		t.in, t.out, t.cached, t.cost = t.in+e.In, t.out+e.Out, t.cached+e.Cached, t.cost+e.Cost
	case loop.EventRefused:
		t.refused++
	case loop.EventAccepted:
		t.steps++
	case loop.EventDoing, loop.EventReviewed, loop.EventPlanned, loop.EventDisputed, loop.EventStopped:
	}
}

// run looks until it is interrupted.
func (w *watcher) run(ctx context.Context) error {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for n := 0; ; n++ {
		if n%treesEvery == 0 {
			if err := w.findTrees(ctx); err != nil {
				return err
			}
		}
		if err := w.look(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-every.C:
		}
	}
}

// findTrees takes in new working trees. One that is gone says nothing any more.
func (w *watcher) findTrees(ctx context.Context) error {
	trees, err := w.repo.WorkingTrees(ctx)
	if err != nil {
		return err
	}
	for _, found := range trees {
		if w.trees[found.Dir] != nil {
			continue
		}
		repo, err := gitx.Open(ctx, gitx.Options{Dir: found.Dir, Environ: w.p.environ})
		if err != nil {
			return fmt.Errorf("open the working tree %s: %w", found.Dir, err)
		}
		w.p.later = append(w.p.later, repo.Close)
		w.trees[found.Dir] = &watched{name: filepath.Base(found.Dir), repo: repo, stream: loop.Stream{Top: found.Dir}}
		w.order = append(w.order, found.Dir)
	}
	return nil
}

// look tells what has happened since the last look.
func (w *watcher) look() error {
	var busy []string
	for _, dir := range w.order {
		t := w.trees[dir]
		if err := w.follow(t); err != nil {
			return err
		}
		if t.last.Kind != "" && t.last.Kind != loop.EventStopped && t.repo.Holder() != "" {
			busy = append(busy, t.doing())
		}
	}
	switch live := strings.Join(busy, " | "); {
	case w.json || !w.p.err.live:
	case live == "":
		w.p.err.quiet()
	default:
		w.p.err.status(live)
	}
	return nil
}

// follow tells the events of one working tree; its past in one line.
func (w *watcher) follow(t *watched) error {
	for {
		events, err := t.stream.Next()
		if err != nil {
			return err
		}
		for _, e := range events {
			t.add(e)
			if err := w.tell(t, e); err != nil {
				return err
			}
		}
		if len(events) == 0 {
			break
		}
	}
	if !t.watching && !w.json {
		w.p.out.printf("%s\n", t.standing())
	}
	t.watching = true
	return nil
}

// tell prints one event.
func (w *watcher) tell(t *watched, e loop.Event) error {
	if w.json {
		line, err := json.Marshal(struct {
			Worktree string `json:"worktree"`
			loop.Event
		}{t.stream.Top, e})
		w.p.out.printf("%s\n", line)
		return err
	}
	if !t.watching {
		return nil
	}
	say := func(style, sign, text string) {
		front := e.Time.Local().Format(time.TimeOnly) + "  " + clean.Text(t.name) + "  "
		w.p.out.printf("%s%s %s\n", front, w.p.out.paint(style, sign), w.p.out.folded(text, columns(front)+2))
	}
	switch e.Kind {
	case loop.EventRefused:
		say(red, "✗", fmt.Sprintf("step %d  %s  attempt %d refused: %s", e.Step, e.Role, e.Attempt, strings.Join(e.Findings, "; ")))
	case loop.EventAccepted:
		say(green, "✓", fmt.Sprintf("step %d  %s  %s · %s · %s · %s%s · %s", e.Step, e.Phase, e.Subject, e.Tests,
			count(e.Attempt, "attempt"), tokensOf(e.In, e.Out, e.Cached), costOf(e.Cost), seconds(e.Seconds)))
	case loop.EventPlanned:
		say(dim, "…", fmt.Sprintf("step %d  %s by %s", e.Step, e.Subject, e.Model))
	case loop.EventReviewed:
		say(dim, "…", fmt.Sprintf("step %d  review: %s by %s", e.Step, e.What, e.Model))
	case loop.EventDisputed:
		say(yellow, "!", fmt.Sprintf("step %d  %s  %s", e.Step, e.Role, e.Text))
	case loop.EventStopped:
		say(yellow, "■", t.ended())
	case loop.EventDoing, loop.EventAnswer:
		if !w.p.err.live && e.Kind == loop.EventAnswer {
			say(dim, "…", fmt.Sprintf("step %d  %s  attempt %d  %s  %s · %s", e.Step, e.Role, e.Attempt, e.What, tokensOf(e.In, e.Out, e.Cached), seconds(e.Seconds)))
		}
	}
	return nil
}

// doing says what is being done.
func (t *watched) doing() string {
	text := fmt.Sprintf("%s  step %d  %s", t.name, t.last.Step, t.last.Role)
	if t.last.Attempt > 0 {
		text += fmt.Sprintf("  attempt %d", t.last.Attempt)
	}
	return text + "  " + t.last.What
}

// ended says how a run ended and what it came to.
func (t *watched) ended() string {
	first, _, _ := strings.Cut(t.last.Text, "\n")
	if t.last.Reason != "" {
		first = string(t.last.Reason) + ": " + first
	}
	return first + " · " + t.sum()
}

// sum is what the run came to.
func (t *tally) sum() string {
	return fmt.Sprintf("%s, %d refused · %s%s · %s", count(t.steps, "step"), t.refused, tokensOf(t.in, t.out, t.cached), costOf(t.cost), seconds(t.last.Time.Sub(t.began).Seconds()))
}

// standing says where a working tree stands.
func (t *watched) standing() string {
	switch {
	case t.last.Kind == "":
		return t.name + "  no steps were taken here"
	case t.last.Kind == loop.EventStopped:
		return t.name + "  ended  " + t.ended()
	case t.repo.Holder() == "":
		return t.doing() + "  was cut off · " + t.sum()
	}
	return t.doing() + " · " + t.sum()
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
}
