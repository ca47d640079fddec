package onepage

import (
	"fmt"
	"testing"
)

// TestNewFilter: a kind that all or none are of is no choice.
func TestNewFilter(t *testing.T) {
	t.Parallel()
	f, classes := NewFilter("show", []string{"none", "red", "every", "late"}, [][]string{{"red", "every"}, {"every", "late"}, {"every", "red", "late"}})
	if got := fmt.Sprint(f.Choices, classes); got != "[{all  3} {red 1 2} {late 2 2}] [f1 f2 f1 f2]" {
		t.Error(got)
	}
	if f, _ := NewFilter("show", []string{"red"}, [][]string{{"red"}}); f.Choices != nil {
		t.Errorf("%v", f.Choices)
	}
}
