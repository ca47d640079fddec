package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

// lab is a repository whose commits are made by plumbing, with a checker.
type lab struct {
	*gittest.Repo
	repo    *gitx.Repo
	checker *check.Checker
	ids     []gitx.ID
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{Repo: gittest.New(t)}
	var err error
	l.repo, err = gitx.Open(t.Context(), gitx.Options{Dir: l.Dir, Environ: l.Env})
	gittest.Check(t, err)
	l.checker = check.New(check.Options{
		Repo: l.repo, Environ: l.Env, Languages: lang.All(), Fresh: check.Recorded,
		Dirs:   facts.Dirs{Cache: filepath.Join(l.Home, "cache"), State: filepath.Join(l.Home, "state")},
		Permit: func(*check.Project) error { t.Error("a report wants to run something"); return nil },
	})
	t.Cleanup(func() { _, _ = l.checker.Close(), l.repo.Close() })
	return l
}

// commit adds a commit to the history of the lab.
func (l *lab) commit(message string, f gittest.Files) {
	l.Helper()
	var parents []gitx.ID
	if len(l.ids) > 0 {
		parents = l.ids[len(l.ids)-1:]
	}
	id := gittest.CommitTree(l.Repo, message, gitx.ID(l.Tree(f)), parents...)
	l.ids = append(l.ids, id)
}

func (l *lab) read(proofs *verify.Report) report.History {
	l.Helper()
	h, err := report.Read(l.Context(), report.Options{Repo: l.repo, Checker: l.checker, Commits: l.ids, Range: "main", Proofs: proofs})
	gittest.Check(l, err)
	return h
}

func (l *lab) page(proofs *verify.Report) string {
	l.Helper()
	return write(l, l.read(proofs))
}

func write(tb testing.TB, h report.History) string {
	tb.Helper()
	return string(report.Page(h))
}

// wants checks that a page says something.
func wants(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

const kata = "# Kata\n\n## Acceptance criteria\n\n1. nothing gives 0\n2. one & two\n"

func start(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	base := gittest.Files{".tdd.yaml": "language: go\nkata_description: kata.md\n", "kata.md": kata, "go.mod": "module x\n"}
	l.commit("chore: begin\n", base)
	l.commit("test(x): zero\n\nRationale:\n- the simplest case\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\n"+
		"Tdd-Tests: 0 passed, 1 failed\nTdd-Red: x.TestZero (assertion)\nTdd-Attempts: 2\nTdd-Model: m\nTdd-Tokens: 1200 in, 34 out (estimated)\nTdd-Criterion: 1\n",
		base.With(gittest.Files{"x_test.go": "package x\n// a test\n"}))
	l.commit("feat(x): zero\n\nTdd-Step: 2\nTdd-Role: implementor\nTdd-Cycle: 1\nTdd-Phase: green\nTdd-Tests: 1 passed, 0 failed\n",
		base.With(gittest.Files{"x_test.go": "package x\n// a test\n", "x.go": "package x\n"}))
	return l
}

// attempt keeps a refused attempt on top of a commit.
func (l *lab) attempt(name string, on gitx.ID, findings string) {
	l.Helper()
	tree := gitx.ID(l.Tree(gittest.Files{"a": name}))
	id := gittest.CommitTree(l.Repo, "attempt 1 of a step, refused\n\n"+findings+"\n", tree, on)
	l.Git("update-ref", "refs/tdd/attempts/"+name+"-"+id.Short(), string(id))
}

// TestPage: a page shows what trailers claim, what was refused, and what is open.
func TestPage(t *testing.T) {
	t.Parallel()
	l := start(t)
	l.attempt("1-tester/1", l.ids[0], "red: x_test.go: it passes at once → write another\nsize: too much → less")
	l.attempt("3-refactorer/1", l.ids[2], "same-tests: gone → put it back")
	l.attempt("1-tester/1", l.ids[1], "green: of another history, in which this is no step → nothing")
	page := l.page(nil)
	wellFormed(t, page)
	wants(t, page,
		"the simplest case", "x.TestZero (assertion)", "2 attempts", "1\u202f200", "some are estimated", "not measured here; its trailers claim 1 passed, 0 failed",
		"Attempt 1, refused", "it passes at once → write another", "not taken yet, by the refactorer", "put it back",
		"one &amp; two", "2, not measured here", "named; the last commit has not been measured here", `<ins data-n="1">&#43;package x`, "Before the first step", "Cycle 1",
		`<th scope="row">red</th><td class="n">1</td>`, `<th scope="row">size</th><td class="n">1</td>`,
	)
	if strings.Contains(page, "of another history") || strings.Contains(page, "verdict") && strings.Contains(page, "held") && strings.Contains(page, "1 held") {
		t.Error("the page says what nobody knows")
	}
	if again := l.page(nil); again != page {
		t.Error("the same history made two different pages")
	}
}

// TestVerdicts: with proofs the same page says what held.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	l := start(t)
	proofs := &verify.Report{Commits: []verify.Proof{
		{Commit: l.ids[0], Verdict: verify.Held},
		{Commit: l.ids[1], Verdict: verify.Refused, Findings: []gates.Finding{{Gate: "red", Seen: "it <passes>", Remedy: "mend it"}}},
		{Commit: l.ids[2], Verdict: verify.Unjudged},
	}}
	wants(t, l.page(proofs), "1 held, 1 refused, 1 could not be judged", "it &lt;passes&gt;", `title="refused"`, `title="held"`, `title="unjudged"`)
}

