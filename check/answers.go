package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/syntax"
)

// How many times the tests are given other inputs: of a suite that takes long, seldom.
const fewestRounds, fewRounds, manyRounds = 2, 5, 8

// answers asks the sources of before and those of now what no test asks: by the tests that
// the commit leaves as they were, with other inputs.
func (e *examination) answers(ctx context.Context) error {
	k := e.j.Case
	if !k.AsksForSameAnswers() || e.p.Quick || !k.Before.Complete() || k.Before.Tree == "" || !k.Change.AltersCode() {
		return nil
	}
	all, err := e.rewritten(ctx, gitx.ID(k.Before.Tree), e.p.Tree, k.Change)
	if err != nil {
		return err
	}
	if err := e.values(ctx, all); err != nil || e.much != gates.EvidenceFull && !k.Derived && !k.Agent || setsUp(k.Change) {
		return err
	}
	was, now, err := e.bothAsked(ctx, e.j.Project, k.Change, k.Before, k.After)
	if err != nil {
		return err
	}
	rounds := manyRounds
	if k.After.SuiteMS() >= quickSuite {
		rounds = fewRounds
	}
	now.Until = e.waited()
	k.Answers, err = evidence.Answers(ctx, was, now, decisive(all), rounds)
	return err
}

// mostValues is how many values of a refactoring are put back, each in a run of its own.
const mostValues = 4

// values puts back, one by one, what a refactoring spells out otherwise than before. Where the
// tests pass with the one and with the other, none asks for it; elsewhere the new value goes
// with what else is new. Of a change that came at once [Checker.PutBacks] knows more.
func (e *examination) values(ctx context.Context, all []rewriting) error {
	k := e.j.Case
	if !k.Preserves() || k.Derived {
		return nil
	}
	valuesBack := func(r rewriting, code func(string) string) []syntax.Mutant {
		return slices.DeleteFunc(putBacks(r, code), func(m syntax.Mutant) bool {
			was, now := m.Edit.Text, r.now[m.Edit.Start:m.Edit.End]
			return strings.Count(was, "\n") > 1 || strings.Count(now, "\n") > 1 || !gates.OtherValue(was, now)
		})
	}
	passed := k.After.With(gates.StatusPassed)
	run := hasty(e.runner(e.j.Project, e.p.Tree), 0) // with the old value the tests may never end, and so they notice it
	groups := evidence.Singles(e.j.Project.sourcesOf(all, valuesBack))
	for _, g := range groups[:min(len(groups), mostValues)] {
		facts, ran, err := evidence.Try(ctx, &g, passed, run)
		if err != nil {
			return err
		}
		if ran && len(failing(passed, facts)) == 0 {
			k.Values = append(k.Values, g.Mutants()...)
		}
	}
	return nil
}

// setsUp reports whether a change alters what tests are given beside their own text.
func setsUp(change gates.Change) bool {
	return change.HelpsTests() || slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return f.Kind() == gates.KindConfig || f.Kind() == gates.KindSupport // which may be data
	})
}

// Remembers asks the sources of before and those of now more than once what old tests ask
// once: what they are asked first may change what they answer then. What is to be known is
// how the tests of both end.
func (c *Checker) Remembers(ctx context.Context, d Derived, before, after gates.Facts) ([]gates.Finding, error) {
	return c.oldAsked(ctx, d, evidence.Remembers, before, after)
}

// Strays asks both with other values what old tests ask; in few ways if there is a limit to the time.
func (c *Checker) Strays(ctx context.Context, d Derived, before, after gates.Facts) ([]gates.Finding, error) {
	rounds := manyRounds
	if d.Patience > 0 {
		rounds = fewestRounds
	}
	found, err := c.oldAsked(ctx, d, func(ctx context.Context, was, now evidence.Side) ([]gates.Answer, error) {
		return evidence.Strays(ctx, was, now, rounds)
	}, before, after)
	for i := range found {
		found[i].Remedy = "see whether that is meant"
	}
	return found, err
}

// oldAsked asks the tests of both sides something.
func (c *Checker) oldAsked(ctx context.Context, d Derived, ask func(_ context.Context, was, now evidence.Side) ([]gates.Answer, error), before, after gates.Facts) ([]gates.Finding, error) {
	if setsUp(d.Change) {
		return nil, nil
	}
	was, now, err := c.bothAsked(ctx, d.Project, d.Change, before, after)
	if err != nil {
		return nil, err
	}
	found, err := ask(ctx, was, now)
	return gates.Each(found, func(a gates.Answer) gates.Finding {
		f := a.Finding()
		f.Gate = "evidence"
		return f
	}), err
}

// bothAsked are the tests of the trees before and after a change that it leaves as they were.
func (c *Checker) bothAsked(ctx context.Context, p *Project, change gates.Change, before, after gates.Facts) (was, now evidence.Side, err error) {
	return ofBoth(ctx, before, after, func(ctx context.Context, plain gates.Facts) (evidence.Side, error) {
		return c.asked(ctx, p, change, plain)
	})
}

// asked is the tests of a tree in files of which a change takes nothing away but imports.
func (c *Checker) asked(ctx context.Context, p *Project, change gates.Change, plain gates.Facts) (evidence.Side, error) {
	tree := gitx.ID(plain.Tree)
	files, err := c.testFiles(ctx, p.Language, tree, selection{all: true})
	files = slices.DeleteFunc(files, func(f evidence.File) bool {
		return slices.ContainsFunc(change.Files, func(c gates.FileChange) bool {
			return c.Test.Deleted > 0 && (c.Path() == f.Path || c.Was().Path == f.Path) && slices.ContainsFunc(hunks(c.Was().Test, c.Is().Test), func(h hunk) bool {
				return slices.ContainsFunc(h.was, func(line string) bool { return !importPattern.MatchString(line) && strings.TrimSpace(line) != "" })
			})
		})
	})
	return evidence.Side{Files: files, Plain: plain, Run: c.runner(p, tree)}, err
}

// decisive are the values that sources spell out where they differ.
func decisive(all []rewriting) []string {
	var out []string
	for _, r := range all {
		for _, h := range hunks(r.was, r.now) {
			out = gates.Union(out, gates.Literals(strings.Join(slices.Concat(h.was, h.now), "")))
		}
	}
	return out
}
