package report

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/internal/onepage"
	"github.com/git-tdd/git-tdd/verify"
)

//go:embed page.html page.css
var files embed.FS

// page is what the template shows.
type page struct {
	Name, Range string
	Period      string
	Sum         []figure
	Verdict     *verdict
	Notes       []string
	Chart       *chart
	Roles       []role
	Tokens      bool // some role says how many it used
	Estimated   bool // some of them are
	Filters     []filter
	Refusals    []refusal
	Criteria    []criterion
	Met         int
	Cycles      []cycle
	Pending     *commit
	Few         bool // few enough to be printed whole
	Head        onepage.Head
}

// figure is a number that sums the page up.
type figure struct{ Value, Name, Detail string }

// verdict is the sum of all verdicts.
type verdict struct {
	Text                    string
	Held, Refused, Unjudged string // their shares, in per cent
	Class                   string
}

// The room for a page, in bytes: a page of 1,000 steps must stay below 5 MB, and
// texts get something in the longest history too.
const (
	maxPage = 4_600_000
	minText = 400_000
)

// few is how many commits are printed with all that can be opened.
const few = 40

// Write writes a history as one HTML page.
func Write(w io.Writer, h History) error {
	css, err := files.ReadFile("page.css")
	if err != nil {
		return fmt.Errorf("read the style of the page: %w", err)
	}
	tmpl, err := onepage.Parse(files, "page.html")
	if err != nil {
		return err
	}
	p := pageOf(h)
	p.Head = onepage.NewHead(p.Name+": red, green, refactor",
		string(css)+fmt.Sprintf(".plot{min-width:%dpx;max-width:%dpx}\n", narrowest*len(h.Commits), widest*len(h.Commits)))
	bare, err := onepage.Write(io.Discard, tmpl, p) // without the texts, to see how much room they have
	if err != nil {
		return err
	}
	p.fit(max(maxPage-bare, minText))
	_, err = onepage.Write(w, tmpl, p)
	return err
}

// fit shows as much of all texts as there is room for.
func (p *page) fit(room int) {
	var all []*block
	var sizes []int
	for _, c := range p.commits() {
		for _, b := range c.Blocks {
			all, sizes = append(all, b), append(sizes, size(b.whole))
		}
	}
	limit := share(sizes, room)
	for _, b := range all {
		b.fit(limit)
	}
}

func (p *page) commits() []*commit {
	var out []*commit
	for _, c := range p.Cycles {
		out = append(out, c.Commits...)
	}
	if p.Pending != nil {
		out = append(out, p.Pending)
	}
	return out
}

// pageOf prepares a history for the template.
func pageOf(h History) *page {
	p := &page{
		Name: short(h.Name, 80), Range: short(h.Range, 80), Period: period(h), Sum: figures(h),
		Chart: chartOf(h), Roles: roles(h), Refusals: refusals(h), Few: len(h.Commits) <= few, Verdict: verdictOf(h.Proofs),
	}
	for _, note := range h.Notes {
		p.Notes = append(p.Notes, short(note, 500))
	}
	if h.Earlier > 0 {
		p.Notes = append(p.Notes, count(h.Earlier, "earlier commit")+" not shown; name a range to see more.")
	}
	for _, c := range h.Criteria {
		p.Criteria = append(p.Criteria, criterionOf(h, c))
		if c.State == check.Passing {
			p.Met++
		}
	}
	p.Cycles = cycles(h)
	p.Pending = pending(h)
	p.Filters = p.filters()
	p.Tokens = slices.ContainsFunc(p.Roles, func(r role) bool { return r.in+r.out > 0 })
	p.Estimated = slices.ContainsFunc(p.Roles, func(r role) bool { return r.Estimated })
	return p
}

// period says from when to when the commits are.
func period(h History) string {
	var from, to time.Time
	for _, c := range h.Commits {
		if c.When.IsZero() {
			continue
		}
		if from.IsZero() || c.When.Before(from) {
			from = c.When
		}
		if c.When.After(to) {
			to = c.When
		}
	}
	const day, clock = "2 January 2006", "15:04"
	switch {
	case from.IsZero():
		return ""
	case from.Format(day) == to.Format(day):
		return from.Format(day+", "+clock) + "–" + to.Format(clock) + " UTC"
	}
	return from.Format(day) + " – " + to.Format(day)
}

func figures(h History) []figure {
	var out []figure
	add := func(value int, name, detail string) {
		out = append(out, figure{fmt.Sprint(value), name, detail})
	}
	var refused, tokens int
	last := -1
	added, deleted := 0, 0
	for i, c := range h.Commits {
		refused += len(c.Attempts)
		in, answer, _ := tokensOf(c)
		tokens += in + answer
		added, deleted = added+c.Source.Added+c.Test.Added, deleted+c.Source.Deleted+c.Test.Deleted
		if total(c.tally()) > 0 || c.Facts != nil {
			last = i
		}
	}
	detail := ""
	if outside := len(h.Commits) - h.steps(); outside > 0 {
		detail = fmt.Sprintf("%d outside the loop", outside)
	}
	add(h.steps(), plural(h.steps(), "step"), detail)
	if last >= 0 {
		t := h.Commits[last].tally()
		add(total(t), plural(total(t), "test"), fmt.Sprintf("%d passed, %d failed", t.Passed, t.Failed))
	}
	add(refused+len(h.Pending), plural(refused+len(h.Pending), "refused attempt"), "that are kept here")
	out = append(out, figure{"+" + thousands(added) + " −" + thousands(deleted), "lines", "of sources and tests"})
	if tokens > 0 {
		out = append(out, figure{thousands(tokens), "tokens", ""})
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// thousands is a number with its digits in groups.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func verdictOf(r *verify.Report) *verdict {
	if r == nil {
		return nil
	}
	all := float64(max(1, len(r.Commits)))
	share := func(v verify.Verdict) string { return percent(float64(r.Count(v)) / all) }
	v := &verdict{
		Text: fmt.Sprintf("%d held, %d refused", r.Count(verify.Held), r.Count(verify.Refused)),
		Held: share(verify.Held), Refused: share(verify.Refused), Unjudged: share(verify.Unjudged), Class: string(r.Verdict()),
	}
	if n := r.Count(verify.Unjudged); n > 0 {
		v.Text += fmt.Sprintf(", %d could not be judged", n)
	}
	return v
}
