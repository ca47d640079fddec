package prove_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/prove"
)

// TestChange proves the changes of testdata: what stands below before/, and below after/
// where the change made it so. A file that is empty after the change is gone. The words
// above are the tools that it needs and what the report says.
func TestChange(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*.txtar")
	gittest.Check(t, err)
	if len(cases) == 0 {
		t.Fatal("no case")
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			gittest.Check(t, err)
			head, _, _ := strings.Cut(string(text), "\n-- ")
			_, want, _ := strings.Cut(head, "\n\n")
			needs, want, _ := strings.Cut(want, "\n")
			tools, long := strings.CutSuffix(strings.TrimPrefix(needs, "needs "), ", long")
			if long {
				gittest.Long(t)
			}
			gittest.Need(t, strings.Fields(tools)...)
			repo, change := changeOf(t, gittest.Txtar(string(text)))
			if got := told(of(t, repo, prove.Full, change)); got != strings.TrimSpace(want) {
				t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(want))
			}
		})
	}
}

// changeOf commits the files of a case.
func changeOf(t *testing.T, all gittest.Files) (*gittest.Repo, prove.Changed) {
	t.Helper()
	repo := gittest.New(t)
	before, after := gittest.Files{}, gittest.Files{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if name, ok := strings.CutPrefix(path, "before/"); ok {
			before[name], after[name] = all[path], all[path]
		}
	}
	for path, text := range all {
		if name, ok := strings.CutPrefix(path, "after/"); ok && text == "" {
			delete(after, name)
		} else if ok {
			after[name] = text
		}
	}
	base := gittest.CommitTree(repo, "chore: start", gitx.ID(repo.Tree(before)))
	tree := gitx.ID(repo.Tree(after))
	return repo, prove.Changed{Base: base, Head: gittest.CommitTree(repo, "all at once", tree, base), Tree: tree}
}

func of(t *testing.T, r *gittest.Repo, tier prove.Tier, change prove.Changed) prove.Report {
	t.Helper()
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	shared := &check.Shared{}
	open := func() *check.Checker {
		c := check.New(check.Options{
			Repo: repo, Environ: r.Env, Languages: lang.All(), Shared: shared, Once: true,
			Dirs: facts.Dirs{Cache: filepath.Join(r.Home, "cache"), State: filepath.Join(r.Home, "state")},
		})
		t.Cleanup(func() { gittest.Check(t, c.Close()) })
		return c
	}
	report, err := prove.Change(t.Context(), prove.Options{Checker: open(), Beside: []*check.Checker{open()}, Tier: tier}, change)
	gittest.Check(t, err)
	return report
}

// told is what a report says, without what depends on the machine.
func told(r prove.Report) string {
	lines := []string{string(r.Verdict)}
	if !r.Verdict.Holds() {
		lines = append(lines, r.Why)
	}
	for _, t := range r.Tests {
		without := string(t.Without)
		if t.Fails() && t.Without == "" {
			without = string(t.Class)
		}
		lines = append(lines, fmt.Sprintf("test %s: %s, %s", t.ID, without, t.With))
	}
	for _, g := range r.Old.Gone {
		lines = append(lines, fmt.Sprintf("gone %s, fails with the change: %t", g.ID, g.Fails))
	}
	for _, id := range r.Old.Changed {
		lines = append(lines, "changed "+id)
	}
	for _, w := range r.Old.Weaker {
		lines = append(lines, "weaker "+w.Was+" → "+w.Now)
	}
	for _, l := range r.Unreached {
		lines = append(lines, "unreached "+l.Where()+" "+l.Text)
	}
	for _, m := range r.Unnoticed {
		lines = append(lines, fmt.Sprintf("unnoticed %s:%d %s", m.Path, m.Line, m.Now))
	}
	for _, f := range r.Notes {
		if f.Gate == "evidence" && f.Mutant.Path != "" {
			lines = append(lines, fmt.Sprintf("recalls %s:%d %s", f.Path, f.Line, strings.TrimSpace(f.Mutant.Now)))
		}
	}
	for _, l := range r.Vague {
		lines = append(lines, "vague "+l.Text)
	}
	for _, l := range r.Singled {
		lines = append(lines, "singled "+l.Where()+" "+strings.TrimSpace(l.Text))
	}
	for _, l := range r.Answers {
		lines = append(lines, "answer "+l.Where()+" "+strings.TrimSpace(l.Text))
	}
	for _, l := range r.Copied {
		lines = append(lines, "copied "+l.Where()+" "+strings.TrimSpace(l.Text))
	}
	for _, l := range r.Itself {
		lines = append(lines, "itself "+l.Where()+" "+l.Text)
	}
	for _, m := range r.Idle {
		lines = append(lines, fmt.Sprintf("idle %s:%d %s", m.Path, m.Line, m.Now))
	}
	for _, a := range r.Asking {
		lines = append(lines, "asking "+a.Where()+" "+a.Text)
	}
	for _, what := range r.Unknown {
		if strings.HasSuffix(what, "ran no test") {
			lines = append(lines, "not known: "+what)
		}
	}
	return strings.Join(lines, "\n")
}

