package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
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
	text, err := json.Marshal(sarif(verify.Report{Commits: []verify.Proof{proof, {Commit: "bad", Findings: []gates.Finding{{Gate: "message"}}}}}))
	gittest.Check(t, err)
	places := regexp.MustCompile(`"artifactLocation":{"uri":"([^"]+)"},"region":{"startLine":(\d+)}`)
	var got []string
	for _, m := range places.FindAllSubmatch(text, -1) {
		got = append(got, string(m[1])+":"+string(m[2]))
	}
	if want := []string{"src/a.py:7", "src/a.py:1", "test/cost_test.py:1", "src/cost.py:1", "src/cost.py:1", ".tdd.yaml:1"}; !slices.Equal(got, want) {
		t.Errorf("results are at %v, want %v", got, want)
	}
}
