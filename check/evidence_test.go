package check

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// A green costs three altered runs where all is asked: its tests expect something else, its
// sources are made wrong, and get a comment. The tests of before are on record since the green before it, also
// if a refactoring came between and the red did not compile.
func TestGreen_countOfAlteredRuns(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: a sum", calc(sumZero, testZero+testSum), start)
	green := l.must(c, "feat: a sum", calc(sum, testZero+testSum), red.commit)
	tidy := l.must(c, "refactor: words", calc("// Sum adds.\n"+sum, testZero+testSum), green.commit)
	red = l.must(c, "test: twice", calc("// Sum adds.\n"+sum, testZero+testSum+testTwo), tidy.commit)
	before := red.j.Project.parts[0].measurer.AlteredCount()
	green = l.must(c, "feat: twice", calc("// Sum adds.\n"+both, testZero+testSum+testTwo), red.commit)
	if n := green.j.Project.parts[0].measurer.AlteredCount() - before; n != 3 {
		t.Errorf("%d altered runs, want 3", n)
	}
}

// A green that only loops and yields has no small error but that it is left out, which its test
// notices.
func TestGreen_onlyLeftOut(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "node")
	l := newLab(t)
	c := l.checker()
	const drained = "export function* drained(items) {\n  while (items.length > 0) yield items.shift();\n}\n"
	f := files{".tdd.yaml": quick + "language: javascript\n", "package.json": `{"type": "module", "scripts": {"test": "node --test"}}`, "src/queue.js": "export const none = 0;\n"}
	start := l.commit("chore: start", f)
	f["test/queue.test.js"] = "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as queue from '../src/queue.js';\n\n" +
		"test('drains', () => {\n  const seen = [];\n  for (const item of queue.drained(['a', 'b'])) seen.push(item);\n  assert.deepEqual(seen, ['a', 'b']);\n});\n"
	red := l.must(c, "test: drains", f, start)
	f["src/queue.js"] += drained
	if notes := l.must(c, "feat: drains", f, red.commit).j.Verdict.Notes; len(notes) > 0 {
		t.Errorf("notes: %v", notes)
	}
}

// A green that was measured before its red needs no other run to show that the
// sources made the test pass.
func TestAhead(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	runs := map[bool]int{}
	for _, ahead := range []bool{false, true} {
		l := newLab(t)
		start := l.commit("chore: start", calc(sumZero, testZero))
		red := l.commit("test: a sum\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\n", calc(sumZero, testZero+testSum), start)
		green := l.commit("feat: a sum\n\nTdd-Step: 2\nTdd-Role: implementor\nTdd-Cycle: 1\nTdd-Phase: green\n", calc(sum, testZero+testSum), red)
		c := l.checker()
		if ahead {
			commit, err := l.repo.Commit(t.Context(), string(green))
			gittest.Check(t, err)
			gittest.Check(t, c.Ahead(t.Context(), commit))
		}
		j, err := c.Commit(t.Context(), string(red))
		gittest.Check(t, err)
		before := j.Project.parts[0].measurer.AlteredCount()
		j, err = c.Commit(t.Context(), string(green))
		gittest.Check(t, err)
		runs[ahead] = j.Project.parts[0].measurer.AlteredCount() - before
		if !j.Verdict.Accepted() || j.Case.Evidence.Rerun == nil {
			t.Errorf("ahead %t: not accepted, or not run again:\n%s", ahead, findings(j))
		}
	}
	if runs[true] != runs[false]-1 {
		t.Errorf("altered runs: %d ahead, %d otherwise; want one less", runs[true], runs[false])
	}
}

// What the tests of before were worth is measured only where those of now could have
// been worth more.
func TestEvidence_ofBeforeWhereATestMayHaveBeenWorthMore(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	start := l.commit("chore: start", calc(sum, testSum))
	for more, want := range map[string]int{strings.Replace(testSum, "TestSum", "TestOther", 1): 1, testZero: 2} {
		s := l.propose(l.checker(), "chore: a test\n", calc(sum, testSum+more), start)
		if n := s.j.Project.parts[0].measurer.AlteredCount(); n != want || !s.accepted {
			t.Errorf("accepted %t after %d altered runs, want %d: %v", s.accepted, n, want, s.j.Case.Evidence)
		}
	}
}

