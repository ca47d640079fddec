package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/verify"
)

// verifying says what to verify and how.
type verifying struct {
	revisions string
	jobs      int // 0: as many as are useful
	fresh     check.Fresh
	shard     string // "2/5"; empty: the whole range
	format    string
	infer     bool
	brief     bool // the summary only
	began     time.Time
}

func (p *program) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "judge each commit of a history as if it were made now", ArgsUsage: "[RANGE | FILE...]",
		Description: "RANGE is what git log takes, as in main..topic; by default the commits since the\n" +
			"first step, that one included, or, where none takes a step, since the upstream, or\n" +
			"without one since .tdd.yaml came.\n" +
			"Exit 0: every commit held; 1: one was refused; 3: one could not be judged.",
		Flags: append(formatFlags(),
			&cli.BoolFlag{Name: "fresh", Usage: "measure every tree anew, whatever is on record"},
			&cli.BoolFlag{Name: "infer", Usage: "read each commit's role from its type, its change and the facts, not from trailers"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "judge on `N` workbenches side by side", DefaultText: "by the number of processors"},
			&cli.StringFlag{Name: "shard", Usage: "judge part `I/N` of the range only"},
			&cli.BoolFlag{Name: "merge", Usage: "join the JSON reports of all shards, in the files that are named"},
		),
		Action: p.verifyAction,
	}
}

func (p *program) verifyAction(c *cli.Context) error {
	format, err := p.formatOf(c)
	if err != nil {
		return err
	}
	how := verifying{
		revisions: c.Args().First(), jobs: c.Int("jobs"), shard: c.String("shard"), format: format, infer: c.Bool("infer"), fresh: freshOf(c),
	}
	switch {
	case c.Bool("merge"):
		return p.mergeShards(c.Context, c.Args().Slice(), how)
	case c.NArg() > 1:
		return usage("verify takes one range")
	case how.infer && c.IsSet("shard"):
		return usage("--infer tells each commit's place from all before it, so a part of a history cannot be judged by itself: it takes no --shard")
	case c.IsSet("jobs") && how.jobs < 1:
		return usage("--jobs takes a number from 1")
	}
	return p.verify(c.Context, how)
}

// collectLess trades memory for time: a verify leaves much garbage behind and
// keeps little. With the usual collector, 1,000 commits whose facts are on record
// take half as long again. The limit is a soft one, well below what a small
// machine has to spare.
func collectLess() {
	const percent, limit = 400, 80 << 20
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}

// verify judges the commits of a range and reports the verdicts.
func (p *program) verify(ctx context.Context, how verifying) error {
	collectLess()
	how.began = time.Now()
	if err := p.openAny(ctx); err != nil {
		return err
	}
	ids, report, err := toVerify(ctx, p.repo, how)
	if err != nil {
		return err
	}
	if how.format == formatText && report.Note != "" {
		p.note("%s", report.Note)
	}
	var done atomic.Int64
	show := func(what string) { p.err.progress(fmt.Sprintf("verify %d/%d%s", done.Load(), len(ids), what)) }
	show("")
	checking := check.Options{Fresh: how.fresh, Observer: facts.Observer{Phase: func(d facts.Doing) { show("  " + command(d)) }}}
	if how.infer {
		checking.TestsOnly, checking.Adopt = true, p.found
	}
	options := p.judging(checking)
	options.Jobs, options.OnProof = how.side(len(ids)), func(proof verify.Proof) {
		done.Add(1)
		show("")
		if how.format == formatText && !how.brief {
			p.showProof(proof)
		}
	}
	judge := verify.Run
	if how.infer {
		judge, p.environ = verify.Infer, disciplineOnly(p.environ)
	}
	proven, err := judge(ctx, options, ids)
	p.err.quiet()
	if err != nil {
		return p.inHistory(ctx, err)
	}
	report.Commits, report.Measured = proven.Commits, proven.Measured
	return p.report(ctx, report, how)
}

// judging is how commits are judged, whoever made them.
func (p *program) judging(checking check.Options) verify.Options {
	checking.Shared, checking.Author = &check.Shared{}, check.Somebody
	return verify.Options{
		Repo: p.repo,
		Open: func() *check.Checker { return p.checker(checking) },
		Stop: func(err error) bool {
			_, untrusted := errors.AsType[*untrustedError](err)
			return untrusted
		},
	}
}

