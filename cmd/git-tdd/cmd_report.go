package main

import (
	"cmp"
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

func (p *program) reportCommand() *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "draw a history as one HTML page", ArgsUsage: "[RANGE]", Before: p.inAnyRepo,
		Description: "RANGE is what git log takes, as in main..topic; by default HEAD's history, from the first\n" +
			"step on if much came before it. Nothing is measured: the page shows what trailers claim,\n" +
			"refused attempts that are kept, and facts on record. It stands by itself: no script, nothing\n" +
			"fetched. `git tdd verify --format html` draws the same page with verdicts.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the page into `FILE`, not to standard output"},
			&cli.BoolFlag{Name: "told", Usage: "how often each gate that only tells (gates.enforce) would have refused, and its seconds; no page"},
			&cli.BoolFlag{Name: "json", Usage: "with --told: print JSON"},
		},
		Action: p.reportAction,
	}
}

func (p *program) reportAction(c *cli.Context) error {
	output := c.String("output")
	switch told := c.Bool("told"); {
	case told && c.IsSet("output"):
		return usage("--told draws no page, so it takes no --output")
	case told:
		return p.reportTold(c.Context, c.Args().First(), c.Bool("json"))
	case c.Bool("json"):
		return usage("--json goes with --told; `git tdd verify --json` says all of a history")
	case output == "":
		if err := p.wantsFile("git tdd report"); err != nil {
			return err
		}
	}
	o, err := p.toReport(c.Context, c.Args().First())
	if err != nil {
		return err
	}
	page, err := p.drawPage(c.Context, o)
	if err != nil {
		return err
	}
	if output == "" || output == "-" || p.out.is(p.at(output)) {
		return p.out.write(page)
	}
	if err := wholefile.Put(c.Context, p.at(output), page, 0o644); err != nil {
		return cmp.Or(c.Err(), usage(err.Error()))
	}
	p.err.printf("%s: %s, %d kB\n", p.at(output), gates.Count(len(o.Commits), "commit"), (len(page)+999)/1000)
	return nil
}

// wantsFile refuses to fill a terminal with a page.
func (p *program) wantsFile(command string) error {
	if p.out.file == nil {
		return nil
	}
	return usage("a page does not go to a terminal; write it into a file: `" + command + " > report.html`")
}

// drawPage draws a page of what is on record.
func (p *program) drawPage(ctx context.Context, o report.Options) ([]byte, error) {
	p.err.progress("reading " + gates.Count(len(o.Commits), "commit"))
	history, err := report.Read(ctx, o)
	if err != nil {
		return nil, err
	}
	return report.Page(history), nil
}

// The most commits that a report shows if nobody says which.
const (
	mostEarlier = 20  // before the first step
	mostLoose   = 200 // where none takes a step
)

// toReport finds the commits that a report is about. It measures none of them.
func (p *program) toReport(ctx context.Context, revisions string) (report.Options, error) {
	o := report.Options{Repo: p.repo, Checker: p.checker(check.Options{Fresh: check.Recorded}), Range: revisions}
	found, err := verify.Find(ctx, p.repo, revisions)
	o.Commits = found.Commits
	if err != nil || revisions != "" {
		return o, err
	}
	head, err := p.repo.Head(ctx)
	if err != nil || head.Unborn() {
		return o, err
	}
	if o.Range = head.Name(); head.Detached() {
		o.Range = head.Commit.Short()
	}
	all, err := p.repo.List(ctx, string(head.Commit))
	if err != nil {
		return o, err
	}
	pos, err := check.FindPosition(ctx, p.repo, head.Commit)
	if err != nil {
		return o, err
	}
	switch {
	case !pos.Started():
		o.Commits = all[max(0, len(all)-mostLoose):]
	case len(all)-len(o.Commits) <= mostEarlier:
		o.Commits = all
	}
	o.Earlier = len(all) - len(o.Commits)
	return o, nil
}

// reportTold says how often each gate would have refused.
func (p *program) reportTold(ctx context.Context, revisions string, asJSON bool) error {
	o, err := p.toReport(ctx, revisions)
	if err != nil {
		return err
	}
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
	p.out.printf("%s of %s under rules that only tell: %d told, %d not judged\n", gates.Count(t.Commits, "commit"), o.Range, t.Told, t.Unjudged)
	p.out.printf("gate        would refuse  seconds\n")
	for _, g := range t.Gates {
		if g.Told > 0 || g.Seconds > 0 {
			p.out.printf("%s  %5d  %3d %%  %7.1f\n", pad(g.Gate, 10), g.Told, 100*g.Told/t.Commits, g.Seconds)
		}
	}
	p.out.printf("seconds: of test runs and of what tests are worth (hollow and strength), as far as they are on record here\n")
	return nil
}
