package main

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/verify"
)

// showProof prints one row of the table (commit, step, role, subject, claim,
// what was seen, verdict) and a line for each finding.
func (p *program) showProof(proof verify.Proof) {
	mark := p.out.paint(green, "✓")
	if proof.Verdict != verify.Held {
		mark = p.out.paint(red, "✗")
	}
	p.out.printf("%s %s %3s %-11s %s  %s  %s\n", mark, proof.Commit.Short(), number(proof.Step), string(proof.Role),
		proof.Subject, claimAndSeen(proof), proof.Verdict)
	for _, line := range gates.Tell(proof.Findings) {
		p.out.printf("    %s\n", line)
	}
	for _, f := range proof.Notes {
		p.out.printf("    note: %s\n", f.String())
	}
}

// claimAndSeen says both, if there are both.
func claimAndSeen(proof verify.Proof) string {
	switch {
	case proof.Phase != "":
		return "is " + string(proof.Phase) + ": " + proof.Seen
	case proof.Claim == "" && proof.Seen == "":
		return "nothing to measure"
	case proof.Claim == "":
		return proof.Seen
	case proof.Seen == "":
		return "claims " + proof.Claim
	}
	return "claims " + proof.Claim + "; seen " + proof.Seen
}

func number(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

func (p *program) sumUp(r verify.Report) { p.out.printf("%s\n", summaryOf(r)) }

// summaryOf is a report in one line.
func summaryOf(r verify.Report) string {
	text := fmt.Sprintf("%s: %d held, %d refused", count(len(r.Commits), "commit"), r.Count(verify.Held), r.Count(verify.Refused))
	if phases := phasesOf(r); phases != "" {
		text += ", of those held " + phases
	}
	if n := r.Count(verify.Unjudged); n > 0 {
		text += fmt.Sprintf(", %d could not be judged", n)
	}
	if r.Shard != nil {
		text += " in shard " + r.Shard.String()
	}
	if r.Measured == 0 {
		return text + " (facts on record; --fresh measures anew)"
	}
	return text + fmt.Sprintf(" (%s measured)", count(r.Measured, "tree"))
}

// phasesOf counts what inferred steps were; empty if none was inferred.
func phasesOf(r verify.Report) string {
	var parts []string
	for _, phase := range []gates.Phase{gates.PhaseRed, gates.PhaseGreen, gates.PhaseRefactor} {
		n := 0
		for _, proof := range r.Commits {
			if proof.Phase == phase {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, phase))
		}
	}
	return strings.Join(parts, ", ")
}
