package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// runs is how many runs must agree in these stories.
const runs = 4

// planted is a shell project that writes TAP. Its tests are the files of t; if
// the sources have the given value, one of them ends as the list says: by its
// first letter on the first run, and so on. The number of runs is kept in a
// folder that the workbench leaves alone.
func planted(list, name string, value int) files {
	return files{
		".tdd.yaml": fmt.Sprintf("language: {name: shell, test: [t/**], source: [src/**], build_dirs: [state]}\n"+
			"ci: {test_cmd: [sh, all.sh], report: tap}\ngates: {confirm_runs: %d}\n", runs),
		"all.sh": "n=0\nfor f in t/*; do n=$((n+1)); sh $f && echo \"ok $n - $f\" || { echo \"not ok $n - $f\"; bad=1; }; done\n" +
			"echo \"1..$n\"\ntest -z \"$bad\"\n",
		"t/steady": "test \"$(cat src/value)\" -ge 0\n", "src/value": "0\n",
		"t/flaky": fmt.Sprintf("test \"$(cat src/value)\" = %d || exit 0\n", value) + "mkdir -p state\necho x >>state/" + name + "\nlist=" + list + "\n" +
			"test \"$(echo \"$list\" | cut -c$(($(wc -l <state/" + name + "))))\" = p\n",
	}
}

const testWanted = "test \"$(cat src/value)\" = 1\n"

// lists are 50 sequences of passing and failing, some with one odd run and some
// random, all with both outcomes among the runs that must agree.
func lists() []string {
	var out []string
	for odd := range runs {
		one := strings.Repeat("p", odd) + "f" + strings.Repeat("p", runs-odd-1)
		out = append(out, one, strings.NewReplacer("p", "f", "f", "p").Replace(one))
	}
	for seed := uint64(0); len(out) < 50; seed++ {
		r := rand.New(rand.NewPCG(seed, seed))
		var list strings.Builder
		for range runs {
			list.WriteByte("pf"[r.IntN(2)])
		}
		if drawn := list.String(); strings.Contains(drawn, "p") && strings.Contains(drawn, "f") {
			out = append(out, drawn)
		}
	}
	return out
}

// named checks that a step is refused and that the finding names the test.
func (l *lab) named(s step, what string) {
	l.Helper()
	if s.accepted || !slices.ContainsFunc(s.j.Verdict.Findings, func(f gates.Finding) bool {
		return f.Test == "t/flaky" && strings.HasPrefix(f.Seen, "flaky: ")
	}) {
		l.Errorf("%s: accepted: %t\n%s", what, s.accepted, findings(s.j))
	}
}

// A flaky test is named in each of 50 trials: as a tester's red, next to the
// red that is answered, and next to the red of another test.
func TestFlaky_isNamed(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "sh")
	l := newLab(t)
	c := l.checker()
	without := func(f files) files { return f.With(files{"t/flaky": "-"}) }
	for i, list := range lists() {
		name := fmt.Sprint("n", i)
		f := planted(list, name, i%3%2)
		start := l.commit("chore: start", without(f))
		switch i % 3 {
		case 0:
			l.named(l.propose(c, "test: it is flaky", f, start), "a red: "+list)
		case 1:
			red := l.must(c, "test: one", without(f).With(files{"t/wanted": testWanted}), start)
			l.named(l.propose(c, "feat: one", f.With(files{"t/wanted": testWanted, "src/value": "1\n"}), l.smuggled(red, f)), "a green: "+list)
		case 2:
			l.named(l.propose(c, "test: one", f.With(files{"t/wanted": testWanted}), start), "beside a red: "+list)
		}
	}
}

// smuggled is a commit that gets the flaky test past the gates.
func (l *lab) smuggled(red step, f files) gitx.ID {
	l.Helper()
	return l.commit("chore: a test in passing", f.With(files{"t/wanted": testWanted}), red.commit)
}

// Where no failure matters, a flaky test that passes in the first run is not
// noticed; one that fails there is named.
func TestFlaky_outsideOfRedAndGreen(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "sh")
	l := newLab(t)
	c := l.checker()
	for i, list := range []string{"fpff", "ffpp"} {
		f := planted(list, fmt.Sprint("o", i), 0)
		start := l.commit("chore: start", f.With(files{"t/flaky": "-"}))
		l.named(l.propose(c, "chore: a test", f, start), list)
	}
	steady := planted("ffff", "s", 0)
	start := l.commit("chore: start", steady.With(files{"t/flaky": "-"}))
	red := l.must(c, "test: it fails each time", steady, start)
	if got := red.j.Step.Red; len(got) != 1 || got[0].ID != "t/flaky" {
		t.Errorf("%+v", got)
	}
}