// disciplineOnly switches off the parts of a policy that are not about the
// order of test, code and refactoring, unless the user has set them: a history
// that never agreed to budgets need not obey them.
func disciplineOnly(environ []string) []string {
	out := slices.Clone(environ)
	for _, of := range []string{"TESTER_FILES", "TESTER_LINES", "IMPLEMENTOR_FILES", "IMPLEMENTOR_LINES", "REFACTORER_FILES", "REFACTORER_LINES"} {
		if name := "GIT_TDD_GATES_SIZE_" + of; envvar.Get(environ, name) == "" {
			out = append(out, name+"=1000000")
		}
	}
	return out
}

// toVerify finds the commits, and what the report says in addition to their proofs.
func toVerify(ctx context.Context, repo *gitx.Repo, how verifying) ([]gitx.ID, verify.Report, error) {
	found, err := verify.Find(ctx, repo, how.revisions)
	report := verify.Report{Note: found.Note}
	switch {
	case err != nil:
		return nil, report, err
	case len(found.Commits) == 0:
		return nil, report, unjudged("there is nothing to verify: " + nothingIn(how.revisions, found.Note))
	case how.shard == "":
		return found.Commits, report, nil
	}
	shard, err := verify.ParseShard(how.shard)
	if err != nil {
		return nil, report, usage(err.Error())
	}
	ids, shard := shard.Cut(found.Commits)
	report.Shard = &shard
	return ids, report, nil
}

// side is how many workbenches are worthwhile: each begins cold.
func (how verifying) side(commits int) int {
	if how.jobs > 0 {
		return how.jobs
	}
	const worth = 8 // commits
	return min(runtime.NumCPU(), 1+commits/worth)
}

// nothingIn says why there may be no commit to judge.
func nothingIn(revisions, note string) string {
	switch {
	case revisions != "":
		return "the range " + quote(revisions) + " holds no commit"
	case note != "":
		return "no commit that is here carries Tdd-Step; " + note
	}
	return "no commit of this history carries Tdd-Step, and the branch is not ahead of an upstream; name a range"
}

// mergeShards joins reports that were made elsewhere.
func (p *program) mergeShards(ctx context.Context, files []string, how verifying) error {
	var reports []verify.Report
	for _, name := range files {
		data, err := wholefile.Read(name)
		if err != nil {
			return usage(err.Error())
		}
		var r verify.Report
		if err := json.Unmarshal(data, &r); err != nil {
			return usage(name + " is no report of git tdd verify --json: " + err.Error())
		}
		reports = append(reports, r)
	}
	whole, err := verify.Merge(reports)
	if err != nil {
		return usage(err.Error())
	}
	if how.format == formatText {
		for _, proof := range whole.Commits {
			p.showProof(proof)
		}
	}
	return p.report(ctx, whole, how)
}

// report prints what a format prints at the end, and returns the error for the verdict.
func (p *program) report(ctx context.Context, r verify.Report, how verifying) error {
	if err := p.printReport(ctx, r, how); err != nil {
		return err
	}
	switch r.Verdict() {
	case verify.Refused:
		return refused("")
	case verify.Unjudged:
		first := slices.IndexFunc(r.Commits, func(proof verify.Proof) bool { return proof.Verdict == verify.Unjudged })
		return unjudged("a commit could not be judged: " + r.Commits[first].Commit.Short() + " " + r.Commits[first].Subject)
	case verify.Held:
	}
	return nil
}

func (p *program) printReport(ctx context.Context, r verify.Report, how verifying) error {
	switch how.format {
	case formatText:
		took := ""
		if !how.began.IsZero() {
			took = ", " + time.Since(how.began).Round(time.Second/10).String()
		}
		p.out.below("", summaryOf(r)+took)
	case formatHTML:
		return p.html(ctx, r, how.revisions)
	case formatJSON:
		return p.json(r)
	case formatMarkdown:
		p.out.printf("%s", markdown(r))
	default:
		return p.render(r, how.format, "verify", summaryOf(r))
	}
	return nil
}
