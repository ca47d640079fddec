package facts

import (
	"slices"
	"testing"
	"time"
)

// Whoever waits hears what is run, in the words of the settings, and how long such a
// run took last time.
func TestDoing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	one, two := l.tree(files{"a": "1"}), l.tree(files{"a": "2"})
	opts := l.shell("sleep 0.05")
	var heard []Doing
	opts.Phase = func(d Doing) { heard = append(heard, d) }
	m := newMeasurer(t, opts)
	of(t, m, one)
	of(t, m, two)
	if _, err := m.Alter(t.Context(), two, Altered{}); err != nil {
		t.Fatal(err)
	}
	if len(heard) != 3 || heard[0].Tree != one || heard[1].Tree != two || heard[0].Name != "test" || !slices.Equal(heard[0].Argv, opts.Commands.Test) {
		t.Fatalf("heard %+v", heard)
	}
	if heard[0].Last != 0 || heard[1].Last < 50*time.Millisecond || heard[2].Last != 0 {
		t.Errorf("last times %v, %v, %v", heard[0].Last, heard[1].Last, heard[2].Last)
	}
	if heard[0].Altered || heard[1].Altered || !heard[2].Altered {
		t.Errorf("heard %+v", heard)
	}
}
