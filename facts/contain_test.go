package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// What was measured without walls counts for whoever judges somebody else's commit, the
// answers of altered trees with it, and not for a step. No run within walls is held
// against one without.
func TestContain_records(t *testing.T) {
	t.Parallel()
	if !sandbox.Stands(t.Context(), sandbox.Namespaces) {
		t.Skip("the system lets no walls be built here")
	}
	l := newLab(t)
	tree := l.tree(files{"value": "right\n"})
	wrong := Altered{Files: map[string]string{"value": "wrong\n"}}
	measurer := func(contain Contain) *Measurer {
		opts := l.shell("test ! -e /dev/mem -a ! -e /dev/kmsg && exit 0; grep -q right value && exit 1")
		opts.Contain, opts.Walls = contain, testrun.Walls{Network: sandbox.Loopback}
		return newMeasurer(t, opts)
	}
	outcome := func(m *Measurer) gates.Outcome {
		got, err := m.Entry(t.Context(), tree)
		gittest.Check(t, err)
		return got.Result.Facts.Outcome
	}
	free := measurer(Free)
	if outcome(free) != gates.Failed {
		t.Skip("no device here that walls hide")
	}
	_, err := free.Answer(t.Context(), tree, wrong)
	gittest.Check(t, err)
	within := measurer(Within)
	if got := outcome(within); got != gates.Failed || within.Count() > 0 {
		t.Errorf("%s after %d runs", got, within.Count())
	}
	if _, err := within.Answer(t.Context(), tree, wrong); err != nil || within.AlteredCount() > 0 {
		t.Errorf("%d altered runs, %v", within.AlteredCount(), err)
	}
	got, flaky, err := within.Confirm(t.Context(), tree, 2)
	if err != nil || len(flaky) > 0 || got.Facts.Outcome != gates.Passed || within.Count() != 2 {
		t.Errorf("%s, flaky %q, %d runs, %v", got.Facts.Outcome, flaky, within.Count(), err)
	}
	if got := outcome(free); got != gates.Failed || free.Count() > 1 {
		t.Errorf("%s after %d runs", got, free.Count())
	}
	strictly := measurer(Strictly)
	if got := outcome(strictly); got != gates.Passed || strictly.Count() > 0 {
		t.Errorf("%s after %d runs", got, strictly.Count())
	}
}

// Where the system makes no namespaces, walls are made of Landlock: a test reads the
// dependencies of the working tree, and neither that nor anything else of the user's.
// What it showed is kept apart from what others show.
func TestContain_whereNobodyMounts(t *testing.T) { //nolint:paralleltest // in a process of its own
	if !sandbox.Stands(t.Context(), sandbox.Landlock) {
		t.Skip("the kernel has no Landlock, or one that is too old")
	}
	if sandbox.Mounts(t.Context(), t.TempDir()) {
		withoutNamespaces(t, "TestContain_whereNobodyMounts")
		return
	}
	l := newLab(t)
	home := t.TempDir()
	gittest.Check(t, os.WriteFile(filepath.Join(home, "key"), []byte("key"), 0o600))
	files{"value": "dirty\n", "deps/lib": "linked\n"}.Write(t, l.Dir)
	tree := l.tree(files{"value": "right\n"})
	var told []sandbox.Offer
	measurer := func(contain Contain) *Measurer {
		opts := l.shell("grep -q linked deps/lib && grep -q right value && { grep -q dirty " + l.repo.Top + "/value || grep -q key " + home + "/key || echo spoiled >>deps/lib; } && exit 1; grep -q linked deps/lib")
		opts.Contain, opts.Walls, opts.Link = contain, testrun.Walls{Network: sandbox.Loopback}, []string{"deps"}
		opts.Weaker = func(o sandbox.Offer) { told = append(told, o) }
		return newMeasurer(t, opts)
	}
	for contain, want := range map[Contain]gates.Outcome{Strictly: gates.Passed, Free: gates.Failed} {
		m := measurer(contain)
		got, err := m.Again(t.Context(), tree)
		gittest.Check(t, err)
		if got.Result.Facts.Outcome != want {
			t.Errorf("%q: %+v", contain, got.Result)
		}
	}
	if len(told) != 1 || told[0].Means != sandbox.Landlock || told[0].Why == "" || len(told[0].Open) == 0 {
		t.Errorf("%+v", told)
	}
	for contain, want := range map[Contain]gates.Outcome{Strictly: gates.Passed, Free: gates.Failed} {
		m := measurer(contain)
		if got := of(t, m, tree); got.Facts.Outcome != want || m.Count() > 0 {
			t.Errorf("%q after %d runs: %+v", contain, m.Count(), got)
		}
	}
}
