package models

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

//go:embed page.html
var pageFiles embed.FS

// page is what the template shows.
type page struct {
	Verdict  string // how many runs were done
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
	Filter    onepage.Filter
}

// Keys are the headings of a table's first columns.
func (page) Keys(t table) []string { return t.keys }

type row struct {
	Keys             []string
	Ref, Pick        string // the detail of a run, and the classes by which a filter picks it
	End              string
	Criteria, Hidden share
	Cheats           int
	Steps, Refused   int
	use
}

// share is a part of a whole: as a bar, and in words.
type share struct {
	Width      int
	Name, Text string
}

// use is what models have used, as people read it.
type use struct {
	In, Cached, Out, Cost, Time string
	All                         string // tokens, in thousands
}

type refusal struct {
	Model  string
	Counts []int
}

type detail struct {
	ID, Name, Short, Text string
	Lines                 []string
	Roles                 []roleRow
}

type roleRow struct {
	Name     string
	Requests int
	use
}

// WritePage writes a report as one HTML page that stands by itself: no script,
// nothing fetched, and whatever comes from a model or a matrix escaped.
func WritePage(w io.Writer, r Report) error {
	tmpl, err := onepage.Parse(pageFiles, "page.html")
	if err != nil {
		return err
	}
	p := pageOf(r)
	p.Head = onepage.NewHead("models compared", "")
	text, err := onepage.Draw(tmpl, p)
	if err != nil {
		return err
	}
	return onepage.Write(w, text)
}

// tablesOf are what each model came to, each on each kata, and each run.
func tablesOf(r Report) (models, cells, runs table) {
	models = table{ID: "models", Title: "Models", keys: []string{"model"}, End: "done"}
	for _, s := range r.Models {
		models.Rows = append(models.Rows, sumRow(s, s.Model))
	}
	cells = table{ID: "cells", Title: "Models and katas", keys: []string{"model", "kata"}, End: "done"}
	for _, s := range r.Cells {
		cells.Rows = append(cells.Rows, sumRow(s, s.Model, s.Kata))
	}
	runs = table{ID: "runs", Title: "Runs", keys: []string{"kata", "model", "seed"}, End: "end"}
	for _, run := range r.Runs {
		runs.Rows = append(runs.Rows, runRow(run))
	}
	return models, cells, runs
}

// Texts are the tables for a terminal, each with its heading: the runs and, if there are
// several, the models.
func Texts(r Report) [][][]string {
	models, _, runs := tablesOf(r)
	if len(r.Runs) < 2 {
		return [][][]string{runs.text()}
	}
	return [][][]string{runs.text(), models.text()}
}

func (t table) text() [][]string {
	out := [][]string{append(slices.Clone(t.keys), t.End, "criteria", "hidden", "cheats", "steps", "refused", "tokens", "money", "time")}
	for _, r := range t.Rows {
		out = append(out, append(slices.Clone(r.Keys), r.End, r.Criteria.Text, r.Hidden.Text, strconv.Itoa(r.Cheats),
			strconv.Itoa(r.Steps), strconv.Itoa(r.Refused), r.All, r.Cost, r.Time))
	}
	return out
}

func pageOf(r Report) page {
	models, cells, runs := tablesOf(r)
	p := page{Gates: gatesOf(r.Models)}
	var done, cheated int
	kinds := make([][]string, 0, len(r.Runs))
	for i, run := range r.Runs {
		detail, kind := detailOf(run), "not done"
		detail.ID = fmt.Sprintf("run%d", i+1)
		runs.Rows[i].Ref = detail.ID
		switch {
		case !run.Complete():
			kind = "void"
		case run.Reason == Done:
			done, kind = done+1, "done"
		}
		kinds = append(kinds, []string{kind, run.Model})
		if run.Cheats() > 0 {
			cheated, kinds[i] = cheated+1, append(kinds[i], "with cheats")
		}
		p.Details = append(p.Details, detail)
	}
	p.Verdict = fmt.Sprintf("%d of %s done, %d with cheats", done, onepage.Count(len(r.Runs), "run"), cheated)
	names := []string{"done", "not done", "void", "with cheats"}
	for _, s := range r.Models[:min(4, len(r.Models))] {
		names = append(names, s.Model)
	}
	var picks []string
	runs.Filter, picks = onepage.NewFilter("show", names, kinds)
	for i := range runs.Rows {
		runs.Rows[i].Pick = picks[i]
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
		Keys: keys, End: end, Criteria: shareOf("criteria met", s.Criteria.Met, s.Criteria.All), Hidden: shareOf("hidden tests", s.Passed, s.Hidden),
		Cheats: s.Cheats, Steps: s.Steps, Refused: s.Attempts - s.Steps, use: useOf(s.Used, s.Seconds),
	}
	if s.Unbuilt > 0 {
		out.Hidden.Text = strings.TrimPrefix(fmt.Sprintf("%s, none ran in %d", out.Hidden.Text, s.Unbuilt), ", ")
	}
	return out
}

func runRow(r Result) row {
	out := row{
		Keys: []string{r.Kata, r.Model, strconv.Itoa(r.Seed)}, End: r.Reason, Criteria: shareOf("criteria met", r.Criteria.Met, r.Criteria.All),
		Cheats: r.Cheats(), Steps: r.Steps, Refused: r.Refused(), use: useOf(r.Used(), r.Seconds),
	}
	if !r.Complete() {
		out.End += ", void"
	}
	if h := r.Hidden; h != nil {
		if out.Hidden = shareOf("hidden tests", h.Passed, h.Passed+h.Failed); h.Passed+h.Failed == 0 {
			out.Hidden.Text = h.Outcome
		}
	}
	return out
}

func shareOf(name string, part, all int) share {
	const width = 64 // of the bar in page.html
	if all == 0 {
		return share{Name: name}
	}
	return share{Name: name, Width: part * width / all, Text: fmt.Sprintf("%d/%d", part, all)}
}

func useOf(u Role, seconds float64) use {
	out := use{In: onepage.Thousands(u.In), Cached: onepage.Thousands(u.Cached), Out: onepage.Thousands(u.Out), Time: time.Duration(seconds * float64(time.Second)).Round(time.Second / 10).String()}
	out.All = fmt.Sprintf("%.1fk", float64(u.In+u.Out)/1000)
	if u.Estimated {
		out.In, out.Out, out.All = out.In+"*", out.Out+"*", out.All+"*"
	}
	if u.Cost > 0 {
		out.Cost = fmt.Sprintf("%.4f", u.Cost)
	}
	return out
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