// oldFlaky is a test of Go that ends as the list says, a letter a run.
func oldFlaky(state, list string) string {
	return fmt.Sprintf("func TestOld(t *testing.T) {\n\tf, err := os.OpenFile(%q, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n"+
		"\t_, _ = f.WriteString(\"x\")\n\tat, _ := f.Seek(0, 1)\n\tif list := %q; list[min(int(at), len(list))-1] != 'p' {\n\t\tt.Error(\"by chance\")\n\t}\n}\n", state, list)
}

// An old test that fails by chance in a commit that cannot have touched it is nobody's
// fault; one that fails each time is, and so is one whose sources the commit changes.
func TestFlaky_oldAndUntouched(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	for i, c := range []struct {
		list    string
		message string
		change  files
		refused bool
	}{
		{"pfp", "test: sum", files{"sum_test.go": "package calc\n\nimport \"testing\"\n\n" + testSum}, false},
		{"pffp", "test: sum", files{"sum_test.go": "package calc\n\nimport \"testing\"\n\n" + testSum}, false},
		{"pf", "test: sum", files{"sum_test.go": "package calc\n\nimport \"testing\"\n\n" + testSum}, true},
		{"pfp", "chore: another package", files{"more/more.go": "package more\n\nfunc More() {}\n"}, false},
		{"pfp", "refactor: zero", files{"calc.go": "package calc\n\n" + strings.Replace(sumZero, "return 0", "return 1 - 1", 1)}, true},
		{"pfp", "chore: its sources", files{"calc.go": "package calc\n\n" + sumZero + "\nfunc More() {}\n"}, true},
	} {
		state := fmt.Sprintf("%s/old%d", t.TempDir(), i)
		base := calc(sumZero, testZero)
		base = base.With(files{"old_test.go": "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" + oldFlaky(state, c.list)})
		start := l.commit("chore: start", base)
		s := l.propose(l.checker(), c.message, base.With(c.change), start)
		told := slices.ContainsFunc(s.j.Verdict.Notes, func(f gates.Finding) bool {
			return strings.HasSuffix(f.Test, ".TestOld") && strings.HasPrefix(f.Seen, "flaky: ")
		})
		if s.accepted == c.refused || told == c.refused {
			t.Errorf("%s of %s: accepted %t, told %t\n%s", c.message, c.list, s.accepted, told, findings(s.j))
		}
		if s.accepted {
			l.verifies(s.commit)
		}
	}
}

// A test whose id changes from run to run is not gone, and the commit that gives it a
// steady one is accepted. One that is taken away among them is missed.
func TestFlaky_ids(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	named := func(name, more string) files {
		return calc(sumZero, testZero).With(files{"ids_test.go": "package calc\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n\t\"testing\"\n)\n\nvar seed = " + name + "\n\n" +
			"func TestRows(t *testing.T) {\n\tt.Run(fmt.Sprint(\"row\", seed), func(t *testing.T) {\n\t\tif Sum(0, 0) != 0 {\n\t\t\tt.Error(\"no\")\n\t\t}\n\t})\n}\n" + more})
	}
	unsteady := named("rand.Int()", testSumZero)
	start := l.commit("chore: start", unsteady)
	l.verifies(l.must(l.checker(), "chore: docs", unsteady.With(files{"more/more.go": "package more\n"}), start).commit)
	l.verifies(l.must(l.checker(), "refactor: zero", unsteady.With(files{
		"calc.go":     "package calc\n\n" + strings.Replace(sumZero, "return 0", "return 1 - 1", 1),
		"ids_test.go": strings.Replace(unsteady["ids_test.go"], "func TestRows", "// Of rows.\nfunc TestRows", 1),
	}), start).commit)
	l.must(l.checker(), "test: sum", unsteady.With(files{"sum_test.go": "package calc\n\nimport \"testing\"\n" + testSum}), start)
	l.verifies(l.must(l.checker(), "chore: a steady name", named("rand.Int() * 0", testSumZero), start).commit)
	l.refused(l.propose(l.checker(), "chore: a steady name", named("rand.Int() * 0", ""), start), "stay-green")
}

const testSumZero = "\nfunc TestSumZero(t *testing.T) {\n\tif Sum(0, 0) != 0 {\n\t\tt.Error(\"no\")\n\t}\n}\n"
