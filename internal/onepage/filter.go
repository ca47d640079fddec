package onepage

import (
	"slices"
	"strconv"
	"strings"
)

// Filter lets a reader choose which items of a list are shown: without a script, by
// the style alone, so the items carry the classes that [NewFilter] returns.
type Filter struct {
	Name    string // of its own on the page
	Choices []Choice
}

// Choice is one of a filter: it shows the items of a kind.
type Choice struct {
	Name  string
	Key   string // empty for all
	Count int
}

// NewFilter makes a filter for items, of each of which the kinds are given, and the
// classes of each item. Kinds of which there is no item, or that all are of, are no choice.
func NewFilter(name string, kinds []string, items [][]string) (Filter, []string) {
	f, classes := Filter{Name: name}, make([]string, len(items))
	for _, kind := range kinds {
		c := Choice{Name: kind, Key: strconv.Itoa(len(f.Choices) + 1)}
		with := make([]int, 0, len(items))
		for i, of := range items {
			if slices.Contains(of, kind) {
				with = append(with, i)
			}
		}
		if c.Count = len(with); c.Count == 0 || c.Count == len(items) {
			continue
		}
		for _, i := range with {
			classes[i] = strings.TrimSpace(classes[i] + " f" + c.Key)
		}
		f.Choices = append(f.Choices, c)
	}
	if f.Choices != nil {
		f.Choices = slices.Insert(f.Choices, 0, Choice{Name: "all", Count: len(items)})
	}
	return f, classes
}