// What the tests are worth is not measured where nothing that it could show would
// help a commit, nor where nobody asks.
func TestEvidence_isNotMeasuredInVain(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sum, testZero))
	refused := l.proposeAt(c, Proposal{Message: "refactor: words\n", Tree: l.tree(calc("// Sum adds.\n"+sum, testZero+testSum)), Parent: start, Brief: true})
	l.refused(refused, "same-tests")
	plain := l.proposeAt(c, Proposal{Message: "chore: a test\n", Tree: l.tree(calc(sum, testZero+testSum)), Parent: start, Plain: true})
	if !plain.accepted || plain.j.Case.Evidence != nil {
		t.Errorf("not accepted, or not by its facts alone:\n%s", findings(plain.j))
	}
	if n := refused.j.Project.parts[0].measurer.AlteredCount(); n != 0 {
		t.Errorf("%d altered runs, want none", n)
	}
}

// A merge that only puts together what its sides made was judged there. What it
// makes itself is measured.
func TestEvidence_ofMerges(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	test := func(check string) files {
		return files{"more_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif got := Sum(1, 1); " + check + " {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"}
	}
	start, words := calc(sum, testZero), files{"calc.go": "package calc\n\n// Sum adds.\n" + sum}
	root := l.commit("chore: start", start)
	side := l.commit("chore: a test", start.With(test("got != 2")), root)
	main := l.commit("chore: words", start.With(words), root)
	for check, want := range map[string]bool{"got != 2": true, "got != 2 && false": false} {
		p := Proposal{Message: "chore: merge\n", Tree: l.tree(start.With(words).With(test(check)))}
		s := l.proposeAt(c, p.On([]gitx.ID{main, side}))
		if s.accepted != want || (s.j.Case.Evidence == nil) != want {
			t.Errorf("%s: accepted %t, measured %t\n%s", check, s.accepted, s.j.Case.Evidence != nil, findings(s.j))
		}
		hook := l.checker(func(o *Options) { o.Evidence = gates.EvidenceChanged })
		if s = l.proposeAt(hook, p.On([]gitx.ID{main, side})); s.accepted != want || s.j.Case.Evidence == nil {
			t.Errorf("%s: a hook accepts it: %t, measured %t\n%s", check, s.accepted, s.j.Case.Evidence != nil, findings(s.j))
		}
	}
}

// A hook grades the tests of the files that changed; where a helper among them did,
// those of any file may have become weaker.
func TestEvidence_ofHelpersBesideTests(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	const equal = "func equal(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\n"
	uses := files{"more_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tequal(t, Sum(1, 1), 2)\n}\n"}
	start := l.commit("chore: start", calc(sum, equal+testSum).With(uses))
	hook := l.checker(func(o *Options) { o.Evidence = gates.EvidenceChanged })
	emptied := l.propose(hook, "chore: tidy\n", calc(sum, strings.Replace(equal, "got != want", "got != got", 1)+testSum).With(uses), start)
	l.refused(emptied, "strength")
}

// What a hook measured counts: verify asks nothing again, whether a hook asked all, as it
// does of a quick suite, or what had to be.
func TestEvidence_askedByAHookIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	slow := files{"slow_test.go": "package calc\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(*testing.T) { time.Sleep(600 * time.Millisecond) }\n"}
	other := files{"other_test.go": strings.ReplaceAll(calc("", testZero)["calc_test.go"], "TestZero", "TestOther")}
	for name, more := range map[string]files{"quick": other, "slow": other.With(slow), "slow, and then all of it": other.With(slow)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			start := l.commit("chore: start", calc(sumZero, testZero).With(more))
			asks := l.checker(func(o *Options) { o.Evidence = gates.EvidenceChanged })
			hook := func(message string, f files, parent gitx.ID) gitx.ID {
				s := l.must(asks, message, f.With(more), parent)
				if e := s.j.Case.Evidence; name != "quick" && e != nil && !e.Partial {
					t.Errorf("%s: it does not say that there is more to be asked", message)
				}
				if name == "slow, and then all of it" { // as a later commit does whose suite was quick enough
					_, err := asks.Grades(t.Context(), s.j.Project, s.j.Case.After)
					gittest.Check(t, err)
				}
				return s.commit
			}
			red := hook("test: a sum", calc(sumZero, testZero+testSum), start)
			green := hook("feat: a sum", calc(sum, testZero+testSum), red)
			tidy := hook("refactor: words in tests", calc(sum, testZero+strings.ReplaceAll(testSum, "got", "total")), green)
			next := hook("test: twice", calc(sum, testZero+strings.ReplaceAll(testSum, "got", "total")+testTwo), tidy)
			last := hook("feat: twice", calc(both, testZero+strings.ReplaceAll(testSum, "got", "total")+testTwo), next)
			var runs [][]string
			verify := l.checker(func(o *Options) {
				o.Author, o.Phase = Somebody, func(d facts.Doing) { runs = append(runs, d.Argv) }
			})
			for _, commit := range []gitx.ID{red, green, tidy, next, last} {
				j, err := verify.Commit(t.Context(), string(commit))
				gittest.Check(t, err)
				if !j.Verdict.Accepted() {
					t.Errorf("what a hook accepted is refused:\n%s", findings(j))
				}
			}
			if len(runs) > 0 {
				t.Errorf("measured again: %v", runs)
			}
		})
	}
}

