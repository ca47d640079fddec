package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/verify"
)

//go:embed *.html
var files embed.FS

//go:embed style.css
var style string

// page is what the template shows.
type page struct {
	Name, Range string
	Period      string
	Sum         []figure
	Verdict     string  // the sum of all verdicts; empty if nobody judged
	Class       string  // of its colour
	Objected    []*note // the first commits that did not hold
	Notes       []string
	Roles       []role
	Tokens      bool // some role says how many it used
	Estimated   bool // some of them are
	Refusals    []row
	Criteria    []criterion
	Measured    bool // whether the last commit was, so that it is known which are met
	Met         int
	Kata        *block // its text
	Cycles      []cycle
	Pending     *commit
	Few         bool // few enough to be printed whole
	Title       string
}

// few is how many commits are printed with all that can be opened.
const few = 40

// Page is a history as one HTML page.
func Page(h History) []byte {
	p := pageOf(h)
	p.Title = p.Name + ": red, green, refactor"
	var blocks []*block
	for _, c := range p.Cycles {
		for _, commit := range c.Commits {
			blocks = append(blocks, commit.Blocks...)
		}
	}
	if p.Pending != nil {
		blocks = append(blocks, p.Pending.Blocks...)
	}
	if p.Kata != nil {
		blocks = append(blocks, p.Kata)
	}
	return filled("page.html", p, blocks)
}

// filled is a page with its data, and with as much of each of its blocks as there is room for.
func filled(name string, data any, blocks []*block) []byte {
	tmpl := template.Must(template.New(name).Funcs(template.FuncMap{
		"thousands": thousands,
		"css":       func() template.CSS { return template.CSS(style) }, //nolint:gosec // it is ours
		"hash": func() string { // of the CSS, as the page's Content-Security-Policy names it
			sum := sha256.Sum256([]byte(style))
			return base64.StdEncoding.EncodeToString(sum[:])
		},
	}).ParseFS(files, name, "parts.html"))
	for _, b := range blocks {
		b.fit(maxPage / 2 / len(blocks))
	}
	var page strings.Builder
	_ = tmpl.Execute(&page, data) // which has all that the templates name
	return []byte(clean.Text(page.String()))
}

// figure is a number that sums a page up.
type figure struct{ Value, Name, Detail string }

// pageOf prepares a history for the template.
func pageOf(h History) *page {
	p := &page{
		Name: short(h.Name, 80), Range: short(h.Range, 80), Period: period(h), Sum: figures(h),
		Roles: roles(h), Refusals: refusals(h), Few: len(h.Commits) <= few,
	}
	p.Verdict, p.Class = verdictOf(h.Proofs)
	p.Notes = gates.Each(h.Notes, func(note string) string { return short(note, 500) })
	if h.Earlier > 0 {
		p.Notes = append(p.Notes, gates.Count(h.Earlier, "earlier commit")+" not shown; name a range to see more.")
	}
	p.Measured = len(h.Commits) > 0 && h.Commits[len(h.Commits)-1].Facts != nil
	for _, c := range h.Criteria {
		p.Criteria = append(p.Criteria, criterionOf(h, c))
		if c.State == check.Passing {
			p.Met++
		}
	}
	if h.Kata != "" {
		p.Kata = textBlock("The whole kata", h.Kata, "")
		p.Kata.Open = false
	}
	p.Cycles = cycles(h)
	p.Pending = pending(h)
	p.Objected = objected(h)
	p.Tokens = slices.ContainsFunc(p.Roles, func(r role) bool { return r.In+r.Out > 0 })
	p.Estimated = slices.ContainsFunc(p.Roles, func(r role) bool { return r.Estimated })
	return p
}

// period says from when to when the commits are.
func period(h History) string {
	var all []time.Time
	for _, c := range h.Commits {
		if !c.When.IsZero() {
			all = append(all, c.When)
		}
	}
	if len(all) == 0 {
		return ""
	}
	const day, clock = "2 January 2006", "15:04"
	from, to := slices.MinFunc(all, time.Time.Compare), slices.MaxFunc(all, time.Time.Compare)
	if from.Format(day) == to.Format(day) {
		return from.Format(day+", "+clock) + "–" + to.Format(clock) + " UTC"
	}
	return from.Format(day) + " – " + to.Format(day)
}

func figures(h History) []figure {
	var out []figure
	add := func(value int, name, detail string) {
		out = append(out, figure{Value: fmt.Sprint(value), Name: name, Detail: detail})
	}
	var steps, refused, tokens, added, deleted int
	last := -1
	for i, c := range h.Commits {
		if c.Phase != "" {
			steps++
		}
		refused += len(c.Attempts)
		in, answer, _ := tokensOf(c)
		tokens += in + answer
		added, deleted = added+c.Source.Added+c.Test.Added, deleted+c.Source.Deleted+c.Test.Deleted
		if total(c.tally()) > 0 || c.Facts != nil {
			last = i
		}
	}
	detail := ""
	if outside := len(h.Commits) - steps; outside > 0 {
		detail = fmt.Sprintf("%d outside the loop", outside)
	}
	add(steps, plural(steps, "step"), detail)
	if last >= 0 {
		t := h.Commits[last].tally()
		add(total(t), plural(total(t), "test"), fmt.Sprintf("%d passed, %d failed", t.Passed, t.Failed))
	}
	add(refused+len(h.Pending), plural(refused+len(h.Pending), "refused attempt"), "that are kept here")
	out = append(out, figure{Value: "+" + thousands(added) + " −" + thousands(deleted), Name: "lines", Detail: "of sources and tests"})
	if tokens > 0 {
		out = append(out, figure{Value: thousands(tokens), Name: "tokens"})
	}
	return out
}

// objected are the first commits that did not hold, and why.
func objected(h History) []*note {
	const most = 20
	var out []*note
	for _, c := range h.Commits {
		if len(out) < most && c.Proof != nil && c.Proof.Verdict != verify.Held && len(c.Proof.Findings) > 0 {
			n := noteOf(c.Proof.Findings[0])
			n.ID, n.Where = anchor(c), titleOf(c)
			out = append(out, n)
		}
	}
	return out
}

func verdictOf(r *verify.Report) (text, class string) {
	if r == nil {
		return "", ""
	}
	text = fmt.Sprintf("%d held, %d refused", r.Count(verify.Held), r.Count(verify.Refused))
	if n := r.Count(verify.Unjudged); n > 0 {
		text += fmt.Sprintf(", %d could not be judged", n)
	}
	return text, string(r.Verdict())
}
