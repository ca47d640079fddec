package verify_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/verify"
)

// inferred is one commit of a history without trailers, and what it should be
// recognised as.
type inferred struct {
	subject string
	tree    files
	role    gates.Role
	phase   gates.Phase // empty if it is refused, or outside the loop
	seen    string      // what a finding says
}

func undisciplined() []inferred {
	const both = testZero + testSum
	two := both + strings.ReplaceAll(testMore, "got != 5", "got != 4 || Two() != 2")
	other := strings.Replace(two+testPass, "TestSum", "TestAdd", 1)
	const twoIs, three, said = "\nfunc Two() int { return 2 }\n", "\nfunc Three() int { return 3 }\n", "\n// Two is two."
	const four = "\nfunc Four() int { return 4 }\n"
	testFour := strings.NewReplacer("TestMore", "TestFour", "Sum(2, 2)", "Four()", "got != 5", "got != 4").Replace(testMore)
	const again = "\n\tif got := Four(); got < 4 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	last := calc(tidySum+said+twoIs+"\nfunc Four() int { return 2 + 2 }\n", other+strings.Replace(testFour, "\n}\n", again, 1))
	typo := last.With(files{"README.md": "y\n", "calc.go": strings.Replace(last["calc.go"], "Two is", "Two returns", 1)})
	const five = "\nfunc TestFive(t *testing.T) {\n\tif got := Sum(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	pinned := typo.With(files{"calc_test.go": typo["calc_test.go"] + five})
	const six = "\nfunc TestSix(t *testing.T) {\n\tif got := Sum(3, 3); got != 6 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	said2 := pinned.With(files{"calc.go": strings.Replace(pinned["calc.go"], "Two returns", "Two says", 1), "calc_test.go": pinned["calc_test.go"] + six})
	tools := said2.With(files{"go.mod": said2["go.mod"] + "// tools\n", "calc_test.go": said2["calc_test.go"] + "\n// The end.\n"})
	tidied := tools.With(files{"calc_test.go": strings.Replace(tools["calc_test.go"], "The end", "The very end", 1)})
	legacy := tidied.With(files{"legacy.go": "//go:build legacy\n\npackage calc\n\nfunc legacy() {}\n"})
	instead := tidied.With(files{"calc_test.go": tidied["calc_test.go"] + strings.NewReplacer("Six", "Seven", "3, 3", "3, 4", "!= 6", "!= 7").Replace(six)})
	summed := tidied.With(files{"calc.go": strings.Replace(tidied["calc.go"], "return a + b", "return a + b + 1 - 1", 1), "calc_test.go": strings.Replace(tidied["calc_test.go"], "Sum(3, 3)", "Sum(3, 1+2)", 1), "go.mod": "module example.com/calc\n\ngo 1.21\n"})
	return []inferred{
		{"Start", calc(sumZero, testZero), "", "", ""},
		{"A sum", calc(sumZero, both), gates.Tester, gates.PhaseRed, ""},
		{"It is added", calc(sum, both), gates.Implementor, gates.PhaseGreen, ""},
		{"Say what it does", calc(tidySum, both), gates.Refactorer, gates.PhaseRefactor, ""},
		{"RED a sum that is too large", calc(tidySum, both+testMore), gates.Tester, gates.PhaseRed, ""},
		{"GREEN", calc("func Sum(a, b int) int {\n\tif a == b && a > 0 {\n\t\treturn 5\n\t}\n\treturn a + b\n}\n", both+testMore), gates.Implementor, gates.PhaseGreen, ""},
		{"[REFACTOR] words", calc("// Sum adds.\nfunc Sum(a, b int) int {\n\tif a == b && a > 0 {\n\t\treturn 5\n\t}\n\treturn a + b\n}\n", both+testMore), gates.Refactorer, gates.PhaseRefactor, ""},
		{"A failing test, with a stub", calc(tidySum+"\nfunc Two() int { return 0 }\n", two), gates.Tester, "", "the tester changes what is no test"},
		{"Make it pass", calc(tidySum+twoIs, two), gates.Implementor, gates.PhaseGreen, ""},
		{"A function, and a test of another", calc(tidySum+twoIs+three, two+testPass), "", "", ""},
		{"Another name for a test", calc(tidySum+twoIs+three, other), gates.Refactorer, gates.PhaseRefactor, ""},
		{"green: nothing was red", calc(tidySum+said+twoIs+three, other), gates.Implementor, "", "no test is failing"},
		{"Refactor: one less", calc(tidySum+said+twoIs, other), gates.Refactorer, gates.PhaseRefactor, ""},
		{"chore: four", calc(tidySum+said+twoIs+four, other+testFour), gates.Implementor, "", "tests and code come in one commit"},
		{"An assertion more, and tidier code", last, "", "", ""},
		{"docs: words", last.With(files{"README.md": "x\n"}), "", "", ""},
		{"fix(ci): words", last.With(files{"README.md": "y\n"}), "", "", ""},
		{"fix: a typo", typo, gates.Refactorer, gates.PhaseRefactor, ""},
		{"More tests", pinned, gates.Tester, gates.PhaseGreen, ""},
		{"More tests, and what it says", said2, "", "", ""},
		{"Bump the tools", tools, "", "", ""},
		{"test: words", tidied, gates.Refactorer, gates.PhaseRefactor, ""},
		{"chore: what some build only", legacy, "", "", ""},
		{"A test in its place", instead, "", "", ""},
		{"Another sum, and its test", summed, gates.Refactorer, "", "configuration"},
		{"Quicker", summed.With(files{"calc.go": strings.Replace(summed["calc.go"], "return a + b", "return a - b", 1)}), gates.Refactorer, "", "this test fails now"},
	}
}

