package models

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

// readEvents adds up what docs/events.md describes.
func (r *running) readEvents() error {
	r.result.Reason, r.result.Text = string(loop.Taken), "as many steps as a run may have"
	text, err := os.ReadFile(filepath.Join(r.top, ".tdd", "events.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the events of a run: %w", err)
	}
	for line := range bytes.Lines(text) {
		var e loop.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("read the events of a run: %w", err)
		}
		r.add(e)
	}
	r.result.Attempts += r.result.Steps
	return r.readLogs()
}

// add adds up one event.
func (r *running) add(e loop.Event) {
	switch e.Kind {
	case loop.EventAccepted:
		r.result.Steps++
	case loop.EventRefused:
		r.result.Attempts++
		for _, gate := range report.Gates(e.Findings) {
			r.result.Refusals[gate]++
		}
	case loop.EventStopped:
		r.result.Reason, r.result.Text = string(e.Reason), e.Text
		if e.Reason == "" {
			r.result.Reason = "error"
		}
	case loop.EventAnswer:
		used := Role{Name: string(e.Role), Requests: 1, In: e.In, Cached: e.Cached, Out: e.Out, Cost: e.Cost, Seconds: e.Seconds}
		i := slices.IndexFunc(r.result.Roles, func(known Role) bool { return known.Name == used.Name })
		if i < 0 {
			r.result.Roles = append(r.result.Roles, used)
			return
		}
		r.result.Roles[i] = r.result.Roles[i].plus(used)
	case loop.EventDoing, loop.EventReviewed, loop.EventPlanned, loop.EventDisputed:
	}
}

// readLogs takes from the logs of the steps how what the model wrote was contained,
// and whose tokens are estimated.
func (r *running) readLogs() error {
	logs, err := filepath.Glob(filepath.Join(r.top, ".tdd", "logs", "*.json"))
	for _, name := range logs {
		var log struct {
			Role      string `json:"role"`
			Contained string `json:"contained"`
			Estimated bool   `json:"tokens_estimated"`
		}
		text, unread := os.ReadFile(name)
		if err := errors.Join(unread, json.Unmarshal(text, &log)); err != nil {
			return fmt.Errorf("read the log of a step: %w", err)
		}
		r.result.Walls = log.Contained
		for i := range r.result.Roles {
			role := &r.result.Roles[i]
			role.Estimated = role.Estimated || role.Name == log.Role && log.Estimated
		}
	}
	return err
}

// measure says what came of the steps: by what is measured of the last tree, and
// of the whole history anew.
func (r *running) measure(ctx context.Context) (err error) {
	if r.result.Head, err = r.do(ctx, "git", "rev-parse", "HEAD"); err != nil {
		return err
	}
	var now struct {
		Facts gates.Facts `json:"facts"`
	}
	if err := r.ask(r.command(ctx, "git-tdd", "facts", "--json"), &now); err != nil {
		return err
	}
	var status struct {
		Criteria []check.Criterion `json:"criteria"`
	}
	if err := r.ask(r.command(ctx, "git-tdd", "status", "--json", "--full"), &status); err != nil {
		return err
	}
	for _, c := range status.Criteria {
		if r.result.Criteria.All++; c.State == check.Passing {
			r.result.Criteria.Met++
		}
	}
	if len(r.Material.Hidden) > 0 {
		if r.result.Hidden, err = r.hiddenTests(ctx); err != nil {
			return err
		}
	}
	return r.verify(ctx)
}

// hiddenTests lays the hidden tests over the tree, in the place of the run's own,
// and has that tree measured, which no commit has.
func (r *running) hiddenTests(ctx context.Context) (*Hidden, error) {
	var listed struct {
		Files []struct {
			Path string     `json:"path"`
			Kind gates.Kind `json:"kind"`
		} `json:"files"`
	}
	if err := r.ask(r.command(ctx, "git-tdd", "facts", "--files", "--json"), &listed); err != nil {
		return nil, err
	}
	hidden := map[string]bool{}
	for _, f := range r.Material.Hidden {
		hidden[f.Path] = true
	}
	var entries bytes.Buffer
	for _, f := range listed.Files {
		if f.Kind == gates.KindTest && !hidden[f.Path] {
			fmt.Fprintf(&entries, "0 %s\t%s\x00", strings.Repeat("0", len(r.result.Head)), f.Path)
		}
	}
	for _, f := range r.Material.Hidden {
		hash := r.command(ctx, "git", "hash-object", "-w", "--stdin", "--no-filters")
		hash.Stdin = bytes.NewReader(f.Content)
		id, err := hash.Output()
		if err != nil {
			return nil, fmt.Errorf("write the hidden tests: %w", err)
		}
		fmt.Fprintf(&entries, "100644 %s\t%s\x00", bytes.TrimSpace(id), f.Path)
	}
	tree, err := r.overlaid(ctx, entries)
	if err != nil {
		return nil, err
	}
	var shown struct {
		Facts gates.Facts `json:"facts"`
	}
	cmd := r.command(ctx, "git-tdd", "facts", "--json", tree)
	cmd.Stderr = nil // no log holds anything of them
	if err := r.ask(cmd, &shown); err != nil {
		return nil, err
	}
	return hiddenResult(shown.Facts, hidden), nil
}

// overlaid is the tree of HEAD with changed entries.
func (r *running) overlaid(ctx context.Context, entries bytes.Buffer) (tree string, err error) {
	index := filepath.Join(r.dir, "index")
	defer func() { err = errors.Join(err, os.Remove(index)) }()
	for _, argv := range [][]string{{"git", "read-tree", "HEAD"}, {"git", "update-index", "-z", "--index-info"}, {"git", "write-tree"}} {
		cmd := r.command(ctx, argv...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
		cmd.Stdin = &entries
		if argv[1] != "update-index" {
			cmd.Stdin = nil
		}
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
		}
		tree = strings.TrimSpace(string(out))
	}
	return tree, nil
}

// hiddenResult counts the tests of the hidden files. Where a runner does not say
// in which file a test is, all of its tests are taken for hidden: the run's
// own are gone, but for those inside sources.
func hiddenResult(f gates.Facts, hidden map[string]bool) *Hidden {
	out := &Hidden{Outcome: string(f.Outcome)}
	for _, t := range f.Tests {
		switch {
		case t.File != "" && !hidden[t.File]:
		case t.Status == gates.StatusPassed:
			out.Passed++
		default:
			out.Failed++
			out.Failing = append(out.Failing, t.ID+": "+gates.Gist(t.Message))
		}
	}
	if out.Passed+out.Failed == 0 && len(f.Diagnostics) > 0 {
		out.Why, _, _ = strings.Cut(f.Diagnostics[0].Message, "\n")
	}
	return out
}

// verify judges every commit of the run anew: nothing on record counts, and
// nothing of what a trailer says.
func (r *running) verify(ctx context.Context) error {
	if r.result.Steps == 0 {
		return nil
	}
	var proven verify.Report
	if err := r.ask(r.command(ctx, "git-tdd", "verify", "--fresh", "--format", "json"), &proven); err != nil {
		return err
	}
	v := &r.result.Verified
	v.Held, v.Refused, v.Unjudged = proven.Count(verify.Held), proven.Count(verify.Refused), proven.Count(verify.Unjudged)
	for _, proof := range proven.Commits {
		if proof.Verdict != verify.Held {
			v.Why = append(v.Why, proof.Commit.Short()+" "+proof.Subject+": "+strings.Join(slices.Concat([]string{string(proof.Verdict)}, gates.Tell(proof.Findings)), "; "))
		}
	}
	return nil
}
