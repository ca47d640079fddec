package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/matrix"
)

// benchTable prints results: a line a run, then a line a model.
func (p *program) benchTable(r matrix.Report) {
	rows := [][]string{{"kata", "model", "seed", "end", "criteria", "hidden", "cheats", "steps", "refused", "tokens", "money", "time"}}
	for _, run := range r.Runs {
		hidden := ""
		if h := run.Hidden; h != nil {
			hidden = ratio(h.Passed, h.Passed+h.Failed)
			if h.Passed+h.Failed == 0 {
				hidden = h.Outcome
			}
		}
		end := run.Reason
		if !run.Complete() {
			end += ", void"
		}
		u := run.Used()
		rows = append(rows, []string{
			run.Kata, run.Model, strconv.Itoa(run.Seed), end, ratio(run.Criteria.Met, run.Criteria.All), hidden,
			strconv.Itoa(run.Cheats()), strconv.Itoa(run.Steps), strconv.Itoa(run.Refused()), tokensShort(u), moneyShort(u.Cost), took(run.Seconds),
		})
	}
	p.columnsOut(rows)
	if len(r.Runs) < 2 {
		return
	}
	p.out.printf("\n")
	rows = [][]string{{"model", "runs", "done", "criteria", "hidden", "cheats", "steps", "refused", "tokens", "money", "time"}}
	for _, s := range r.Models {
		runs := strconv.Itoa(s.Runs)
		if s.Void > 0 {
			runs += fmt.Sprintf(", %d void", s.Void)
		}
		rows = append(rows, []string{
			s.Model, runs, strconv.Itoa(s.Done), ratio(s.Criteria.Met, s.Criteria.All), ratio(s.Passed, s.Hidden), strconv.Itoa(s.Cheats),
			strconv.Itoa(s.Steps), strconv.Itoa(s.Attempts - s.Steps), tokensShort(s.Used), moneyShort(s.Used.Cost), took(s.Seconds),
		})
	}
	p.columnsOut(rows)
}

// columnsOut prints rows in columns, of which empty ones are left out. The first
// row is the heading.
func (p *program) columnsOut(rows [][]string) {
	for n, row := range rows {
		for i := range row {
			rows[n][i] = clean.Text(row[i])
		}
	}
	widths := widthsOf(rows)
	for n, row := range rows {
		line, gap := "", 0
		for i, text := range row {
			if widths[i] > 0 {
				line += pad("", gap) + text
				gap = widths[i] - columns(text) + 2
			}
		}
		shown := painted(cut(line, p.out.width()))
		if n == 0 {
			shown = p.out.paint(dim, string(shown))
		}
		p.out.printf("%s\n", shown)
	}
}

// widthsOf is how wide each column is; 0 for one that holds no more than its
// heading.
func widthsOf(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows[1:] {
		for i, text := range row {
			if text != "" {
				widths[i] = max(widths[i], columns(text), columns(rows[0][i]))
			}
		}
	}
	return widths
}

// ratio is a part of a whole; empty where there is no whole.
func ratio(part, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", part, all)
}

// tokensShort is how many tokens were used, in thousands.
func tokensShort(u matrix.Role) string {
	star := ""
	if u.Estimated {
		star = "*"
	}
	return fmt.Sprintf("%.1fk%s", float64(u.In+u.Out)/1000, star)
}

func moneyShort(cost float64) string {
	if cost == 0 {
		return ""
	}
	return fmt.Sprintf("%.4f", cost)
}

func took(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second / 10).String()
}
