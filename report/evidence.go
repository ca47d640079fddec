package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/prove"
)

// Evidence is what some changes' tests are worth, as a page shows it.
type Evidence struct {
	Name    string // of the repository
	Range   string // as people write it
	Each    bool   // the changes are the commits of a range, and not one
	Changes []Change
}

// Change is a change, and what was found out about it.
type Change struct {
	prove.Report
	Body  string // of the commit's message
	Patch []gitx.FilePatch
}

// ReadEvidence adds to what was found out the changes themselves.
func ReadEvidence(ctx context.Context, o Options, reports []prove.Report) (Evidence, error) {
	e := Evidence{Name: name(o.Repo), Range: o.Range}
	for _, r := range reports {
		c, what := Change{Report: r}, r.Changed
		if what.Head != "" {
			head, err := o.Repo.Commit(ctx, string(what.Head))
			if err != nil {
				return e, err
			}
			c.Body = plan(commitmsg.Parse(head.Message))
		}
		var err error
		if c.Patch, err = o.Repo.Patch(ctx, what.Base, what.Tree, maxPage/len(reports)+maxDiff); err != nil {
			return e, err
		}
		e.Changes = append(e.Changes, c)
	}
	return e, nil
}

// evidencePage is what the template shows.
type evidencePage struct {
	Title       string
	Name, Range string
	Class, Mark string
	Verdict     string
	Only        *change // the one change; nil if there are several
	Changes     []*change
	Few         bool
}

// change is a change as the page shows it.
type change struct {
	commit
	Why   string
	Sum   []figure
	Files []*block
	Rest  []row // what is not known, and what was measured
}

// EvidencePage is one HTML page: the verdict, what speaks for and against it, and
// the change with all that is known of its lines in the margin.
func EvidencePage(e Evidence) []byte {
	p := &evidencePage{Name: short(e.Name, 80), Range: short(e.Range, 80), Few: len(e.Changes) <= few}
	var all []*block
	var reports []prove.Report
	for i, c := range e.Changes {
		v := changeOf(c, i)
		reports = append(reports, c.Report)
		p.Changes = append(p.Changes, v)
		all = append(append(all, v.Blocks...), v.Files...)
	}
	p.Verdict = prove.Sum(reports)
	p.Mark, p.Class = LookOf(prove.Worst(reports))
	if !e.Each && len(p.Changes) == 1 {
		p.Only, p.Verdict = p.Changes[0], p.Changes[0].Phase
		p.Class = p.Only.Class
	}
	p.Title = p.Verdict + ": " + p.Name
	return filled("evidence.html", p, all)
}

// LookOf is how a verdict is marked, and the class of its colour.
func LookOf(v prove.Verdict) (mark, class string) {
	switch {
	case v == prove.NotJudged:
		return "?", "unjudged"
	case !v.Holds():
		return "✗", "refused"
	case v == prove.WithGaps:
		return "✓", "gap"
	}
	return "✓", "held"
}

func changeOf(c Change, number int) *change {
	id := gitx.ID(c.Head).Short()
	how := "git diff " + gitx.ID(c.Base).Short() + " " + id
	switch {
	case c.Head == "":
		how = "git diff --cached"
	case c.Base == "":
		how = "git show " + id
	}
	gaps, findings, notes, tests := notesOf(c.Gaps()), notesOf(c.Findings), notesOf(c.Notes), testNotes(c.Report)
	notes = slices.DeleteFunc(notes, func(n *note) bool { // what a gap says anyway
		return n.line > 0 && slices.ContainsFunc(gaps, func(g *note) bool { return g.path == n.path && g.line == n.line })
	})
	for _, n := range gaps {
		n.Text = strings.TrimPrefix(n.Text, "evidence: ")
	}
	mark, class := LookOf(c.Verdict)
	v := &change{commit: commit{
		Anchor: fmt.Sprintf("c%d", number+1), Short: id, Phase: string(c.Verdict), Mark: mark, Class: class,
		Subject: short(c.Subject, 200), Aside: gates.Count(len(findings)+len(gaps), map[bool]string{true: "gap", false: "finding"}[c.Verdict.Holds()]),
	}, Why: short(c.Why, 500), Sum: c.figures()}
	const evidence = "git tdd evidence"
	v.Blocks = slices.Concat(
		notesBlock("Why it does not hold", findings, evidence), notesBlock("Tests of the change, without it → with it", tests, evidence),
		notesBlock("Gaps: what nothing vouches for", gaps, evidence), notesBlock("Notes", notes, evidence),
	)
	if c.Body != "" {
		v.Blocks = append(v.Blocks, textBlock("What the commit says", c.Body, how))
	}
	v.Files = diffs(c.Patch, slices.Concat(findings, tests, gaps, notes), v.Anchor, how)
	for _, b := range v.Files {
		b.Open = len(v.Files) <= few || len(b.margin) > 0
	}
	for _, unknown := range c.Unknown {
		v.Rest = append(v.Rest, row{"Not known", short(unknown, 300)})
	}
	v.Rest = append(v.Rest, row{"Measured", c.Measured()})
	return v
}

// figures are the numbers of a change.
func (c Change) figures() []figure {
	fail := 0
	for _, t := range c.Tests {
		if t.Fails() {
			fail++
		}
	}
	out := []figure{{Value: fmt.Sprintf("%d of %d", fail, len(c.Tests)), Name: plural(len(c.Tests), "test") + " of the change", Detail: "fail without it"}}
	if c.Verdict.Holds() {
		unreached := 0
		for _, l := range c.Unreached {
			unreached += l.Last - l.First + 1
		}
		out = append(out, figure{Value: thousands(unreached), Name: plural(unreached, "line") + " of it", Detail: "no test reaches"})
	}
	if c.Tried > 0 {
		out = append(out, figure{Value: fmt.Sprintf("%d of %d", len(c.Unnoticed), c.Tried), Name: "small errors in it", Detail: "no test notices"})
	}
	if all := c.Old.Kept + len(c.Old.Gone); all > 0 {
		out = append(out, figure{Value: fmt.Sprintf("%d of %d", c.Old.Kept, all), Name: "old tests kept"})
	}
	return out
}

// testNotes says of each test how it ends without the change and with it.
func testNotes(r prove.Report) []*note {
	var out []*note
	for _, t := range r.Tests {
		n := &note{Class: "held", Sign: t.Signs(), path: t.File, line: t.Line}
		switch {
		case t.With == gates.StatusFailed:
			n.Class = "refused"
		case !t.Fails() && t.New:
			n.Class = "gap"
		}
		n.Text = short(strings.TrimSuffix(strings.TrimPrefix(t.ID, t.File+"::")+": "+r.Says(t), ": "), mostNote)
		n.Where = short(strings.TrimSuffix(fmt.Sprintf("%s:%d", t.File, t.Line), ":0"), mostLine)
		out = append(out, n)
	}
	return out
}
