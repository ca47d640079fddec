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
			"ci: {test_cmd: [sh, all.sh], report: {format: tap}}\ngates: {confirm_runs: %d}\n", runs),
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