// A hook asks the tests of the files that changed, and not those of the same name that
// stand on the same line of another file.
func TestEvidence_ofTheFileThatARunnerNames(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "pytest")
	l := newLab(t)
	test := "from calc import double\n\ndef test_double():\n    assert double(2) == 4\n"
	tree := l.tree(files{
		".tdd.yaml": "language: python\nci: {test_cmd: [python3, -m, pytest], check_cmd: [], fmt_cmd: []}\n", "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = [\".\"]\n",
		"calc.py": "def double(x):\n    return 2 * x\n", "test_calc.py": test, "test_twin.py": test,
	})
	hook := l.checker()
	p, err := hook.Project(t.Context(), tree)
	gittest.Check(t, err)
	plain, err := hook.Of(t.Context(), p, tree)
	gittest.Check(t, err)
	graded, err := hook.gradesOf(t.Context(), p, plain.Facts, selection{files: []string{"test_calc.py"}})
	if n := p.parts[0].measurer.AlteredCount(); err != nil || len(graded) != 1 || n != 1 {
		t.Errorf("%d altered runs graded %v (%v), want one of one test", n, graded, err)
	}
}

// A few tests stand for all where they take clearly less. Where no runner can be asked for less
// than all, they are not run by themselves to find out.
func TestStanding(t *testing.T) {
	t.Parallel()
	after := gates.Facts{DurationMS: 20_000}
	for i := range 9 {
		file := "test_" + string(rune('a'+i)) + ".py"
		after.Tests = append(after.Tests, gates.Test{ID: file + "::test_it", File: file, Status: gates.StatusPassed})
	}
	for _, c := range []struct {
		language, command string
		alone             int64 // ms
		asked, runs       int
	}{{"java", "mvn", 1_000, 9, 0}, {"python", "make", 1_000, 9, 0}, {"python", "pytest", 14_000, 1, 1}, {"python", "pytest", 18_000, 9, 1}} {
		known, err := lang.All().ByName(c.language)
		gittest.Check(t, err)
		one := &part{Project: testrun.Project{Language: known, Commands: testrun.Commands{Test: []string{c.command}}}}
		e := &examination{j: &Judgement{Case: &gates.Case{Measured: gates.Measured{After: after}}, Project: &Project{parts: []*part{one}}}}
		runs := 0
		got, _, err := e.standing(t.Context(), after.Tests[:1], func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			runs++
			return gates.Facts{DurationMS: c.alone, Tests: q.Tests}, nil
		}, quickSuite)
		if err != nil || len(got) != c.asked || runs != c.runs {
			t.Errorf("%s, %d ms: %d tests asked after %d runs, %v; want %d after %d", c.command, c.alone, len(got), runs, err, c.asked, c.runs)
		}
	}
}

// An altered run of a few tests may take what these take, not what all of them do; what has
// to be built, as long as all did.
func TestAltered_limit(t *testing.T) {
	t.Parallel()
	plain := gates.Facts{DurationMS: 20_000}
	for i := range 9 {
		plain.Tests = append(plain.Tests, gates.Test{ID: string(rune('a' + i)), Status: gates.StatusPassed})
	}
	for took, want := range map[time.Duration]time.Duration{0: 102 * time.Second, time.Second: 27 * time.Second, time.Minute: 102 * time.Second} {
		if a := altered(plain, evidence.Question{Tests: plain.Tests[:1], Took: took, Hasty: true}); a.Limit.Any != want || a.Longer != (facts.Limit{}) {
			t.Errorf("by themselves %s: %v, and %v more; want %s", took, a.Limit, a.Longer, want)
		}
	}
	plain.AloneMS = 1_000 // of what was built in the other 19 seconds
	if a := altered(plain, evidence.Question{}); a.Limit.Alone != 7*time.Second || a.Longer.Alone != 18*time.Second || a.Limit.Any != 102*time.Second {
		t.Errorf("what was built before: %v, and %v more", a.Limit, a.Longer)
	}
}

// Where tests are built by a command of its own, a hook does not alter all of them.
func TestAlterable(t *testing.T) {
	t.Parallel()
	for f, want := range map[*gates.Facts]bool{{TestMS: 400}: true, {TestMS: 600}: false, {TestMS: 400, AloneMS: 30}: false} {
		if alterable(*f) != want {
			t.Errorf("%+v: %t", f, !want)
		}
	}
}
