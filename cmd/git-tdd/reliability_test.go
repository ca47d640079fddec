package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestReliability: docs/reliability.md is what testdata/reliability.txt says, and
// each test that is named there exists. RELIABILITY_UPDATE=1 writes it anew.
func TestReliability(t *testing.T) {
	t.Parallel()
	matrix := gittest.Read(t, filepath.Join("testdata", "reliability.txt"))
	var table strings.Builder
	counts := map[string]int{}
	for row := range strings.Lines(matrix) {
		cells := strings.SplitN(strings.TrimSpace(row), " | ", 3)
		if len(cells) != 3 {
			t.Fatalf("a row has an id, a fault and its tests: %s", row)
		}
		state, shown := judged(t, cells[0], cells[2])
		counts[state]++
		if state != "passes" {
			shown = state + ": " + shown
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", cells[0], cells[1], shown)
	}
	want := fmt.Sprintf(`# What is held against failures and attacks

For people who ask what it survives. Each row is a fault or an attack with the tests that play it: pass: %d, not applicable: %d, open: %d. Generated from `+
		"`cmd/git-tdd/testdata/reliability.txt`; a test fails when it is stale, or names a test that there is not."+`

C1, C3 and C5 together (`+"`TDD_LONG=1 TDD_PART=0/1 go test -v -timeout 70m -run '^(TestKill|TestKillUndo|TestSignals|TestKillCommands|TestKillCommandsAtAnyTime)$' ./cmd/git-tdd`"+`) sent 2,482 signals, of which 2,261 hit a process that lived; no violation.

C: crashes and other people's work. P: processes of tests. S: the box. L: what models answer. T: trust.

| id | fault or attack | tests |
|---|---|---|
%s`, counts["passes"], counts["not applicable"], counts["open"], table.String())
	file := filepath.Join("..", "..", "docs", "reliability.md")
	if os.Getenv("RELIABILITY_UPDATE") != "" {
		gittest.Write(t, file, want)
	}
	if got := gittest.Read(t, file); got != want {
		t.Errorf("%s is stale: RELIABILITY_UPDATE=1 go test -run TestReliability ./cmd/git-tdd", file)
	}
}

// judged is the state of a row, and what the table shows for it.
func judged(t *testing.T, id, cell string) (state, shown string) {
	t.Helper()
	for _, state := range []string{"open", "not applicable"} {
		if why, ok := strings.CutPrefix(cell, state); ok {
			return state, strings.TrimPrefix(why, ": ")
		}
	}
	var names []string
	for test := range strings.SplitSeq(cell, "; ") {
		dir, name, _ := strings.Cut(test, " ")
		if !there(t, dir, name) {
			t.Errorf("%s names %s, which there is not", id, test)
		}
		names = append(names, "`"+test+"`")
	}
	return "passes", strings.Join(names, ", ")
}

// there reports whether a test exists: a script, a file, or a function.
func there(t *testing.T, dir, name string) bool {
	t.Helper()
	if dir == "script" {
		_, err := os.Stat(filepath.Join("testdata", "script", name+".txtar"))
		return err == nil
	}
	dir = filepath.Join("..", "..", filepath.FromSlash(dir))
	if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
		return true
	}
	function := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(`)
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	gittest.Check(t, err)
	for _, file := range files {
		if function.MatchString(gittest.Read(t, file)) {
			return true
		}
	}
	return false
}