// TestPageOfPeople: without trailers the types of the commits say which phase each
// is of; and without any commit there is a page too.
func TestPageOfPeople(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	wants(t, l.page(nil), "No commit is in this range")
	l.commit("feat: two\n", gittest.Files{"x.go": "package x\n", ".tdd.yaml": "languag: go\n"})
	l.commit("whatever\n", gittest.Files{"x.go": "package y\n"})
	wants(t, l.page(nil), "by its type; no trailer says it", `phase green`, `phase other`, "settings of "+l.ids[0].Short()+" cannot be read")
}

// hostile is what others may write anywhere.
const hostile = "</title></style></pre><script>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"x' style='x {{.}} \u202e\u200b\x1b[2J &#x202e; javascript:alert(1)"

// TestPageIsHarmless: nothing that others wrote becomes markup, or deceives.
func TestPageIsHarmless(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.commit("test: "+hostile+"\n\nRationale:\n- "+hostile+"\n\nTdd-Step: 1\nTdd-Role: "+hostile+"\nTdd-Cycle: 1\nTdd-Phase: red\" onload=\"\nTdd-Tests: "+hostile+
		"\nTdd-Red: "+hostile+" (assertion)\nTdd-Model: "+hostile+"\nTdd-Tokens: 1 in, 2 out"+hostile+"\nTdd-Outcome: "+hostile+"\nTdd-Note: "+hostile+"\nTdd-Review: "+hostile+"\nTdd-Criterion: 1\n",
		gittest.Files{hostile[:20] + "\n": hostile, ".tdd.yaml": "kata_description: kata.md\nlanguage: go\n", "kata.md": kata + "3. " + hostile + "\n"})
	l.attempt("2-tester/1", l.ids[0], hostile)
	proofs := &verify.Report{Commits: []verify.Proof{{Commit: l.ids[0], Verdict: "x\" onload=\"", Phase: hostile, Findings: []gates.Finding{{Gate: hostile, Seen: hostile, Path: hostile}}}}}
	h := l.read(proofs)
	h.Name, h.Range, h.Notes = hostile, hostile, []string{hostile}
	page := write(t, h)
	wellFormed(t, page)
	if clean.Text(page) != page {
		t.Error("the page deceives")
	}
	tags := regexp.MustCompile(`<[a-zA-Z/!][^>]*>`).FindAllString(page, -1)
	known := regexp.MustCompile(`^</?(!doctype|html|head|meta|title|style|body|header|h[1-3]|p|code|div|dl|dt|dd|main|section|text|line|a|ul|li|b|bdi|table|thead|tbody|tr|th|td|span|br|ol|details|summary|strong|time|pre|ins|del|i|footer)\b`)
	for _, tag := range tags {
		if !known.MatchString(tag) || strings.Contains(tag, "onload=\"") || strings.Contains(tag, "onerror") && !strings.Contains(tag, "&#34;") && !strings.Contains(tag, "&lt;") {
			t.Errorf("a tag that is not ours: %s", tag)
		}
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1]
	sum := sha256.Sum256([]byte(style))
	wants(t, html.UnescapeString(page), "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:]))
}

// TestPageOfThousandSteps stays below 5 MB whatever the steps hold, and small
// texts are whole in it.
func TestPageOfThousandSteps(t *testing.T) {
	t.Parallel()
	for _, filling := range []string{"a line of code\n", hostile + "\n", strings.Repeat("'", 300) + "\n"} {
		h := report.History{Name: "big"}
		for i := range 1000 {
			c := report.Commit{Phase: gates.PhaseRed, Patch: []gitx.FilePatch{{Path: "x", Text: "diff --git a/x b/x\n@@ -1 +1 @@\n", Lines: 5000}}}
			c.ID = gitx.ID(fmt.Sprintf("%040x", i))
			c.Step.Number, c.Step.Cycle = i+1, i/3+1
			c.Message.Subject, c.Message.Body = "test: "+filling, strings.Repeat(filling, 20)
			for c.Patch[0].Text += "+"; len(c.Patch[0].Text) < 7_000; {
				c.Patch[0].Text += filling + "+"
			}
			h.Commits = append(h.Commits, c)
		}
		h.Commits[7].Message.Body = "this is short and whole"
		page := write(t, h)
		if len(page) >= 5_000_000 {
			t.Errorf("%d bytes with %.20q", len(page), filling)
		}
		wants(t, page, "this is short and whole", "more lines. git show 00000000")
	}
}