func TestInfer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var ids, parents []gitx.ID
	history := undisciplined()
	for _, c := range history {
		id := l.commit(c.subject, c.tree, parents...)
		ids, parents = append(ids, id), []gitx.ID{id}
	}
	report := l.infer(1, check.Anew, ids)
	for i, c := range history {
		c.told(t, report.Commits[i])
	}
	if notes := noted(report, "green: nothing was red"); !strings.Contains(notes, "as a refactoring it would have held") {
		t.Errorf("nothing was red, and nothing that a test sees changed: told %q", notes)
	}
	if again := l.infer(3, check.UseRecord, ids); !reflect.DeepEqual(again.Commits, report.Commits) {
		t.Error("3 jobs, with all of it on record, see another thing than 1")
	}
}

// noted is what was told of a commit beside its verdict.
func noted(r verify.Report, subject string) string {
	i := slices.IndexFunc(r.Commits, func(p verify.Proof) bool { return p.Subject == subject })
	return fmt.Sprint(r.Commits[i].Notes)
}

func (c inferred) told(t *testing.T, proof verify.Proof) {
	t.Helper()
	if proof.Role != c.role || proof.Phase != c.phase {
		t.Errorf("%s: is %s %s (seen %s), want %s %s; %q", c.subject, proof.Role, proof.Phase, proof.Seen, c.role, c.phase, proof.Findings)
	}
	if (proof.Verdict == verify.Refused) != (c.seen != "") {
		t.Errorf("%s: %s %q", c.subject, proof.Verdict, proof.Findings)
	}
	for _, f := range proof.Findings {
		if strings.Contains(f.String(), c.seen) {
			return
		}
	}
	if c.seen != "" {
		t.Errorf("%s: no finding says %q: %q", c.subject, c.seen, proof.Findings)
	}
}

// infer judges a history.
func (l *lab) infer(jobs int, fresh check.Fresh, ids []gitx.ID) verify.Report {
	l.Helper()
	shared := &check.Shared{}
	report, err := verify.Infer(l.Context(), verify.Options{
		Repo: l.repo, Jobs: jobs,
		Open: func() *check.Checker {
			return check.New(check.Options{Repo: l.repo, Dirs: l.dirs, Environ: l.Env, Languages: lang.All(), Fresh: fresh, Shared: shared})
		},
	}, ids)
	gittest.Check(l, err)
	return report
}

// Tests that do not even compile, for no red of the history, show nothing of what a
// commit did; the commit that lets them run is as good as a first one.
func TestInfer_whereNothingRan(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	broken := testZero + "\nfunc TestHalf(\n"
	start := l.commit("Start", calc(sumZero, broken))
	words := l.commit("Words", calc("// Sum adds.\n"+sumZero, broken), start)
	mended := l.commit("Mend the tests", calc("// Sum adds.\n"+sumZero, testZero), words)
	report := l.infer(1, check.UseRecord, []gitx.ID{words, mended})
	if p := report.Commits[0]; p.Verdict != verify.Unjudged || !strings.Contains(p.Findings[0].Seen, "neither before") {
		t.Errorf("nothing ran: %s as %q (seen %s) %q", p.Verdict, p.Role, p.Seen, p.Findings)
	}
	if p := report.Commits[1]; p.Verdict != verify.Held || p.Role != "" {
		t.Errorf("it runs now: %s as %q, %q", p.Verdict, p.Role, p.Findings)
	}
}
