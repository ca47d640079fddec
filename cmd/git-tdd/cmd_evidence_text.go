package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

// showEvidence prints reports on changes in a format.
func (p *program) showEvidence(ctx context.Context, reports []prove.Report, what proving) error {
	switch what.format {
	case formatHTML:
		found, err := report.ReadEvidence(ctx, report.Options{Repo: p.repo, Range: what.revisions}, reports)
		if found.Each = what.each; err != nil {
			return err
		}
		return p.out.write(report.EvidencePage(found))
	case formatText:
		if !what.each {
			p.evidenceText(reports[0])
			return nil
		}
		for _, r := range reports {
			p.evidenceRow(r)
		}
		p.out.printf("%s\n", prove.Sum(reports))
		return nil
	case formatJSON:
		if what.each {
			return p.json(struct {
				Verdict prove.Verdict  `json:"verdict"`
				Changes []prove.Report `json:"changes"`
			}{prove.Worst(reports), reports})
		}
		return p.json(reports[0])
	case formatMarkdown:
		for _, r := range reports {
			p.out.printf("%s", evidenceMarkdown(r))
		}
		return nil
	}
	return p.render(proofsOf(reports), what.format, "evidence", prove.Sum(reports))
}

func styleOf(v prove.Verdict) (mark, style string) {
	mark, class := report.LookOf(v)
	return mark, cmp.Or(map[string]string{"refused": red, "held": green}[class], yellow)
}

// evidenceRow is a change in one line, and below it what speaks against it.
func (p *program) evidenceRow(r prove.Report) {
	mark, style := styleOf(r.Verdict)
	p.out.printf("%s %s %s  %s\n", p.out.paint(style, mark), gitx.ID(r.Head).Short(), p.out.paint(style, pad(string(r.Verdict), 17)), r.Subject)
	if r.Verdict == prove.NotJudged && len(r.Findings) == 0 {
		p.out.below("    ", r.Why)
	}
	p.evidenceAgainst(r)
}

// evidenceText is a change for a person: the verdict first.
func (p *program) evidenceText(r prove.Report) {
	mark, style := styleOf(r.Verdict)
	p.out.printf("%s  %s\n", p.out.paint(style, mark+" "+string(r.Verdict)), strings.TrimSpace(gitx.ID(r.Head).Short()+" "+r.Subject))
	if r.Why != "" {
		p.out.below("  ", r.Why)
	}
	if len(r.Tests) > 0 {
		p.out.printf("\ntests of the change, without it and with it\n")
	}
	shown, rest := r.Listed()
	for _, t := range shown {
		p.out.below("  ", strings.TrimSuffix(t.Signs()+"  "+t.ID+": "+r.Says(t), ": "))
	}
	for _, line := range rest {
		p.out.printf("  %s\n", line)
	}
	if len(r.Old.Gone)+r.Old.Kept > 0 {
		p.out.printf("\nold tests: %d kept, %d gone\n", r.Old.Kept, len(r.Old.Gone))
	}
	told := r.Old.Told()
	for i, f := range told {
		if i == mostTold && len(told) > mostTold+1 {
			p.out.printf("  and %d more like these (--json lists them)\n", len(told)-i)
			break
		}
		p.out.below("  ", cmp.Or(f.Test, fmt.Sprintf("%s:%d", f.Path, f.Line))+" "+f.Seen)
	}
	p.evidenceAgainst(r)
	p.out.printf("\n")
	p.out.below("", "not known: "+strings.Join(r.Unknown, "; "))
	p.out.printf("%s\n", r.Measured())
}

// mostTold is how many old tests that are not as they were are printed.
const mostTold = 12

// evidenceAgainst prints findings, gaps and notes.
func (p *program) evidenceAgainst(r prove.Report) {
	p.out.findings("    ", r.Findings)
	for _, places := range r.Places() {
		if len(places.Lines) > 0 {
			p.out.printf("\n%s\n", places.Title)
		}
		for _, l := range places.Lines {
			p.out.below("  ", strings.TrimPrefix(l.Where()+"  "+l.Text, "  "))
		}
	}
	p.evidenceErrors("these checks say nothing: their tests pass with the contrary, too", r.Idle)
	p.evidenceErrors("no test notices", r.Unnoticed)
	for _, f := range r.Notes {
		p.out.below("    ", "note: "+f.Shown())
	}
}

// evidenceErrors prints some small errors, each below the line in which it is made.
func (p *program) evidenceErrors(title string, errors []gates.Mutant) {
	if len(errors) > 0 {
		p.out.printf("\n%s\n", title)
	}
	var last gates.Mutant
	for _, m := range errors {
		if m.Path != last.Path || m.Line != last.Line || m.Was != last.Was {
			place := prove.Lines{Path: m.Path, First: m.Line, Last: max(m.Line, m.Last)}
			p.out.printf("  %s\n    %s\n", place.Where(), p.out.paint(dim, "- "+m.Was))
		}
		p.out.printf("    %s\n", p.out.paint(yellow, "+ "+m.Now))
		last = m
	}
}

// proofsOf puts reports into the form of those of verify, so that programs read both in
// one way: gaps are notes.
func proofsOf(reports []prove.Report) verify.Report {
	out := verify.Report{Commits: []verify.Proof{}}
	for _, r := range reports {
		proof := verify.Proof{
			Commit: gitx.ID(r.Head), Subject: r.Subject, Seen: string(r.Verdict) + ": " + r.Why,
			Verdict: verify.Held, Findings: r.Findings, Notes: append(r.Gaps(), r.Notes...), Places: map[string]string{},
		}
		for _, t := range r.Tests {
			proof.Places[t.ID], proof.Places[""] = t.File, t.File
		}
		if !r.Verdict.Holds() {
			proof.Verdict = verify.Refused
		}
		if r.Verdict == prove.NotJudged {
			proof.Verdict = verify.Unjudged
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
	fmt.Fprintf(&b, "### %s %s\n\n%s\n", mark, r.Verdict, cell(strings.TrimSpace(gitx.ID(r.Head).Short()+" "+r.Subject)))
	if r.Why != "" {
		fmt.Fprintf(&b, "\n%s\n", cell(r.Why))
	}
	if len(r.Tests) > 0 {
		b.WriteString("\n| without → with it | test of the change | |\n|---|---|---|\n")
	}
	shown, rest := r.Listed()
	for _, t := range shown {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", t.Signs(), cell(t.ID), cell(r.Says(t)))
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