// A quick proof says the same as a full one, but tries no errors. Old tests that read as
// they did are not run on the new sources once more.
func TestChange_quick(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	text, err := os.ReadFile("testdata/go_proven.txtar")
	gittest.Check(t, err)
	repo, change := changeOf(t, gittest.Txtar(string(text)))
	if r := of(t, repo, prove.Quick, change); r.Verdict != prove.Proven || r.Tried != 0 || r.Runs != 3 {
		t.Errorf("%+v", r)
	}
}

// That an old test no longer asks for what the change takes away needs no small errors to be
// seen, nor does it help that another test has the words that it lost.
func TestChange_quickOfADroppedCheck(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "pytest")
	text, err := os.ReadFile("testdata/python_check_dropped.txtar")
	gittest.Check(t, err)
	repo, change := changeOf(t, gittest.Txtar(string(text)))
	if r := of(t, repo, prove.Quick, change); r.Verdict != prove.Refuted || !strings.Contains(r.Why, "test_move was loosened") {
		t.Errorf("%s: %s", r.Verdict, r.Why)
	}
}

// Whoever calls a change a refactoring is told if its tests ask for something else than before.
func TestChange_calledRefactoring(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	test := func(want string) string {
		return "package calc\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != " + want + " {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	}
	repo, change := changeOf(t, gittest.Files{
		"before/go.mod": "module example.com/calc\n\ngo 1.21\n", "before/calc.go": "package calc\n\nfunc Sum(a, b int) int { return a + b }\n",
		"before/calc_test.go": test("3"), "after/calc_test.go": test("13"), "after/calc.go": "package calc\n\nfunc Sum(a, b int) int { return a + b + 10 }\n",
	})
	for subject, want := range map[string]prove.Verdict{"refactor: sums": prove.WithGaps, "feat: sums": prove.Proven} {
		change.Subject = subject
		if r := of(t, repo, prove.Quick, change); r.Verdict != want || len(r.Notes) > 0 != (want == prove.WithGaps) {
			t.Errorf("%s: %s (%s), %v", subject, r.Verdict, r.Why, r.Notes)
		}
	}
}

// A quick proof of a refactoring that words tests otherwise takes for granted what only
// small errors in the sources can show, and says so. That a test is hollow now it sees.
func TestChange_quickOfRewordedTests(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	test := func(body string) string {
		return "package calc\n\nimport \"testing\"\n\n" + body
	}
	for name, c := range map[string]struct {
		after string
		want  prove.Verdict
	}{
		"helper": {"func equal(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Errorf(\"%d is not %d\", got, want)\n\t}\n}\n\n" +
			"func TestSum(t *testing.T) {\n\tequal(t, Sum(1, 2), 3)\n}\n", prove.Refactoring},
		"hollow": {"func TestSum(t *testing.T) {\n\tgot := Sum(1, 2)\n\tif want := got; got != want {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n", prove.Unproven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, change := changeOf(t, gittest.Files{
				"before/go.mod": "module example.com/calc\n\ngo 1.21\n", "before/calc.go": "package calc\n\nfunc Sum(a, b int) int { return a + b }\n",
				"before/calc_test.go": test("func TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"),
				"after/calc_test.go":  test(c.after),
			})
			r := of(t, repo, prove.Quick, change)
			said := strings.Contains(strings.Join(r.Unknown, "\n"), "--full takes")
			if r.Verdict != c.want || said != r.Verdict.Holds() {
				t.Errorf("%s (%s), not known: %q", r.Verdict, r.Why, r.Unknown)
			}
		})
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a.txt", "1\n")
	first := gitx.ID(r.Commit("chore: start"))
	r.Git("checkout", "-qb", "topic")
	r.Write("a.txt", "2\n")
	second := gitx.ID(r.Commit("feat: two"))
	r.Git("checkout", "-q", "main")
	r.Write("b.txt", "1\n")
	r.Commit("feat: beside")
	r.Git("checkout", "-q", "topic")
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	for _, revisions := range []string{"", "main..topic", "main...topic", "main..", "HEAD", "topic"} {
		got, err := prove.Find(t.Context(), repo, revisions)
		if err != nil || got.Base != first || got.Head != second {
			t.Errorf("%q: %+v, %v; want what topic adds since it left main", revisions, got, err)
		}
	}
	for revisions, want := range map[string]string{
		"nowhere": "nowhere is no commit that is here", "topic..topic": "topic adds nothing to topic", "main..nowhere": "nowhere is no commit",
	} {
		if _, err := prove.Find(t.Context(), repo, revisions); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", revisions, err, want)
		}
	}
	r.Git("merge", "-q", "--no-edit", "main")
	if _, err := prove.Find(t.Context(), repo, "HEAD"); err == nil || !strings.Contains(err.Error(), "is a merge; name what it brought: git tdd evidence HEAD^1..HEAD^2") {
		t.Errorf("a merge: %v", err)
	}
	if all, err := prove.Each(t.Context(), repo, "main..topic"); err != nil || len(all) != 1 || all[0].Head != second {
		t.Errorf("each: %+v, %v", all, err)
	}
}

