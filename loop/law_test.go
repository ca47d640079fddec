package loop_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
)

// Everything that the loop commits is accepted by the gates, then and by any
// later judgement; what it refuses leaves nothing but its ref behind.
func TestLaw(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			l := newLab(t, shell(".tdd.yaml", shellConfig+policies()[seed%4]))
			run := l.loop()
			before := l.Git("rev-list", "--count", "HEAD")
			taken := 0
			for range 6 {
				l.model.script = script(r, taken/3+1)
				_, err := run.Step(t.Context())
				var stop *loop.StopError
				switch {
				case err == nil:
					taken++
				case !errors.As(err, &stop):
					t.Fatal(err)
				}
				if stop != nil && stop.Reason == loop.Done {
					taken++ // the commit that completes the kata
					break
				}
			}
			after := l.Git("rev-list", "--count", "HEAD")
			if got := fmt.Sprintf("%s+%d", before, taken); after != fmt.Sprint(1+taken) {
				t.Errorf("%s commits, not %s", after, got)
			}
			if got := l.Git("status", "--porcelain"); got != "" {
				t.Errorf("status: %s", got)
			}
			l.open() // a new process: nothing is remembered
			l.verify(taken + 1)
		})
	}
}

func policies() []string {
	return []string{"", "gates: {characterization: allow}\n", "rotation: [tester, implementor]\n", "gates: {stubs: allow, confirm_runs: 2}\n"}
}

// script is a number of answers, right and wrong, for any role.
func script(r *rand.Rand, n int) []string {
	good := map[gates.Role]string{
		gates.Tester:      fmt.Sprintf("test: number %d\n=== tests/a%d_test.sh\ntest -f src/a%d.sh\n", n, n, n),
		gates.Implementor: fmt.Sprintf("feat: number %d\n=== src/a%d.sh\n# number %d\n", n, n, n),
		gates.Refactorer:  "refactor: tidy\n=== src/all.sh\n# all, " + strings.Repeat("tidy ", n) + "\n",
	}
	odd := []string{
		"done", "raw\n{", "raw\n{\"edits\":[]}",
		"test: passes\n=== tests/p_test.sh\ntrue\n",
		"test: both\n=== tests/q_test.sh\nfalse\n=== src/q.sh\n# q\n",
		"feat: out of turn\n=== src/x.sh\n# x\n",
		"feat: weaker\n=== tests/a1_test.sh\ntrue\n",
		"refactor: breaks\n=== tests/all.sh\nexit 1\n",
		"fix: Ünïcode – and a “summary”. BREAKING CHANGE: \n=== src/ü.sh\n# ü\n",
		"chore: config\n=== .tdd.yaml\nlanguage: generic\n",
		"refactor: gone\n=== delete src/all.sh",
		"test: none\n=== ../x\n#\n",
	}
	var out []string
	for range 5 {
		switch r.IntN(3) {
		case 0:
			out = append(out, odd[r.IntN(len(odd))])
		case 1:
			out = append(out, good[gates.Tester])
		default:
			out = append(out, good[[]gates.Role{gates.Implementor, gates.Refactorer}[r.IntN(2)]])
		}
	}
	return out
}
