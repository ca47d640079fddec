package matrix

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/onepage"
)

//go:embed page.html page.css
var pageFiles embed.FS

// page is what the template shows.
type page struct {
	Caption  string
	Tables   []table
	Gates    []string
	Refusals []refusal
	Details  []detail
	Head     onepage.Head
}

type table struct {
	ID, Title string
	keys      []string
	End       string // the heading of how runs ended
	Rows      []row
}

// Keys are the headings of a table's first columns.
func (page) Keys(t table) []string { return t.keys }

type row struct {
	Keys             []string
	End              string
	Criteria, Hidden share
	Cheats           int
	Steps, Refused   int
	use
}

// share is a part of a whole: as a bar, and in words.
type share struct {
	Width int
	Text  string
}

// use is what models have used, as people read it.
type use struct{ In, Cached, Out, Cost, Time string }

type refusal struct {
	Model  string
	Counts []int
}

type detail struct {
	Name, Short, Text string
	Lines             []string
	Roles             []roleRow
}

type roleRow struct {
	Name     string
	Requests int
	use
}

// WritePage writes a report as one HTML page that stands by itself: no script,
// nothing fetched, and whatever comes from a model or a matrix escaped.
func WritePage(w io.Writer, r Report) error {
	css, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return fmt.Errorf("read the style of the page: %w", err)
	}
	tmpl, err := onepage.Parse(pageFiles, "page.html")
	if err != nil {
		return err
	}
	p := pageOf(r)
	p.Head = onepage.NewHead("git tdd bench", string(css))
	_, err = onepage.Write(w, tmpl, p)
	return err
}

func pageOf(r Report) page {
	models, cells, runs := table{"models", "Models", []string{"model"}, "done", nil}, table{"cells", "Models and katas", []string{"model", "kata"}, "done", nil}, table{"runs", "Runs", []string{"kata", "model", "seed"}, "end", nil}
	for _, s := range r.Models {
		models.Rows = append(models.Rows, sumRow(s, s.Model))
	}
	for _, s := range r.Cells {
		cells.Rows = append(cells.Rows, sumRow(s, s.Model, s.Kata))
	}
	p := page{Caption: fmt.Sprintf("runs: %d, models: %d, katas: %d", len(r.Runs), len(r.Models), katasIn(r.Cells)), Gates: gatesOf(r.Models)}
	for _, run := range r.Runs {
		runs.Rows = append(runs.Rows, runRow(run))
		p.Details = append(p.Details, detailOf(run))
	}
	p.Tables = []table{models, cells, runs}
	for _, s := range r.Models {
		row := refusal{Model: s.Model}
		for _, gate := range p.Gates {
			row.Counts = append(row.Counts, s.Refusals[gate])
		}
		p.Refusals = append(p.Refusals, row)
	}
	return p
}

func katasIn(cells []Sum) int {
	all := map[string]bool{}
	for _, s := range cells {
		all[s.Kata] = true
	}
	return len(all)
}

// gatesOf lists the gates that refused anything, by name.
func gatesOf(sums []Sum) []string {
	all := map[string]bool{}
	for _, s := range sums {
		for gate := range s.Refusals {
			all[gate] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func sumRow(s Sum, keys ...string) row {
	end := fmt.Sprintf("%d of %d", s.Done, s.Runs-s.Void)
	if s.Void > 0 {
		end += fmt.Sprintf(", %d void", s.Void)
	}
	out := row{
		Keys: keys, End: end, Criteria: shareOf(s.Criteria.Met, s.Criteria.All), Hidden: shareOf(s.Passed, s.Hidden),
		Cheats: s.Cheats, Steps: s.Steps, Refused: s.Attempts - s.Steps, use: useOf(s.Used, s.Seconds),
	}
	if s.Unbuilt > 0 {
		out.Hidden.Text = strings.TrimPrefix(fmt.Sprintf("%s, none ran in %d", out.Hidden.Text, s.Unbuilt), ", ")
	}
	return out
}

func runRow(r Result) row {
	out := row{
		Keys: []string{r.Kata, r.Model, strconv.Itoa(r.Seed)}, End: r.Reason, Criteria: shareOf(r.Criteria.Met, r.Criteria.All),
		Cheats: r.Cheats(), Steps: r.Steps, Refused: r.Refused(), use: useOf(r.Used(), r.Seconds),
	}
	if !r.Complete() {
		out.End += " (void)"
	}
	if h := r.Hidden; h != nil {
		if out.Hidden = shareOf(h.Passed, h.Passed+h.Failed); h.Passed+h.Failed == 0 {
			out.Hidden.Text = h.Outcome
		}
	}
	return out
}

func shareOf(part, all int) share {
	const width = 64 // of the bar in page.html
	if all == 0 {
		return share{}
	}
	return share{Width: part * width / all, Text: fmt.Sprintf("%d/%d", part, all)}
}

func useOf(u Role, seconds float64) use {
	out := use{In: thousands(u.In), Cached: thousands(u.Cached), Out: thousands(u.Out), Time: time.Duration(seconds * float64(time.Second)).Round(time.Second / 10).String()}
	if u.Estimated {
		out.In, out.Out = out.In+"*", out.Out+"*"
	}
	if u.Cost > 0 {
		out.Cost = fmt.Sprintf("%.4f", u.Cost)
	}
	return out
}

// thousands is a number with its digits in groups.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func detailOf(r Result) detail {
	d := detail{
		Name: r.Name(), Short: fmt.Sprintf("%s, exit code %d, %s, contained by %s, git-tdd %s", r.Reason, r.Exit, r.Began.Format(time.DateTime), r.Walls, r.Program),
		Text: r.Text,
	}
	for _, why := range r.Verified.Why {
		d.Lines = append(d.Lines, "does not hold: "+why)
	}
	if r.Hidden != nil {
		for _, id := range r.Hidden.Failing {
			d.Lines = append(d.Lines, "hidden test fails: "+id)
		}
		if r.Hidden.Why != "" {
			d.Lines = append(d.Lines, "no hidden test ran: "+r.Hidden.Why)
		}
	}
	for _, gate := range slices.Sorted(maps.Keys(r.Refusals)) {
		d.Lines = append(d.Lines, fmt.Sprintf("refused by %s: %d", gate, r.Refusals[gate]))
	}
	for _, u := range r.Roles {
		d.Roles = append(d.Roles, roleRow{Name: u.Name, Requests: u.Requests, use: useOf(u, u.Seconds)})
	}
	return d
}
