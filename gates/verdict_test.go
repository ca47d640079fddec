package gates_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestEnforced(t *testing.T) {
	t.Parallel()
	tell := map[string]gates.Enforcement{gates.EnforceDefault: gates.EnforceTell}
	but := map[string]gates.Enforcement{gates.EnforceDefault: gates.EnforceTell, "hollow": gates.EnforceRefuse}
	turn, hollow := gates.Finding{Gate: "turn"}, gates.Finding{Gate: "hollow"}
	rules := gates.Finding{Gate: "protected", Path: ".tdd.yaml"}
	slow := gates.Finding{Gate: "green", Unjudged: true}
	for name, c := range map[string]struct {
		policy    map[string]gates.Enforcement
		agent     bool
		findings  []gates.Finding
		refused   int
		told      []string
		tolerated bool
	}{
		"nothing is said":                    {findings: []gates.Finding{turn}, refused: 1},
		"all are told":                       {policy: tell, findings: []gates.Finding{turn, hollow, turn}, told: []string{"turn", "hollow"}},
		"one refuses":                        {policy: but, findings: []gates.Finding{turn, hollow}, refused: 1},
		"the one that refuses has no object": {policy: but, findings: []gates.Finding{turn}, told: []string{"turn"}},
		"a person changes the rules":         {policy: tell, findings: []gates.Finding{rules}, told: []string{"protected"}},
		"an agent changes the rules":         {policy: tell, agent: true, findings: []gates.Finding{rules}, refused: 1},
		"nobody knows":                       {policy: tell, findings: []gates.Finding{slow, turn}, refused: 1, tolerated: true},
		"nobody knows, and one gate refuses": {policy: but, findings: []gates.Finding{slow, hollow}, refused: 2},
		"nobody knows, and all gates refuse": {findings: []gates.Finding{slow}, refused: 1},
	} {
		v := gates.Verdict{Findings: c.findings, Judged: !slices.Contains(c.findings, slow)}
		k := &gates.Case{Premise: gates.Premise{Agent: c.agent, Policy: gates.Policy{Enforce: c.policy}}}
		got := v.Enforced(k)
		if len(got.Findings) != c.refused || !slices.Equal(got.Told(), c.told) || k.Policy.Tolerates(got) != c.tolerated {
			t.Errorf("%s: %+v, told %q, tolerated %v", name, got, got.Told(), k.Policy.Tolerates(got))
		}
	}
}
