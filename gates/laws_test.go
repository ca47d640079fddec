package gates_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// TestLaws checks the laws of the rulebook on random cases. Each is made from a
// few words, so that ids, files and symbols often coincide.
func TestLaws(t *testing.T) {
	t.Parallel()
	accepted := map[gates.Role]int{}
	for seed := range uint64(12000) {
		c := randomCase(seed)
		holdLaws(t, c, randomCase(seed))
		if gates.Judge(c).Accepted() {
			accepted[c.Plays]++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, r := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer, ""} {
		if accepted[r] < 20 {
			t.Errorf("only %d cases of role %q were accepted: the laws say little", accepted[r], r)
		}
	}
}

// FuzzLaws looks for a case that breaks a law.
func FuzzLaws(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		t.Parallel()
		holdLaws(t, randomCase(seed), randomCase(seed))
	})
}

// TestLawsOnExamples checks the same laws on every example.
func TestLawsOnExamples(t *testing.T) {
	t.Parallel()
	for _, name := range exampleFiles(t) {
		a, b := readExample(t, name), readExample(t, name)
		holdLaws(t, &a.c, &b.c)
	}
}

// holdLaws gets the same case twice, made independently.
func holdLaws(t *testing.T, c, same *gates.Case) {
	t.Helper()
	v := gates.Judge(c)
	if !reflect.DeepEqual(c, same) {
		t.Error("judging changed the case")
	}
	if again := gates.Judge(same); !reflect.DeepEqual(v, again) {
		t.Errorf("not deterministic:\n%v\n%v", v, again)
	}
	for _, f := range gates.JudgeStatic(&c.Premise).Findings {
		if !slices.Contains(v.Findings, f) {
			t.Errorf("a still gate objects, but not among all: %v", f)
		}
	}
	for _, f := range v.Findings {
		if f.Gate == "" || f.Seen == "" || f.Remedy == "" {
			t.Errorf("a finding that does not say who, what or how to go on: %+v", f)
		}
	}
	lawOfRoles(t, c, v)
	lawOfColours(t, c, v)
}

// lawOfRoles: no case is right for both the tester and the implementor.
func lawOfRoles(t *testing.T, c *gates.Case, v gates.Verdict) {
	t.Helper()
	other := *c
	switch {
	case !v.Accepted():
		return
	case c.Plays == gates.Tester:
		other.Role, other.Plays = gates.Implementor, gates.Implementor
	case c.Plays == gates.Implementor:
		other.Role, other.Plays = gates.Tester, gates.Tester
	default:
		return
	}
	if gates.Judge(&other).Accepted() {
		t.Errorf("accepted as %s and as %s: %+v", c.Plays, other.Plays, c)
	}
}

// lawOfColours: after an accepted step the facts show its colour, so that the
// turn of the next one is right.
func lawOfColours(t *testing.T, c *gates.Case, v gates.Verdict) {
	t.Helper()
	if !v.Accepted() || c.Plays == "" {
		return
	}
	step := c.Next()
	step.Tests = gates.TestsText(c.After)
	after := gates.Position{Commit: "next", Step: step}
	if step.Phase == gates.PhaseRed {
		step.Red, _ = gates.Reds(c)
		if text := gates.Contradiction(after, c.After, &c.Before); text != "" {
			t.Errorf("an accepted red contradicts itself: %s\n%+v", text, c)
		}
		return
	}
	if text := gates.Contradiction(after, c.After, nil); text != "" {
		t.Errorf("an accepted %s contradicts itself: %s\n%+v", step.Phase, text, c)
	}
}
