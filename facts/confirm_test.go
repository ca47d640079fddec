package facts

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestConfirm(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(files{"a": "1"})
	script := func(verdicts string) string { // fails on each f of a list, passes on each p
		dir := t.TempDir()
		gittest.Write(t, filepath.Join(dir, "list"), verdicts)
		return "cd " + dir + "; v=$(head -c1 list); tail -c +2 list >next; mv next list; test \"$v\" = p || sleep ${v#f}0 2>/dev/null; test \"$v\" = p"
	}
	for _, c := range []struct {
		verdicts string
		runs     int
		want     gates.Outcome
		flaky    bool
		count    int
	}{
		{"f", 1, gates.Failed, false, 1},
		{"fff", 3, gates.Failed, false, 3},
		{"ffp", 3, gates.Failed, true, 3},
		{"fpf", 3, gates.Failed, true, 2},
		{"pf", 2, gates.Passed, true, 2},
	} {
		opts := l.shell(script(c.verdicts))
		m := newMeasurer(t, opts)
		for range 2 { // the second time from the record
			got, flaky, err := m.Confirm(t.Context(), tree, c.runs)
			gittest.Check(t, err)
			if got.Facts.Outcome != c.want || len(flaky) > 0 != c.flaky || m.Count() != c.count {
				t.Errorf("%s: %s, flaky %q, %d measurements", c.verdicts, got.Facts.Outcome, flaky, m.Count())
			}
		}
		if got := of(t, m, tree).Facts.Outcome; got != c.want {
			t.Errorf("%s: on record is %s, want that of the first run", c.verdicts, got)
		}
	}
}

func TestConfirm_aRepetitionThatHangs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mark := filepath.Join(t.TempDir(), "mark")
	opts := l.shell("test -e " + mark + " && sleep 600; touch " + mark + "; false")
	opts.Commands.Timeout = time.Second
	m := newMeasurer(t, opts)
	got, flaky, err := m.Confirm(t.Context(), l.tree(files{"a": "1"}), 2)
	gittest.Check(t, err)
	if got.Facts.Finished() || len(flaky) > 0 {
		t.Errorf("%+v, flaky %q", got.Facts, flaky)
	}
}

// TestAgain_contradictsTheRecord: what is measured anew counts; if it contradicts the
// record, it is run once more, and only what wavers now is flaky.
func TestAgain_contradictsTheRecord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string // the mark is there from the second run on
		flaky  int
	}{
		"the record is of another day": {"test -e MARK", 0},
		"it wavers":                    {"test -e MARK && mv MARK MARK.gone", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			mark := filepath.Join(t.TempDir(), "mark")
			m := newMeasurer(t, l.shell(strings.ReplaceAll(c.script, "MARK", mark)))
			tree := l.tree(files{"a": "1"})
			if got := of(t, m, tree).Facts.Outcome; got != gates.Failed {
				t.Fatal(got)
			}
			e, err := m.Again(t.Context(), tree)
			gittest.Check(t, err)
			if len(e.Flaky) > 0 || e.Runs != 1 {
				t.Errorf("twice the same: flaky %q, %d runs", e.Flaky, e.Runs)
			}
			gittest.Write(t, mark, "")
			_, err = m.Again(t.Context(), tree)
			gittest.Check(t, err)
			e, err = m.Entry(t.Context(), tree) // from the record
			gittest.Check(t, err)
			if e.Result.Facts.Outcome != gates.Passed || len(e.Flaky) != c.flaky || e.Runs != 2 {
				t.Errorf("%s, flaky %q, %d runs", e.Result.Facts.Outcome, e.Flaky, e.Runs)
			}
		})
	}
}
