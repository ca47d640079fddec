package facts

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// Where facts cannot be written, for instance in a read-only checkout, they hold for
// the measurer that measured them, and that is told once.
func TestFacts_thatCannotBeKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.shell("grep -q right value")
	told := 0
	opts.Unkept = func(err error) {
		if told++; err == nil {
			t.Error("no reason")
		}
	}
	m := newMeasurer(t, opts)
	gittest.Write(t, m.store.dir, "no folder can be made here")
	right, wrong := l.tree(files{"value": "right\n"}), l.tree(files{"value": "wrong\n"})
	for range 2 {
		if of(t, m, right).Facts.Outcome != gates.Passed || of(t, m, wrong).Facts.Outcome != gates.Failed {
			t.Error("other facts than those measured")
		}
	}
	for range 2 {
		got, err := m.Answer(t.Context(), right, Altered{Files: map[string]string{"value": "wrong\n"}})
		if err != nil || got.Outcome != gates.Failed {
			t.Errorf("%v, %v", got.Outcome, err)
		}
	}
	if m.Count() != 2 || m.AlteredCount() != 1 || told != 1 {
		t.Errorf("%d runs, %d altered ones, told %d times", m.Count(), m.AlteredCount(), told)
	}
	if again := newMeasurer(t, opts); of(t, again, right).Facts.Outcome != gates.Passed || again.Count() != 1 {
		t.Error("facts from nowhere")
	}
}
