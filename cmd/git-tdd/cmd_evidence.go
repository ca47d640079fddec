package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/prove"
)

// proving says what to prove and how.
type proving struct {
	revisions string
	staged    bool
	each      bool
	jobs      int // how many trees at a time; 0 for as many as there are processors, two at most
	format    string
	how       prove.Options
	fresh     check.Fresh
}

func (p *program) evidenceCommand() *cli.Command {
	return &cli.Command{
		Name: "evidence", Usage: "say what the tests of any change are worth", ArgsUsage: "[BASE..HEAD | REV]", Before: p.inAnyRepo,
		Description: "The tests of the change are put under the sources of before, and run: does one\n" +
			"fail there, for a right reason, and pass with the change? By default the change is\n" +
			"what this branch adds to the one that it is made for. No .tdd.yaml, hooks or\n" +
			"trailers are needed, and nothing is written to working tree, index or stash.\n" +
			"Verdicts: proven; proven, with gaps; pinned down; refactoring; withdrawn; unproven;\n" +
			"refuted; not judged.\n" +
			"A suite of up to two minutes is measured in full, with 15 to 60 seconds for small\n" +
			"errors; one that takes longer, and with --each, quickly.\n" +
			"Exit 0: the verdict holds; 1: unproven or refuted; 2: there is no such change;\n" +
			"3: something could not be measured.",
		Flags: append(formatFlags(),
			&cli.BoolFlag{Name: "staged", Usage: "prove what is staged"},
			&cli.BoolFlag{Name: "each", Usage: "prove each commit of the range by itself, a red together with its green"},
			&cli.BoolFlag{Name: "quick", Usage: "do not measure what each test notices"},
			&cli.BoolFlag{Name: "full", Usage: "measure also what each test notices: other expected values, small errors in the change"},
			&cli.DurationFlag{Name: "budget", Usage: "--full, but try small errors for `TIME` at most (2m)"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "measure `N` trees at a time (2, if there are as many processors)"},
			&cli.BoolFlag{Name: "fresh", Usage: "measure every tree anew, whatever is on record"},
		),
		Action: p.evidenceAction,
	}
}

func (p *program) evidenceAction(c *cli.Context) error {
	format, err := p.formatOf(c)
	if err != nil {
		return err
	}
	what := proving{
		revisions: c.Args().First(), staged: c.Bool("staged"), each: c.Bool("each"), format: format, jobs: c.Int("jobs"), fresh: freshOf(c),
		how: prove.Options{Budget: c.Duration("budget")},
	}
	switch full := c.Bool("full") || c.IsSet("budget"); {
	case full && c.Bool("quick"):
		return usage("--quick tries no small errors; leave it out, or --full and --budget")
	case full:
		what.how.Tier = prove.Full
	case what.each || c.Bool("quick"):
		what.how.Tier = prove.Quick
	}
	switch {
	case what.staged && (c.NArg() > 0 || what.each):
		return usage("--staged is a change of its own: it takes no revision, and no --each")
	case what.jobs < 0:
		return usage("--jobs takes a number of trees, as in 2")
	case c.IsSet("budget") && what.how.Budget <= 0:
		return usage("--budget takes a time, as in 90s or 2m")
	}
	return p.evidence(c.Context, what)
}

// evidence proves changes and reports what it found.
func (p *program) evidence(ctx context.Context, what proving) error {
	changes, err := what.find(ctx, p.repo)
	if err != nil {
		return err
	}
	p.environ = disciplineOnly(p.environ)
	side := &checkers{p: p, what: what, all: len(changes)}
	p.later = append(p.later, side.close)
	var reports []prove.Report
	for _, change := range changes {
		how, err := side.of(ctx, change)
		if err != nil {
			return err
		}
		r, err := prove.Change(ctx, how, change)
		if err != nil && (len(changes) == 1 || !errors.Is(err, prove.ErrChange)) {
			return p.inHistory(ctx, err)
		}
		if err == nil {
			reports = prove.Answered(append(reports, r))
		}
		side.done++
	}
	p.err.quiet()
	if len(reports) == 0 {
		return usage("no commit of this range changes tests or code; name another range, as in main..topic")
	}
	if err := p.showEvidence(ctx, reports, what); err != nil {
		return err
	}
	switch worst := prove.Worst(reports); {
	case worst == prove.NotJudged:
		return unjudged("the change could not be judged")
	case !worst.Holds():
		return refused("")
	}
	return nil
}

// checkers measure side by side, for one change after the other. Those of changes for
// which the same settings are found are the same.
type checkers struct {
	p    *program
	what proving
	all  int // changes
	done int
	text string // the settings that are found; empty if they are written down
	open []*check.Checker
}

func (s *checkers) of(ctx context.Context, change prove.Changed) (prove.Options, error) {
	how := s.what.how
	text, permit, err := s.p.foundFor(ctx, change)
	if err != nil {
		return how, err
	}
	if s.open == nil || s.text != string(text) {
		if err := s.close(); err != nil {
			return how, err
		}
		o := check.Options{
			Fresh: s.what.fresh, Author: check.Somebody, TestsOnly: true, Once: true, Shared: &check.Shared{}, Permit: permit,
			Observer: facts.Observer{Phase: s.waiting},
		}
		if text != nil {
			o.Adopt = func(context.Context, gitx.ID) ([]byte, error) { return text, nil }
		}
		for range cmp.Or(s.what.jobs, min(2, runtime.NumCPU())) {
			s.open = append(s.open, s.p.checker(o))
		}
		s.text = string(text)
	}
	how.Checker, how.Beside = s.open[0], s.open[1:]
	return how, nil
}

// waiting says what is measured, and how far all is.
func (s *checkers) waiting(d facts.Doing) {
	what := "the change"
	if s.all > 1 {
		what = fmt.Sprintf("%s (%d done)", gates.Count(s.all, "change"), s.done)
	}
	s.p.waiting(what).Phase(d)
}

func (s *checkers) close() (err error) {
	for _, c := range s.open {
		err = errors.Join(err, c.Close())
	}
	s.open = nil
	return err
}

// find finds the changes that are asked for.
func (w proving) find(ctx context.Context, repo *gitx.Repo) ([]prove.Changed, error) {
	switch {
	case w.staged:
		c, err := prove.Staged(ctx, repo)
		return []prove.Changed{c}, err
	case w.each:
		return prove.Each(ctx, repo, w.revisions)
	}
	c, err := prove.Find(ctx, repo, w.revisions)
	return []prove.Changed{c}, err
}
