package facts

import (
	"path/filepath"
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
