package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// verdict is what an accepted attempt commits.
type verdict struct {
	try
	tree     gitx.ID
	after    gates.Facts // of the tree
	message  string
	step     gates.Step
	change   gates.Change
	complete bool // the kata is complete: the commit takes no step and ends the run
}

func (l *Loop) judge(ctx context.Context, s *step, c candidate) (verdict, error) {
	l.doing(s.doing(c.number, "judge"))
	measured := l.opts.Checker.Count()
	j, err := l.opts.Checker.Judge(ctx, l.submission(s, c))
	if err != nil {
		return verdict{}, err
	}
	if l.opts.Checker.Count() > measured { // facts on record were not run
		for _, r := range j.After.Runs {
			s.log.ran(r)
		}
	}
	if !j.Verdict.Accepted() {
		r := c.refuse(j.Verdict.Findings...)
		r.tree, r.after, r.unjudged, r.blamesRed = c.tree, j.After, !j.Verdict.Judged, blamesRed(j)
		return verdict{}, r
	}
	for _, f := range j.Verdict.Notes {
		l.note("%s", f)
	}
	return verdict{try: c.try, tree: c.tree, after: j.After.Facts, message: j.Message, step: j.Step, change: j.Case.Change}, nil
}

// blamesRed is why a red goes back to the tester, if nothing else is wrong with a step.
func blamesRed(j check.Judgement) string {
	all := j.Verdict.Findings
	if len(all) == 0 || slices.ContainsFunc(all, func(f gates.Finding) bool { return f.Owner != gates.Tester }) {
		return ""
	}
	if j.Project.Settings.Isolation == config.IsolationStrict {
		return all[0].Test + " checks too little: it passes, whether the code for it is right or made wrong"
	}
	return all[0].Test + ": " + all[0].Seen
}

// judgeTest judges a tester's change as a red or, if it may pass at once, as a characterization.
func (l *Loop) judgeTest(ctx context.Context, s *step, c candidate) (verdict, error) {
	if c.edits.Acceptance {
		c.special = gates.Acceptance
	}
	v, err := l.judge(ctx, s, c)
	r, ok := errors.AsType[*refusedError](err)
	serves, allowed := s.criterion(c.edits.Criterion), s.project.Settings.Gates.Characterization == gates.Allow
	open := serves.ID > 0 && !serves.Whole
	if !ok || !open && !allowed || !s.green(r.after.Facts) {
		return v, err
	}
	fruitless, failed := l.fruitless(ctx, s)
	if failed != nil || len(fruitless) > 0 {
		r.findings = append(gates.Tell(fruitless), r.findings...)
		return v, errors.Join(failed, r)
	}
	c.special = gates.Characterization
	return l.judge(ctx, s, c)
}

// nothingLeft holds a role's claim that nothing is left against the facts.
func (l *Loop) nothingLeft(ctx context.Context, s *step, p proposal) (verdict, error) {
	if s.plays == gates.Refactorer || s.plays == gates.Keeper {
		return l.judge(ctx, s, candidate{proposal: p, tree: s.head.Tree, special: gates.Skipped})
	}
	if err := l.unmet(ctx, s); err != nil {
		return verdict{}, err
	}
	if findings := s.unfinished(); len(findings) > 0 {
		return verdict{}, p.refuse(findings...)
	}
	return verdict{try: p.try, tree: s.head.Tree, message: s.completeMessage(), complete: true}, nil
}

func (s *step) unfinished() []gates.Finding {
	if s.plays == gates.Implementor {
		return []gates.Finding{{
			Gate: "plan", Seen: "the " + string(s.role) + " says that it is done, but a test is failing", Remedy: "make the failing test pass",
		}}
	}
	var open, part []string
	next := 0
	for _, c := range s.brief.Criteria {
		switch {
		case c.Whole:
			continue
		case c.Covered:
			part = append(part, strconv.Itoa(c.ID))
		default:
			open = append(open, strconv.Itoa(c.ID))
		}
		next = cmp.Or(next, c.ID)
	}
	switch {
	case len(open) == 0 && len(part) > 0:
		return []gates.Finding{{
			Gate: "done", Seen: "these acceptance criteria are covered in part only, as the steps say that named them: " + join(part, 20),
			Remedy: fmt.Sprintf("write a test for what is missing of criterion %d, and answer \"criterion\": %d, and \"covered\": \"whole\" once nothing is", next, next),
		}}
	case len(open) > 0:
		return []gates.Finding{{
			Gate: "done", Seen: "no passing test covers these acceptance criteria yet: " + join(open, 20),
			Remedy: fmt.Sprintf("write one failing test, for criterion %d, and answer \"criterion\": %d", next, next),
		}}
	case !s.history.Started() || !s.before.Green():
		return []gates.Finding{{
			Gate: "done", Seen: "nothing can be done where no step has been taken, or where not every test passes", Remedy: "write one failing test",
		}}
	}
	return nil
}
