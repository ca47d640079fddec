package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

// renderEvidence prints reports for a program.
func (p *program) renderEvidence(reports []prove.Report, format string) error {
	proofs := proofsOf(reports)
	switch format {
	case formatJUnit:
		return p.junit("git tdd evidence", proofs)
	case formatSARIF:
		return p.json(sarif(proofs))
	case formatGitHub:
		p.out.printf("%s%s\n", annotations(proofs), prove.Sum(reports))
	case formatMarkdown:
		for _, r := range reports {
			p.out.printf("%s", evidenceMarkdown(r))
		}
	}
	return nil
}

// evidencePage prints reports as a page.
func (p *program) evidencePage(ctx context.Context, o report.Options, each bool, reports []prove.Report) error {
	found, err := report.ReadEvidence(ctx, o, reports)
	if err != nil {
		return err
	}
	found.Each = each
	var page bytes.Buffer
	if err := report.WriteEvidence(&page, found); err != nil {
		return err
	}
	return p.out.write(page.Bytes())
}

// proofsOf puts reports into the form of those of verify, so that programs read both in
// one way: gaps are notes.
func proofsOf(reports []prove.Report) verify.Report {
	out := verify.Report{Commits: []verify.Proof{}}
	for _, r := range reports {
		proof := verify.Proof{
			Commit: gitx.ID(r.Head), Subject: r.Subject, Claim: string(r.Verdict), Seen: r.Why,
			Verdict: verify.Held, Findings: r.Findings, Notes: append(r.Gaps(), r.Notes...), Places: map[string]string{},
		}
		for _, t := range r.Tests {
			proof.Places[t.ID], proof.Places[""] = t.File, t.File
		}
		switch r.Verdict {
		case prove.NotJudged:
			proof.Verdict = verify.Unjudged
		case prove.Unproven, prove.Refuted:
			proof.Verdict = verify.Refused
		case prove.Proven, prove.WithGaps, prove.Pinned, prove.Refactoring, prove.Withdrawn:
		}
		if proof.Verdict != verify.Held && len(proof.Findings) == 0 {
			proof.Findings = []gates.Finding{{Gate: "evidence", Seen: r.Why, Remedy: "see git tdd evidence", Unjudged: r.Verdict == prove.NotJudged}}
		}
		out.Commits = append(out.Commits, proof)
	}
	return out
}

// evidenceMarkdown is a report for the page of a pull request.
func evidenceMarkdown(r prove.Report) string {
	var b strings.Builder
	mark, _ := styleOf(r.Verdict)
	fmt.Fprintf(&b, "### %s %s\n\n%s\n", mark, r.Verdict, cell(strings.TrimSpace(short(r.Head)+" "+r.Subject)))
	if r.Why != "" {
		fmt.Fprintf(&b, "\n%s\n", cell(r.Why))
	}
	if len(r.Tests) > 0 {
		b.WriteString("\n| test of the change | without it | with it | notices |\n|---|---|---|--:|\n")
	}
	shown, rest := r.Listed()
	for _, t := range shown {
		notices := ""
		if r.Tier == prove.Full {
			notices = fmt.Sprint(t.Catches)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(t.ID), cell(withoutText(t)), t.With, notices)
	}
	for _, line := range rest {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	fmt.Fprintf(&b, "\nOld tests: %d kept, %d gone\n\n", r.Old.Kept, len(r.Old.Gone))
	for _, f := range append(append([]gates.Finding{}, r.Findings...), append(r.Gaps(), r.Notes...)...) {
		fmt.Fprintf(&b, "- %s\n", cell(f.String()))
	}
	fmt.Fprintf(&b, "\nNot known: %s.\n\n%s\n", cell(strings.Join(r.Unknown, "; ")), cell(r.Measured()))
	return b.String()
}

// withoutText says how a test ends without the change.
func withoutText(t prove.Test) string {
	switch {
	case t.Message != "":
		return fmt.Sprintf("fails: %s (%s)", t.Message, t.Class)
	case t.Fails():
		return "fails (" + string(t.Class) + ")"
	case t.Without == gates.StatusPassed:
		return "passes too"
	}
	return "not there"
}
