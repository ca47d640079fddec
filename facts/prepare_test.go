package facts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestFormat_onlyTheNamedFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.shell("true")
	opts.Commands.Fmt = []string{"sh", "-c", `for f in a b "sub/c d" run; do echo formatted >"$f"; done; echo new >new; rm -f gone; rm -f link; ln -s /etc/passwd link`}
	m := newMeasurer(t, opts)
	before := files{"a": "1", "b": "2", "sub/c d": "3", "run*": "4", "gone": "5", "link": "6", "same": "7"}
	edits, run, err := m.Format(t.Context(), l.tree(before), []string{"a", "sub/c d", "run", "gone", "link", "same", "missing", "new"})
	gittest.Check(t, err)
	if run.Exit != 0 {
		t.Fatal(run.Output)
	}
	want := files{"a": "formatted\n", "b": "2", "sub/c d": "formatted\n", "run*": "formatted\n", "gone": "5", "link": "6", "same": "7", "new": "new\n"}
	tree, err := opts.Repo.WriteTree(t.Context(), l.tree(before), edits)
	gittest.Check(t, err)
	if tree != l.tree(want) {
		t.Errorf("tree:\n%s", l.Git("ls-tree", "-r", string(tree)))
	}
	if unchanged, _, err := m.Format(t.Context(), l.tree(before), []string{"same"}); err != nil || len(unchanged) > 0 {
		t.Errorf("%v, %v", unchanged, err)
	}
	export(t, m.workbench, l, l.tree(before))
	holds(t, m.workbench, before)
}

func TestSetup(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	log := filepath.Join(t.TempDir(), "log")
	opts := l.shell("test -e deps/lib && test -e sub/deps && test \"$(cat Makefile)\" != spoiled && ! test -e dropped && touch dropped")
	opts.Setup = []string{"sh", "-c", "echo ran >>" + log + "; mkdir -p deps; touch deps/lib sub/deps; cp Makefile was; echo spoiled >Makefile"}
	ran := func() int { return strings.Count(gittest.Read(t, log), "ran") }
	m := newMeasurer(t, opts)
	for i, c := range []struct {
		f    files
		want int // how often the setup must have run by then
	}{
		{files{"Makefile": "1", "sub/a": "1"}, 1},
		{files{"Makefile": "1", "sub/a": "2"}, 1},
		{files{"Makefile": "2", "sub/a": "2"}, 2},
		{files{"Makefile": "2", "sub/b": "2"}, 2},
	} {
		if got := of(t, m, l.tree(c.f)).Facts; got.Outcome != gates.Passed {
			t.Errorf("%d: %+v", i, got)
		}
		if ran() != c.want {
			t.Errorf("%d: the setup ran %d times, want %d", i, ran(), c.want)
		}
	}
	gittest.Check(t, os.RemoveAll(filepath.Join(m.workbench.Root, "deps")))
	if got := of(t, m, l.tree(files{"Makefile": "2", "sub/c": "2"})).Facts; got.Outcome != gates.Passed || ran() != 3 {
		t.Errorf("what it made was lost: %s after %d setups", got.Outcome, ran())
	}
	opts.Setup = []string{"sh", "-c", "echo why; exit 3"}
	if _, err := newMeasurer(t, opts).Entry(t.Context(), l.tree(files{"sub/a": "1"})); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("%v", err)
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	files{"deps/lib": "linked", "web/deps/lib": "linked", "tracked/ignored": "linked"}.Write(t, l.Dir)
	opts := l.shell("grep -q linked deps/lib && grep -q linked web/deps/lib && ! test -e .git && ! test -e tracked/ignored && ! test -e up")
	opts.Link = []string{"deps/", "web/deps", ".git", ".git/hooks", "../up", "/etc", "missing", "tracked", "."}
	m := newMeasurer(t, opts)
	for _, content := range []string{"1", "2"} {
		if got := of(t, m, l.tree(files{"tracked/a": content})).Facts; got.Outcome != gates.Passed {
			t.Errorf("%+v", got)
		}
	}
	if got := l.Read("deps/lib"); got != "linked" {
		t.Errorf("the user's own: %q", got)
	}
}
