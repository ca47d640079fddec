package main

import (
	"context"
	"errors"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/report"
)

// reportTold says how often each gate would have refused.
func (p *program) reportTold(ctx context.Context, revisions string, asJSON bool) (err error) {
	repo, err := p.openAny(ctx)
	if err != nil {
		return err
	}
	o, err := toReport(ctx, repo, revisions)
	if err != nil {
		return err
	}
	if o.Checker, err = p.checker(repo, check.Recorded, nil); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Checker.Close()) }()
	t, err := report.ReadTold(ctx, o)
	switch {
	case err != nil:
		return err
	case asJSON:
		return p.json(t)
	case t.Commits == 0:
		p.out.printf("no commit of %s was made under rules that only tell; gates: {enforce: tell} in .tdd.yaml makes them so\n", o.Range)
		return nil
	}
	p.out.printf("%s of %s under rules that only tell: %d told, %d not judged\n", count(t.Commits, "commit"), o.Range, t.Told, t.Unjudged)
	p.out.printf("gate        would refuse  seconds\n")
	for _, g := range t.Gates {
		if g.Told > 0 || g.Seconds > 0 {
			p.out.printf("%s  %5d  %3d %%  %7.1f\n", pad(g.Gate, 10), g.Told, 100*g.Told/t.Commits, g.Seconds)
		}
	}
	p.out.printf("seconds: of test runs and of what tests are worth (hollow and strength), as far as they are on record here\n")
	return nil
}