// A red and what follows up to its green are one change, as far as each follows the one
// before; whatever else is a step stays by itself.
func TestEach_steps(t *testing.T) {
	t.Parallel()
	for commits, want := range map[string]string{
		"- -":                    "1 2",
		"red green refactor":     "1-2 3",
		"red - green -":          "1-3 4",
		"red red green":          "1-3",
		"- green red green":      "1 2 3-4",
		"red refactor green":     "1 2 3",
		"red cycle":              "1 2",
		"refactor red":           "1 2 waits",
		"red red":                "1-2 waits",
		"red -":                  "1 2",
		"red green red - - red":  "1-2 3-6 waits",
		"green refactor - cycle": "1 2 3 4",
	} {
		t.Run(commits, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Write("a.txt", "0")
			place := map[gitx.ID]int{gitx.ID(r.Commit("chore: start")): 0}
			for i, phase := range strings.Fields(commits) {
				r.Write("a.txt", fmt.Sprint(i+1))
				place[gitx.ID(r.Commit(fmt.Sprintf("test: %d\n\nTdd-Step: %d\nTdd-Phase: %s\n", i+1, i+1, strings.Trim(phase, "-"))))] = i + 1
			}
			repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
			gittest.Check(t, err)
			t.Cleanup(func() { _ = repo.Close() })
			all, err := prove.Each(t.Context(), repo, fmt.Sprintf("HEAD~%d..HEAD", len(place)-1))
			gittest.Check(t, err)
			var got []string
			for _, c := range all {
				first, last := place[c.Base]+1, place[c.Head]
				text := fmt.Sprint(last)
				if named := strings.Contains(c.Subject, "(with its red "); named != (first < last) {
					t.Errorf("%d to %d is called %q", first, last, c.Subject)
				}
				if first < last {
					text = fmt.Sprintf("%d-%d", first, last)
				}
				if got = append(got, text); c.Waits {
					got = append(got, "waits")
				}
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("%s, want %s", text, want)
			}
			last := all[len(all)-1] // by itself, a green takes the nearest red with it
			if only, err := prove.Find(t.Context(), repo, "HEAD"); err != nil || only.Waits != last.Waits || !strings.Contains(commits, "red red") && !last.Waits && only != last {
				t.Errorf("HEAD by itself: %+v, %v; want %+v", only, err, last)
			}
		})
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		of   []prove.Verdict
		want prove.Verdict
	}{
		{nil, prove.NotJudged},
		{[]prove.Verdict{prove.Proven}, prove.Proven},
		{[]prove.Verdict{prove.Proven, prove.Unproven, prove.Pinned}, prove.Unproven},
		{[]prove.Verdict{prove.Refuted, prove.Unproven}, prove.Refuted},
		{[]prove.Verdict{prove.Refuted, prove.NotJudged}, prove.NotJudged},
	} {
		var reports []prove.Report
		for _, v := range tc.of {
			reports = append(reports, prove.Report{Verdict: v})
		}
		if got := prove.Worst(reports); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.of, got, tc.want)
		}
	}
}
