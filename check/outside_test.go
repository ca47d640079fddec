package check

import (
	"context"
	"errors"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestStory_firstCommits(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	root := func(message string, f files) step {
		t.Helper()
		return l.proposeAt(c, Proposal{Tree: l.tree(f), Message: message})
	}
	if s := root("chore: start", calc(sum, testZero)); !s.accepted {
		t.Errorf("a root commit outside the loop:\n%s", findings(s.j))
	}
	l.refused(root("feat: start", calc(sum, testZero)), "turn")
	if s := root("test: zero", calc("", testZero)); s.accepted || s.j.Step.Number != 1 {
		t.Errorf("a root commit of a tester that brings sources: %+v", s.j.Step)
	}
	// There is nothing to test at first, and then there is.
	words := l.commit("docs: an idea", files{"README.md": "idea\n"})
	n := c.Count()
	more := l.must(c, "docs: more words", files{"README.md": "idea\n\nmore\n"}, words)
	if c.Count() != n {
		t.Error("measured words")
	}
	l.verifies(more.commit)
	scaffold := l.must(c, "build: scaffold", calc(sumZero, testZero).With(files{"README.md": "x"}), more.commit)
	l.verifies(scaffold.commit)
	l.refused(l.propose(c, "build: scaffold", calc("syntax error", testZero), more.commit), "stay-green")
	empty := l.commitTree("chore: nothing", l.tree(files{}))
	l.verifies(empty)
	l.verifies(l.must(c, "chore: scaffold", calc(sumZero, testZero), empty).commit)
	_, err := c.Judge(t.Context(), Proposal{Parent: words, Tree: l.tree(files{"README.md": "x", "x.cobol": "x"}), Message: "chore: x"})
	gittest.Check(t, err)
	_, err = c.Judge(t.Context(), Proposal{Parent: words, Tree: l.tree(files{"README.md": "x", "x_test.c": "x"}), Message: "test: x"})
	if !errors.Is(err, config.ErrNoLanguage) {
		t.Errorf("a test that nothing says how to run: %v", err)
	}
}

// proposeAt is propose with a proposal of any kind.
func (l *lab) proposeAt(c *Checker, p Proposal) step {
	l.Helper()
	j, err := c.Judge(context.Background(), p)
	gittest.Check(l, err)
	return step{accepted: j.Verdict.Accepted(), j: j}
}

func TestStory_outsideTheLoop(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := calc(sumZero, testZero).With(files{"README.md": "one\n", "testdata/README.md": "one\n"})
	root := l.commit("chore: start", start)
	docs := l.must(c, "docs: words", start.With(files{"README.md": "two\n"}), root)
	if c.Count() != 0 {
		t.Errorf("words cost %d measurements", c.Count())
	}
	if docs.j.Step.Number != 0 || docs.j.After.Facts.Outcome != "" {
		t.Errorf("%+v", docs.j)
	}
	l.must(c, "docs: data of tests", start.With(files{"testdata/README.md": "two\n"}), root)
	if c.Count() != 2 {
		t.Errorf("test data cost %d measurements, want 2: before and after", c.Count())
	}
	l.refused(l.propose(c, "not conventional", start.With(files{"README.md": "two\n"}), root), "message")
	l.refused(l.propose(c, "docs: a step\n\nTdd-Step: 1\n", start.With(files{"README.md": "two\n"}), root), "message")
	l.refused(l.propose(c, "chore: break", start.With(files{"calc.go": "package calc\n"}), root), "stay-green")
	l.refused(l.propose(c, "docs: hide a test", start.With(files{"calc_test.go": "-", "calc_test.go.md": "x"}), root), "stay-green")
}

func TestStory_revertAndMerge(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum), start)
	green := l.must(c, "feat: sum", calc(sum, testZero+testSum), red.commit)
	l.refused(l.propose(c, "chore: feat: sum", calc(sumZero, testZero+testSum), green.commit), "stay-green")
	// A revert may bring the red back, and it shows: facts outrank claims.
	reverted := l.must(c, "revert: feat: sum", calc(sumZero, testZero+testSum), green.commit).commit
	p, err := c.Position(t.Context(), reverted)
	gittest.Check(t, err)
	result, err := c.Of(t.Context(), green.j.Project, l.tree(calc(sumZero, testZero+testSum)))
	gittest.Check(t, err)
	if gates.Contradiction(p, result.Facts, nil) == "" {
		t.Error("the revert contradicts nothing")
	}
	l.refused(l.propose(c, "test: more", calc(sumZero, testZero+testSum+testTwo), reverted), "turn")
	l.must(c, "feat: sum again", calc(sum, testZero+testSum), reverted)

	side := l.commit("docs: elsewhere", calc(sumZero, testZero).With(files{"README.md": "x"}), start)
	merged := calc(sum, testZero+testSum).With(files{"README.md": "x"})
	for message, want := range map[string]bool{"chore: merge": true, "feat: merge": true, "feat: merge\n\nTdd-Step: 3\n": false} {
		j, err := c.Commit(t.Context(), string(l.commit(message, merged, green.commit, side)))
		gittest.Check(t, err)
		if j.Verdict.Accepted() != want || j.Step.Number != 0 {
			t.Errorf("%q: step %d, accepted: %t\n%s", message, j.Step.Number, j.Verdict.Accepted(), findings(j))
		}
	}
	j, err := c.Commit(t.Context(), string(l.commit("chore: bad merge", calc(sumZero, testZero+testSum), green.commit, side)))
	gittest.Check(t, err)
	l.refused(step{j: j}, "stay-green")
	p, err = c.Position(t.Context(), l.commit("chore: merge", merged, side, green.commit))
	gittest.Check(t, err)
	if p.Started() {
		t.Errorf("a step of a branch that was merged in counts: %+v", p)
	}
}
