package check

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// TestImpactOfHistory holds what is carried over against what the whole suite shows, for
// the last commits of a clone: TDD_IMPACT is its path, a language and a test command,
// separated by blanks, and TDD_IMPACT_COMMITS how many.
//
//nolint:paralleltest // it measures, alone
func TestImpactOfHistory(t *testing.T) {
	words := strings.Fields(os.Getenv("TDD_IMPACT"))
	if len(words) < 3 {
		t.Skip("TDD_IMPACT names no clone, language and test command")
	}
	last, err := strconv.Atoi(cmp.Or(os.Getenv("TDD_IMPACT_COMMITS"), "30"))
	gittest.Check(t, err)
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: words[0], Environ: os.Environ()})
	gittest.Check(t, err)
	l, err := lang.All().ByName(words[1])
	gittest.Check(t, err)
	dirs := facts.Dirs{Cache: t.TempDir(), State: t.TempDir()}
	measurer := func(carried bool) *facts.Measurer {
		m, err := facts.New(facts.Options{
			Repo: repo, Dirs: dirs, Environ: os.Environ(), Language: l, Languages: lang.All(),
			Commands: testrun.Commands{Test: words[2:]}, Link: l.Link, Carried: carried,
		})
		gittest.Check(t, err)
		t.Cleanup(func() { _ = m.Close() })
		return m
	}
	whole, carrying := measurer(false), measurer(true)
	c := New(Options{Repo: repo, Languages: lang.All(), Environ: os.Environ()})
	part := &part{Project: testrun.Project{Language: l}}
	told, known, ran, all, few, full := 0, 0, 0, 0, time.Duration(0), time.Duration(0)
	for i := last; i > 0; i-- {
		commit, err := repo.Commit(t.Context(), "HEAD~"+strconv.Itoa(i-1))
		gittest.Check(t, err)
		parent, err := repo.Commit(t.Context(), string(commit.Parents[0]))
		gittest.Check(t, err)
		change, err := c.Change(t.Context(), l, parent.Tree, commit.Tree)
		gittest.Check(t, err)
		if change.DocsOnly() {
			continue
		}
		told++
		before, err := c.sources(t.Context(), parent.Tree)
		gittest.Check(t, err)
		after, err := c.sources(t.Context(), commit.Tree)
		gittest.Check(t, err)
		changed, inside := touched(part, change)
		impact, ok := l.Impact(before, after, changed)
		if !ok || !inside {
			t.Logf("%s is not understood: %v", commit.ID.Short(), changed)
			continue
		}
		if _, err := whole.Entry(t.Context(), parent.Tree); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		run, left, err := carrying.Carry(t.Context(), parent.Tree, commit.Tree, impact)
		gittest.Check(t, err)
		if left == 0 {
			t.Logf("%s has an effect on all that is tested: %v", commit.ID.Short(), changed)
			continue
		}
		known, ran, all, few = known+1, ran+run, all+run+left, few+time.Since(began)
		got, _ := carrying.Entry(t.Context(), commit.Tree)
		began = time.Now()
		want, err := whole.Entry(t.Context(), commit.Tree)
		gittest.Check(t, err)
		full += time.Since(began)
		for _, test := range want.Result.Facts.Tests {
			if g, ok := got.Result.Facts.Lookup(test.ID); !ok || g.Status != test.Status {
				t.Errorf("%s %s: %s is %s, carried over it is %q", commit.ID.Short(), commit.Message, test.ID, test.Status, g.Status)
			}
		}
		if len(got.Result.Facts.Tests) != len(want.Result.Facts.Tests) || got.Result.Facts.Outcome != want.Result.Facts.Outcome {
			t.Errorf("%s: %s with %d tests, carried over %s with %d", commit.ID.Short(), want.Result.Facts.Outcome, len(want.Result.Facts.Tests), got.Result.Facts.Outcome, len(got.Result.Facts.Tests))
		}
	}
	t.Logf("%d commits that are measured, %d of them by impact: %d of %d tests run, %v beside %v", told, known, ran, all, few.Round(time.Millisecond), full.Round(time.Millisecond))
}
