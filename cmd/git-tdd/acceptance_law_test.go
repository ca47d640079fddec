package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// acceptanceProject names its tests, and each waits for its own source.
func acceptanceProject() gittest.Files {
	return gittest.Files{
		".tdd.yaml": "language: {name: sh, test: [\"tests/*_test.sh\"], support: [\"tests/*.sh\"], source: [\"src/**\"], declares: [\"# checks (\\\\w+)\"]}\n" +
			"ci: {test_cmd: [sh, tests/all.sh], report: tap}\n",
		"tests/all.sh": "n=0 bad=0\nfor t in tests/*_test.sh; do\n\tn=$((n + 1)) name=${t#tests/}\n" +
			"\tif sh \"$t\"; then echo \"ok $n - ${name%_test.sh}\"; else echo \"not ok $n - ${name%_test.sh}\"; bad=1; fi\ndone\necho \"1..$n\"\nexit $bad\n",
		"tests/base_test.sh": "# checks base\ntest -f src/base.sh\n",
		"src/base.sh":        "# base\n",
		"kata.md":            "# Parts\n\n## Acceptance criteria\n\n1. One.\n2. Two.\n",
	}
}

// outerAct does something to a history that may have an open acceptance test, and
// commits it somehow.
func (l *lawLab) outerAct() {
	l.Helper()
	l.fresh()
	n := l.rand.IntN(3)
	test := func(name, waits string) { l.Write("tests/"+name+"_test.sh", "# checks "+name+"\n"+waits+"\n") }
	part := fmt.Sprintf("test -f src/p%d.sh", n)
	both := "test -f src/p0.sh && test -f src/p1.sh"
	changes := []func(){
		func() { test("whole", both) },
		func() { test("whole", both) },
		func() { test("whole", part) },
		func() { test(fmt.Sprintf("p%d", n), part) },
		func() { test(fmt.Sprintf("p%d", n), part) },
		func() { l.Write(fmt.Sprintf("src/p%d.sh", n), "# part\n") },
		func() { l.Write(fmt.Sprintf("src/p%d.sh", n), "# part\n") },
		func() { l.Write("src/base.sh", fmt.Sprintf("# base %d\n", l.rand.IntN(9))) },
		func() { l.git("rm", "-q", "tests/whole_test.sh") },
		func() { l.git("mv", "tests/whole_test.sh", "tests/other_test.sh") },
		func() { // as a change of one's own: in the middle of a revert only the message is judged
			l.git("revert", "--no-commit", fmt.Sprintf("HEAD~%d", n))
			l.git("revert", "--quit")
		},
		func() { l.Write("README.md", fmt.Sprintf("%d\n", n)) },
	}
	what := l.rand.IntN(len(changes))
	changes[what]()
	l.git("add", "-A")
	subjects := []string{"test: it", "test: it", "test: it", "feat: it", "feat: it", "refactor: it", "chore: it", "revert: it", "fixup! test: it"}
	trailers := []string{"Tdd-Outcome: acceptance", "Tdd-Outcome: acceptance", "Tdd-Outcome: disputed", "Tdd-Outcome: retired", "Tdd-Accepted: whole", ""}
	args := []string{"commit", "-q", "-m", subjects[l.rand.IntN(len(subjects))], "--trailer", fmt.Sprintf("Tdd-Criterion: %d", 1+n)}
	if trailer := trailers[l.rand.IntN(len(trailers))]; trailer != "" {
		args = append(args, "--trailer", trailer)
	}
	l.done = append(l.done, fmt.Sprintf("act %d.%d", what, n))
	l.commit(args...)
}

// outerSensible takes the next honest step of a double loop.
func (l *lawLab) outerSensible() {
	l.Helper()
	l.fresh()
	steps := []struct{ file, text, subject, trailer string }{
		{"tests/whole_test.sh", "# checks whole\ntest -f src/p0.sh && test -f src/p1.sh\n", "test: the whole", "Tdd-Outcome: acceptance"},
		{"tests/p0_test.sh", "# checks p0\ntest -f src/p0.sh\n", "test: p0", ""},
		{"src/p0.sh", "# part\n", "feat: p0", ""},
		{"tests/p1_test.sh", "# checks p1\ntest -f src/p1.sh\n", "test: p1", ""},
		{"src/p1.sh", "# part\n", "feat: p1", ""},
	}
	if l.took >= len(steps) {
		return
	}
	s := steps[l.took]
	l.Write(s.file, s.text)
	l.git("add", "-A")
	args := []string{"commit", "-q", "-m", s.subject, "--trailer", "Tdd-Criterion: 1"}
	if s.trailer != "" {
		args = append(args, "--trailer", s.trailer)
	}
	if l.commit(args...) {
		l.took++
	}
}

// TestLaw_acceptanceTestsVerify: whatever somebody does to a history with an open
// acceptance test, the hooks accept it if and only if verify does.
// TDD_LAW_SEQUENCES says how many sequences to try.
func TestLaw_acceptanceTestsVerify(t *testing.T) {
	t.Parallel()
	sequences := 4
	if n, err := strconv.Atoi(os.Getenv("TDD_LAW_SEQUENCES")); err == nil {
		sequences = n
	}
	for seed := range uint64(sequences) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := &lawLab{Repo: gittest.New(t), rand: rand.New(rand.NewPCG(seed, 1))}
			l.Env = append(append(l.Env, "GIT_EDITOR=true"), gittest.XDG(l.Home)...)
			acceptanceProject().Write(t, l.Dir)
			l.Commit("chore: start")
			l.Git("tdd", "trust")
			l.Git("tdd", "hooks", "install")
			for range 12 {
				if l.rand.IntN(3) == 0 {
					l.outerSensible()
				} else {
					l.outerAct()
				}
			}
			if out, held := l.git("tdd", "verify", "--fresh"); !held {
				t.Errorf("%q\n%s", l.done, out)
			}
		})
	}
}
