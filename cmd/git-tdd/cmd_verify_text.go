package main

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/verify"
)

// showProof prints one row of the table (commit, step, phase, subject, what the tests
// showed, verdict) and the findings below it. On a terminal a row is one line.
func (p *program) showProof(proof verify.Proof) {
	style := map[verify.Verdict]string{verify.Held: green, verify.Refused: red, verify.Unjudged: yellow}[proof.Verdict]
	mark := map[verify.Verdict]string{verify.Held: "✓", verify.Refused: "✗", verify.Unjudged: "?"}[proof.Verdict]
	subject, seen := proof.Subject, shown(proof)
	if width := p.out.width(); width > 0 {
		// Columns: all that has a fixed width, what the tests usually need, and the subject.
		const fixed, tests, least, most = 36, 8, 16, 72
		seen = counted(seen)
		room := min(max(least, width-fixed-max(tests, columns(seen))), most)
		subject = pad(cut(clean.Text(subject), room), room)
		seen = pad(cut(clean.Text(seen), width-fixed-room), min(tests, width-fixed-room))
	}
	verdict := string(proof.Verdict)
	if doubt := proof.Doubt(); doubt != "" {
		verdict, style = verdict+", but "+doubt, yellow
	}
	if told := proof.Told(); len(told) > 0 {
		verdict, style = verdict+", told "+strings.Join(told, ", "), yellow
	}
	p.out.printf("%s %s %3s %s %s  %s  %s\n", p.out.paint(style, mark), proof.Commit.Short(), number(proof.Step), p.phase(phaseOf(proof)),
		subject, p.out.paint(dim, seen), p.out.paint(style, verdict))
	p.out.findings("    ", proof.Findings)
	for _, f := range proof.Notes {
		p.out.below("    ", map[bool]string{false: "note: ", true: "told: "}[f.Told]+f.Shown())
	}
}

// phaseOf is the phase of a commit: inferred, or as it claims.
func phaseOf(proof verify.Proof) gates.Phase {
	if proof.Phase != "" {
		return proof.Phase
	}
	claimed, _, _ := strings.Cut(proof.Claim, ", ")
	switch phase := gates.Phase(claimed); phase {
	case gates.PhaseRed, gates.PhaseGreen, gates.PhaseRefactor, gates.PhaseKeep, gates.PhaseCycle:
		return phase
	}
	return ""
}

// shown is what was seen; and what was claimed, as far as that is more or different.
func shown(proof verify.Proof) string {
	claim := strings.TrimPrefix(strings.TrimPrefix(proof.Claim, string(phaseOf(proof))), ", ")
	special, agreed := strings.CutPrefix(claim, proof.Seen)
	switch special = strings.TrimPrefix(special, ", "); {
	case proof.Seen == "" && claim == "":
		return ""
	case proof.Seen == "":
		return "claims " + claim
	case claim == "" || agreed && special == "":
		return proof.Seen
	case agreed:
		return proof.Seen + ", " + special
	}
	return proof.Seen + "; claims " + claim
}

// claimAndSeen says both, for reports that programs read.
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

// summaryOf is a report in one line.
func summaryOf(r verify.Report) string {
	text := fmt.Sprintf("%s: %d held, %d refused", gates.Count(len(r.Commits), "commit"), r.Count(verify.Held), r.Count(verify.Refused))
	if phases := phasesOf(r); phases != "" {
		text += ", of those held " + phases
	}
	if n := r.Count(verify.Unjudged); n > 0 {
		text += fmt.Sprintf(", %d could not be judged", n)
	}
	if n := r.LetThrough(); n > 0 {
		text += fmt.Sprintf(", %d of those held only told (gates.enforce)", n)
	}
	if n := r.Doubtful(); n > 0 {
		text += fmt.Sprintf(", %d of those held in doubt", n)
	}
	if r.Shard != nil {
		text += " in shard " + r.Shard.String()
	}
	if n := r.Partial(); n > 0 {
		text += fmt.Sprintf(", %d asked no more than their hook asked", n)
	}
	if r.Measured == 0 {
		return text + " (facts on record; --fresh measures anew)"
	}
	return text + fmt.Sprintf(" (%s measured)", gates.Count(r.Measured, "tree"))
}

// phasesOf counts what inferred steps were; empty if none was inferred.
func phasesOf(r verify.Report) string {
	all := gates.Each(r.Commits, func(proof verify.Proof) gates.Phase { return proof.Phase })
	return strings.Join(gates.Counts(all, []gates.Phase{gates.PhaseRed, gates.PhaseGreen, gates.PhaseCycle, gates.PhaseRefactor, gates.PhaseKeep}, gates.Word), ", ")
}
