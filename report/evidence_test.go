package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/report"
)

func evidencePage(t *testing.T, e report.Evidence) string {
	t.Helper()
	page := string(report.EvidencePage(e))
	wellFormed(t, page)
	return page
}

// wellFormed checks that every element is closed where it should be, and that nothing is
// fetched or run.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	for _, void := range []string{"meta", "input", "br"} {
		page = regexp.MustCompile(`<`+void+`\b[^>]*>`).ReplaceAllStringFunc(page, func(tag string) string {
			return regexp.MustCompile(` checked`).ReplaceAllString(strings.TrimSuffix(tag, ">"), ` checked=""`) + "/>"
		})
	}
	page = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, "")
	page = strings.ReplaceAll(strings.Replace(page, "<!doctype html>", "", 1), " open><summary>", ` open=""><summary>`)
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = map[string]string{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		tag, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if name := tag.Name.Local; strings.Contains(" script link img iframe object embed base form video audio source ", " "+name+" ") {
			t.Errorf("an element %s", name)
		}
		for _, a := range tag.Attr {
			if name := a.Name.Local; strings.HasPrefix(name, "on") || name == "src" || name == "style" || name == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("<%s %s=%q>", tag.Name.Local, name, a.Value)
			}
		}
	}
}

// rate is a change with a gap at each of two lines.
func rate() report.Change {
	return report.Change{
		Report: prove.Report{
			Verdict: prove.WithGaps, Why: "TestRate fails", Tier: prove.Full, Head: "0123456789", Base: "abcdef0123", Subject: "feat: a rate",
			Tests:     []prove.Test{{ID: "rate_test.go::TestRate", File: "rate_test.go", Line: 3, New: true, Class: gates.ClassMissingSymbol, Message: "undefined: Rate", With: gates.StatusPassed, Catches: 2}},
			Old:       prove.Old{Kept: 2, Gone: []prove.Gone{{ID: "TestOld"}}},
			Unreached: []prove.Lines{{Path: "rate.go", First: 3, Last: 3, Text: "return 7"}},
			Unnoticed: []gates.Mutant{
				{Path: "rate.go", Line: 2, What: "n > 10 for n >= 10", Was: "if n >= 10 {", Now: "if n > 10 {"},
				{Path: "rate.go", Line: 2, What: "11 for 10", Was: "if n >= 10 {", Now: "if n >= 11 {"},
			},
			Notes: []gates.Finding{{Gate: "hollow", Path: "rate.go", Line: 2, Seen: "what a gap says", Note: true}},
			Tried: 5, Unknown: []string{"who saw it"}, Runs: 3,
		},
		Body: "It is **due**.\n",
		Patch: []gitx.FilePatch{
			{Path: "rate.go", Added: 3, Lines: 5, Text: "diff --git a/rate.go b/rate.go\n@@ -0,0 +1,3 @@\n+func Rate(n int) int {\n+\tif n >= 10 {\n+\t\treturn 7\n"},
			{Path: "rate_test.go", Added: 3, Lines: 7, Text: "diff --git a/rate_test.go b/rate_test.go\n@@ -0,0 +1,3 @@\n+package x\n+\n+func TestRate(t *testing.T) {\n"},
		},
	}
}

