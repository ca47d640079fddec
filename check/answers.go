package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// How many times the tests are given other inputs: of a suite that takes long, seldom.
const fewRounds, manyRounds = 2, 6

// answers asks the sources of before and those of now what no test asks: by the tests that
// the commit leaves as they were, with other inputs.
func (e *examination) answers(ctx context.Context) error {
	k := e.j.Case
	if !k.AsksForSameAnswers() || e.p.Quick || e.much != gates.EvidenceFull && !k.Derived || !k.Before.Complete() || k.Before.Tree == "" {
		return nil
	}
	all, err := e.rewritten(ctx, gitx.ID(k.Before.Tree), e.p.Tree, k.Change)
	if err != nil || !k.Change.AltersCode() || setsUp(k.Change) {
		return err
	}
	was, err := e.side(ctx, k.Before)
	if err != nil {
		return err
	}
	now, err := e.side(ctx, k.After)
	if err != nil {
		return err
	}
	rounds := manyRounds
	if k.After.SuiteMS() >= quickCommit {
		rounds = fewRounds
	}
	k.Answers, err = evidence.Answers(ctx, was, now, decisive(all), rounds)
	return err
}

// setsUp reports whether a change alters what tests are given beside their own text.
func setsUp(change gates.Change) bool {
	return change.HelpsTests() || slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return f.Kind() == gates.KindConfig || f.Kind() == gates.KindSupport // which may be data
	})
}

// side is the tests of a tree that the commit leaves as they were.
func (e *examination) side(ctx context.Context, plain gates.Facts) (evidence.Side, error) {
	tree := gitx.ID(plain.Tree)
	files, err := e.testFiles(ctx, e.j.Project.Language, tree, selection{all: true})
	files = slices.DeleteFunc(files, func(f evidence.File) bool {
		return slices.ContainsFunc(e.j.Case.Change.Files, func(c gates.FileChange) bool {
			return c.TouchesTest() && (c.Path() == f.Path || c.Old != nil && c.Old.Path == f.Path)
		})
	})
	return evidence.Side{Files: files, Plain: plain, Run: e.runner(e.j.Project, tree)}, err
}

// decisive are the values that sources spell out where they differ.
func decisive(all []rewriting) []string {
	var out []string
	for _, r := range all {
		for _, h := range hunks(r.was, r.now) {
			for _, v := range gates.Literals(strings.Join(slices.Concat(h.was, h.now), "")) {
				if !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}
