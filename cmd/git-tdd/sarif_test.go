package main

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/verify"
)

// GitHub's code scanning rejects a result without a file and a line.
func TestSarif_locations(t *testing.T) {
	t.Parallel()
	proof := verify.Proof{
		Commit: "c0ffee", Subject: "feat: one", Verdict: verify.Refused, Places: map[string]string{"": "src/cost.py", "costs": "test/cost_test.py"},
		Findings: []gates.Finding{
			{Gate: "scope", Path: "src/a.py", Line: 7},
			{Gate: "scope", Path: "src/a.py"},
			{Gate: "red", Test: "costs"},
			{Gate: "red", Test: "elsewhere"},
			{Gate: "message"},
		},
	}
	log := sarif(verify.Report{Commits: []verify.Proof{proof, {Commit: "bad", Findings: []gates.Finding{{Gate: "message"}}}}})
	want := []sarifPhysical{place("src/a.py", 7), place("src/a.py", 1), place("test/cost_test.py", 1), place("src/cost.py", 1), place("src/cost.py", 1), place(".tdd.yaml", 1)}
	for i, result := range log.Runs[0].Results {
		if got := result.Locations[0].Physical; got != want[i] {
			t.Errorf("result %d is at %v, want %v", i, got, want[i])
		}
	}
}

func place(uri string, line int) sarifPhysical {
	return sarifPhysical{Artifact: sarifArtifact{uri}, Region: sarifRegion{line}}
}