// TestWriteEvidence: the verdict comes first, and each gap stands below its line, where
// its entry in the list leads.
func TestWriteEvidence(t *testing.T) {
	t.Parallel()
	page := evidencePage(t, report.Evidence{Name: "shop", Changes: []report.Change{rate()}})
	wants(t, page, "2 of 5", "undefined: Rate (missing-symbol); notices 2 small errors", "TestOld</span> <bdi>is gone", "It is **due**.",
		"who saw it", "git diff abcdef01 01234567")
	if strings.Contains(page, "what a gap says") || strings.Contains(page, "rate_test.go::") {
		t.Error("a note repeats a gap, or a test its file")
	}
	at := -1
	for _, text := range []string{
		"<h1", "proven, with gaps", "1 of 1", `href="#c1-2-3-1"`, `href="#c1-1-3-1"`, `href="#c1-1-2-2"`, "<del>- if n &gt;= 10 {",
		`<ins class="at" data-n="2">&#43;	if n &gt;= 10 {`, `id="c1-1-2-2"`, "if this line is made wrong", "<ins>+ if n &gt; 10 {", "<ins>+ if n &gt;= 11 {",
		`<ins class="at" data-n="3">&#43;		return 7`, `id="c1-1-3-1"`, "no test reaches this", `data-n="3">&#43;func TestRate`, `id="c1-2-3-1"`, "✗ → ✓",
	} {
		next := strings.Index(page[at+1:], text)
		if next < 0 {
			t.Fatalf("%q does not stand in its place", text)
		}
		at += 1 + next
	}
}

// TestWriteEvidence_each: a row a commit.
func TestWriteEvidence_each(t *testing.T) {
	t.Parallel()
	bad := rate()
	bad.Verdict, bad.Why, bad.Findings = prove.Refuted, "hollow", []gates.Finding{{Gate: "hollow", Path: "rate_test.go", Line: 3, Test: "TestRate", Seen: "it passes", Remedy: "mend it"}}
	page := evidencePage(t, report.Evidence{Name: "shop", Range: "main..topic", Each: true, Changes: []report.Change{rate(), bad}})
	wants(t, page, "2 changes: 1 proven, with gaps; 1 refuted", "Why it does not hold", `class="margin refused" id="c2-2-3-1"`, `<b class="refused">refuted</b>`)
	wants(t, evidencePage(t, report.Evidence{Each: true}), "0 changes")
}

// TestEvidenceIsHarmless: nothing of a change becomes markup, deceives, or has no end.
func TestEvidenceIsHarmless(t *testing.T) {
	t.Parallel()
	h := hostile + strings.Repeat("long", 300_000)
	c := rate()
	c.Why, c.Subject, c.Body, c.Head, c.Base = h, h, h+"\n- "+h, hostile, hostile
	c.Findings = []gates.Finding{{Gate: h, Path: h, Seen: h, Remedy: h, Test: h}}
	c.Tests[0] = prove.Test{ID: h, File: "rate_test.go", Line: 3, Message: h, Class: gates.Class(h), With: gates.StatusPassed}
	c.Old.Gone, c.Unknown = []prove.Gone{{ID: h, File: h}}, []string{h}
	c.Unreached[0].Text, c.Unnoticed[0].Was, c.Unnoticed[0].Now = h, h, h
	c.Patch[0].Text = strings.ReplaceAll(c.Patch[0].Text, "return 7", strings.Repeat(hostile, 20))
	c.Patch[0].Path = hostile
	page := evidencePage(t, report.Evidence{Name: h, Range: h, Changes: []report.Change{c}})
	if clean.Text(page) != page {
		t.Error("the page deceives")
	}
	if strings.Contains(page, "<img") || strings.Contains(page, "<script") {
		t.Error("markup of others")
	}
	if len(page) > 5_000_000 {
		t.Errorf("%d bytes", len(page))
	}
}

// TestEvidenceOfManyChanges stays below 5 MB.
func TestEvidenceOfManyChanges(t *testing.T) {
	t.Parallel()
	c := rate()
	c.Patch[1].Text += strings.Repeat("+"+strings.Repeat("a long line ", 40)+"\n", 100)
	c.Patch[1].Lines += 100
	e := report.Evidence{Each: true}
	for i := range 200 {
		c.Subject = fmt.Sprint("feat: ", i)
		e.Changes = append(e.Changes, c)
	}
	page := report.EvidencePage(e)
	if len(page) > 5_000_000 || !strings.Contains(string(page), "more lines. git diff") {
		t.Errorf("%d bytes", len(page))
	}
}
