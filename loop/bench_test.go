package loop_test

import (
	"fmt"
	"testing"
)

// BenchmarkStep takes one step per round, with a model that answers
// immediately, on a project whose tests take no time: what remains is git-tdd
// and git.
func BenchmarkStep(b *testing.B) {
	l := newLab(b, shell())
	run := l.loop()
	for i := 0; b.Loop(); i++ {
		n := i/3 + 1
		l.model.script = []string{[]string{
			fmt.Sprintf("test: number %d\n=== tests/a_test.sh\ntest -f src/a%d.sh\n", n, n),
			fmt.Sprintf("feat: number %d\n=== src/a%d.sh\n# number %d\n", n, n, n),
			fmt.Sprintf("refactor: tidy\n=== src/all.sh\n# all %d\n", n),
		}[i%3]}
		if _, err := run.Step(b.Context()); err != nil {
			b.Fatal(err, l.refused)
		}
	}
}
