package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// kills is the one count of all that the tests of this package killed and signalled.
//
//nolint:gochecknoglobals // one table for all tests
var kills killTally

// killTally counts kills and signals by command, signal and target.
type killTally struct {
	sync.Mutex
	rows map[struck]toll
}

// struck is what was struck, and how.
type struck struct{ command, signal, target string }

// toll is what came of it. A round whose process had ended by itself when its time came
// has no hit.
type toll struct{ rounds, hits, violations int }

func (a toll) plus(b toll) toll {
	return toll{a.rounds + b.rounds, a.hits + b.hits, a.violations + b.violations}
}

// one is a single round.
func one(hit, violated bool) toll {
	n := map[bool]int{true: 1}
	return toll{1, n[hit], n[violated]}
}

func (s *killTally) add(k killing, round toll) {
	s.Lock()
	defer s.Unlock()
	if s.rows == nil {
		s.rows = map[struck]toll{}
	}
	target, signal := k.aim()
	row := struck{k.command(), signal, target}
	s.rows[row] = s.rows[row].plus(round)
}

// String is the table, and nothing where there was no round.
func (s *killTally) String() string {
	s.Lock()
	defer s.Unlock()
	if len(s.rows) == 0 {
		return ""
	}
	rows := slices.SortedFunc(maps.Keys(s.rows), func(a, b struck) int {
		return cmp.Or(cmp.Compare(a.command, b.command), cmp.Compare(a.signal, b.signal), cmp.Compare(a.target, b.target))
	})
	lines := "command\tsignal\ttarget\trounds\thits\tviolations\t\n"
	line := func(row struck, n toll) {
		lines += fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d\t\n", row.command, row.signal, row.target, n.rounds, n.hits, n.violations)
	}
	var sum toll
	for _, row := range rows {
		line(row, s.rows[row])
		sum = sum.plus(s.rows[row])
	}
	line(struck{command: "all"}, sum)
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = io.WriteString(w, lines) // to memory
	_ = w.Flush()
	return out.String()
}

// tallied are tests that show at their end what they have killed: go test -v prints it.
type tallied struct{ *testing.M }

func (m tallied) Run() int {
	code := m.M.Run()
	fmt.Fprint(os.Stderr, &kills)
	return code
}

// atEachCall strikes a command at its git commands in some ways: at every so many of these
// points, or as TDD_PART says.
func (lab *killLab) atEachCall(t *testing.T, k killing, ways []string, every int, round func(*testing.T, killing) (hit bool)) {
	t.Helper()
	tried, calls := gittest.Part(t, every), lab.count(t, k)
	for n := range calls * len(ways) {
		if !tried(n) {
			continue
		}
		k.at, k.when = n/len(ways)+1, ways[n%len(ways)]
		strike(t, fmt.Sprintf("%s%d/%s/%d", k.command(), k.steps, k.when, k.at), k, round)
	}
	t.Logf("%s: %d points", k.command(), calls*len(ways))
}

// strike is one round, which counts.
func strike(t *testing.T, name string, k killing, round func(*testing.T, killing) (hit bool)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		hit := false
		defer func() { kills.add(k, one(hit, t.Failed())) }()
		hit = round(t, k)
	})
}
