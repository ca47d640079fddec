package facts

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func covered(t *testing.T, m *Measurer, tree gitx.ID) gates.Coverage {
	t.Helper()
	got, err := m.Cover(t.Context(), tree)
	gittest.Check(t, err)
	if got.Facts.Coverage == nil || got.Facts.Tree != string(tree) {
		t.Fatalf("%+v", got.Facts)
	}
	for i := range got.Facts.Coverage.Files {
		got.Facts.Coverage.Files[i].Ran = nil // is not on record
	}
	return *got.Facts.Coverage
}

func TestCover(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.golang()
	runs := map[string]int{}
	opts.Phase = func(d Doing) { runs[d.Name]++ }
	m := newMeasurer(t, opts)
	tree := l.tree(goProject("a + b"))
	if plain := of(t, m, tree); plain.Facts.Coverage != nil || runs["coverage"] != 0 {
		t.Errorf("nobody asked: %+v, %v", plain.Facts, runs)
	}
	want := []gates.FileCoverage{{Path: "calc.go", Lines: 1, Reached: 1}}
	for range 2 { // the second time from the record
		if got := covered(t, m, tree); !reflect.DeepEqual(got.Files, want) || runs["coverage"] != 1 || runs["test"] != 1 {
			t.Errorf("%+v, %v", got, runs)
		}
	}
	other := newMeasurer(t, opts) // another process
	if got := covered(t, other, tree); !reflect.DeepEqual(got.Files, want) || runs["coverage"] != 1 || other.Count() != 0 {
		t.Errorf("%+v, %v", got, runs)
	}
	if plain := of(t, other, tree); plain.Facts.Coverage != nil || other.Count() != 0 {
		t.Errorf("a record with coverage answers without: %+v, %d measurements", plain.Facts, other.Count())
	}
	if e, ok := other.Known(tree); !ok || e.Result.Facts.Outcome != gates.Passed {
		t.Errorf("what is known: %+v", e)
	}
	other.opts.Anew = true
	if _, err := other.Cover(t.Context(), tree); err != nil || runs["coverage"] != 2 || runs["test"] != 1 {
		t.Errorf("again: %v, %v", err, runs)
	}
	other.opts.Anew = false
	files, err := filepath.Glob(filepath.Join(l.repo.StateDir(), "facts", string(tree), "*.coverage"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records: %q, %v", files, err)
	}
	gittest.Write(t, files[0], strings.Replace(gittest.Read(t, files[0]), `"reached":1`, `"reached":0`, 1))
	if got := covered(t, other, tree); !reflect.DeepEqual(got.Files, want) || runs["coverage"] != 3 {
		t.Errorf("a forged record counts: %+v, %v", got, runs)
	}
}

// Tests can notice that coverage is measured: then it is unknown, and the facts
// remain those of the run without it.
func TestCover_testsThatNotice(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts, runs := l.golang(), map[string]int{}
	opts.Phase = func(d Doing) { runs[d.Name]++ }
	m := newMeasurer(t, opts)
	f := goProject("a + b")
	f["calc_test.go"] = strings.Replace(f["calc_test.go"], "got != 3", "got != 3 || testing.CoverMode() != \"\"", 1)
	tree := l.tree(f)
	for n := range 2 {
		got, err := m.Cover(t.Context(), tree)
		gittest.Check(t, err)
		if got.Facts.Outcome != gates.Passed || !strings.Contains(got.Facts.Coverage.Unknown, "do not end as they do without: example.com/calc.TestSum") {
			t.Errorf("%+v, %+v", got.Facts, got.Facts.Coverage)
		}
		if runs["test"] != 1 || runs["coverage"] != 1+n {
			t.Errorf("%v: what is unknown is not kept", runs)
		}
	}
}
