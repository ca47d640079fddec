package verify_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/verify"
)

// quick leaves out what does not matter here.
const quick = "language: go\nci: {check_cmd: [], fmt_cmd: []}\n"

const (
	sum      = "func Sum(a, b int) int { return a + b }\n"
	sumZero  = "func Sum(a, b int) int { return 0 }\n"
	tidySum  = "// Sum adds.\n" + sum
	testZero = "func TestZero(t *testing.T) {\n\tif got := Sum(zero(), 0); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc zero() int { return 0 }\n"
	testSum  = "\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	testMore = "\nfunc TestMore(t *testing.T) {\n\tif got := Sum(2, 2); got != 5 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	testPass = "\nfunc TestPass(t *testing.T) {\n\tif got := Sum(2, 2); got != 4 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
)

func calc(source, tests string) files {
	return files{
		".tdd.yaml": quick, "go.mod": "module example.com/calc\n\ngo 1.21\n", "testdata/in.txt": "1\n",
		"calc.go": "package calc\n\n" + source, "calc_test.go": "package calc\n\nimport \"testing\"\n\n" + tests,
	}
}

// step is a message with the trailers of a step; as is "tester/red".
func step(subject string, n int, as, tests string, more ...string) string {
	role, phase, _ := strings.Cut(as, "/")
	m := fmt.Sprintf("%s\n\nTdd-Step: %d\nTdd-Role: %s\nTdd-Cycle: %d\nTdd-Phase: %s\nTdd-Tests: %s\n", subject, n, role, (n+2)/3, phase, tests)
	return m + strings.Join(more, "")
}

func red(subject string, n int, tests string, more ...string) string {
	return step(subject, n, "tester/red", tests, more...)
}

func green(subject, tests string, more ...string) string {
	return step(subject, 2, "implementor/green", tests, more...)
}

func refactor(subject, tests string, more ...string) string {
	return step(subject, 3, "refactorer/refactor", tests, more...)
}

const (
	redSum   = "Tdd-Red: example.com/calc.TestSum (assertion)\n"
	redMore  = "Tdd-Red: example.com/calc.TestMore (assertion)\n"
	model    = "Tdd-Model: some:model\n"
	sections = "\n\nContext:\n- Role: some\n\nRationale:\n- none\n\nDiff summary:\n- some\n\nVerification:\n- some"
)

// honest is an honest history.
type honest struct{ start, red, green, tidy gitx.ID }

func (h honest) ids() []gitx.ID { return []gitx.ID{h.start, h.red, h.green, h.tidy} }

func honestly(l *lab) honest {
	var h honest
	h.start = l.commit("chore: start", calc(sumZero, testZero))
	h.red = l.commit(red("test: sum", 1, "1 passed, 1 failed", redSum), calc(sumZero, testZero+testSum), h.start)
	h.green = l.commit(green("feat: sum", "2 passed, 0 failed"), calc(sum, testZero+testSum), h.red)
	h.tidy = l.commit(refactor("refactor: a word", "2 passed, 0 failed"), calc(tidySum, testZero+testSum), h.green)
	return h
}

// cheat is one way of cheating: a commit on top of an honest history.
type cheat struct {
	name    string
	parents []gitx.ID
	message string
	tree    files
	gate    string
	seen    string // what a finding of the gate says
}

// TestTampered changes an honest history in many dishonest ways. Each must be
// refused, at the commit that does it, by the gate that guards against it.
func TestTampered(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	h := honestly(l)
	ids := h.ids()
	var cheats []cheat
	for _, list := range [][]cheat{cheatingGreens(h), cheatingReds(h), cheatingRefactorings(h), cheatingOutside(l, h), cheatingClaims(h), cheatingAgents(h)} {
		cheats = append(cheats, list...)
	}
	if len(cheats) < 40 {
		t.Errorf("only %d ways of cheating", len(cheats))
	}
	for _, c := range cheats {
		ids = append(ids, l.commit(c.message, c.tree, c.parents...))
	}
	report := l.run(2, check.UseRecord, ids)
	for i, proof := range report.Commits[:len(h.ids())] {
		if proof.Verdict != verify.Held {
			t.Errorf("honest commit %d: %s %q", i, proof.Verdict, proof.Findings)
		}
	}
	for i, c := range cheats {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.caught(t, report.Commits[len(h.ids())+i])
		})
	}
	for _, jobs := range []int{1, 7} {
		if again := l.run(jobs, check.UseRecord, ids); !reflect.DeepEqual(again.Commits, report.Commits) {
			t.Errorf("%d jobs see another thing than 2", jobs)
		}
	}
	for of := range 6 {
		var parts []verify.Report
		for n := range of {
			part, shard := verify.Shard{Number: n + 1, Of: of}.Cut(ids)
			r := l.run(1+n%3, check.UseRecord, part)
			r.Shard = &shard
			parts = append(parts, r)
		}
		if whole, err := verify.Merge(parts); of > 0 && (err != nil || !reflect.DeepEqual(whole.Commits, report.Commits)) {
			t.Errorf("%d shards see another thing: %v", of, err)
		}
	}
}

func (c cheat) caught(t *testing.T, proof verify.Proof) {
	t.Helper()
	if proof.Verdict != verify.Refused {
		t.Errorf("%s (seen %s), want refused; %v", proof.Verdict, proof.Seen, proof.Findings)
	}
	for _, f := range proof.Findings {
		if f.Gate == c.gate && strings.Contains(f.String(), c.seen) {
			return
		}
	}
	t.Errorf("no finding of %s says %q: %v", c.gate, c.seen, proof.Findings)
}
