package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestToolchain_isAskedOnceForAllProcesses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.golang()
	m := newMeasurer(t, opts)
	tree := l.tree(files{"go.mod": "module x\n\ngo 1.21\n"})
	version, err := m.toolchain(t.Context(), tree)
	gittest.Check(t, err)
	if !strings.Contains(version.Text, "go version go1") {
		t.Fatal(version)
	}
	plant(t, m, files{"go.mod": "module x\n\ngo 1.21\n"}, "planted")
	again := func(m *Measurer, f files) string {
		version, err := m.toolchain(t.Context(), l.tree(f))
		gittest.Check(t, err)
		return version.Text
	}
	other := newMeasurer(t, opts) // as in another process
	if got := again(other, files{"go.mod": "module x\n\ngo 1.21\n"}); got != "planted" {
		t.Errorf("the toolchain was asked again: %q", got)
	}
	if got := again(other, files{"go.mod": "module x\n\ngo 1.22\n"}); got == "planted" {
		t.Error("another go.mod makes no difference")
	}
	if got := again(other, files{}); got == "planted" {
		t.Error("no go.mod makes no difference")
	}
	changed := opts
	changed.Environ = append(slices.Clone(opts.Environ), "GOTOOLCHAIN=local")
	if got := again(newMeasurer(t, changed), files{"go.mod": "module x\n\ngo 1.21\n"}); got == "planted" {
		t.Error("GOTOOLCHAIN makes no difference")
	}
}

// plant records a version that no tool would report.
func plant(tb testing.TB, m *Measurer, f files, version string) {
	tb.Helper()
	mark, complete := m.fingerprint(f)
	if !complete {
		tb.Skip("this toolchain does not show what decides its version")
	}
	name := filepath.Join(m.opts.Dirs.Cache, "toolchain", mark)
	if _, err := os.Stat(name); err != nil {
		tb.Fatal("nothing is on record:", err)
	}
	gittest.Check(tb, m.store.keep(name, version))
}

func TestToolchain_recordsAreAuthenticated(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.golang())
	tree := l.tree(files{})
	version, err := m.toolchain(t.Context(), tree)
	gittest.Check(t, err)
	plant(t, m, files{}, "planted")
	mark, _ := m.fingerprint(map[string]string{})
	name := filepath.Join(l.dirs.Cache, "toolchain", mark)
	for what, data := range map[string][]byte{
		"forged":    make(secret, secretSize).seal(name, []byte(`"planted"`)),
		"an entry":  m.store.secret.seal(m.store.file(tree, mark, ""), []byte(`"planted"`)),
		"of others": m.store.secret.seal(name[:len(name)-1]+"x", []byte(`"planted"`)),
		"bare":      []byte(`"planted"`),
		"empty":     {},
	} {
		gittest.Check(t, os.WriteFile(name, data, 0o600))
		got, err := m.toolchain(t.Context(), tree)
		gittest.Check(t, err)
		if got.Text != version.Text {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// A language without tools has the programs of its commands.
func TestToolchain_withoutTools(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := newMeasurer(t, l.passing())
	version, err := m.toolchain(t.Context(), l.tree(files{}))
	gittest.Check(t, err)
	if !strings.Contains(version.Text, "sh: /") || strings.Contains(version.Text, "none") {
		t.Errorf("%q", version.Text)
	}
}

// A tree chooses its toolchain: one measurer must not mix them up.
func TestOf_eachTreeHasItsToolchain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.shell("true")
	opts.Language.Tools = [][]string{{"cat", "version"}}
	opts.Language.VersionFiles = []string{"version"}
	m := newMeasurer(t, opts)
	for _, version := range []string{"1", "2", "1"} {
		tree := l.tree(files{"version": version})
		of(t, m, tree)
		e, ok := m.Known(tree)
		if !ok || !strings.Contains(e.Toolchain, "cat version: 0\n"+version+"\n") {
			t.Errorf("version %s: %q", version, e.Toolchain)
		}
	}
	names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "toolchain", "*"))
	gittest.Check(t, err)
	if len(names) > 0 {
		t.Errorf("kept what an unknown tool said: %v", names)
	}
}

// The output of a tool that fails is not kept as a version.
func TestToolchain_failuresAreNotKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	gittest.Need(t, "go")
	opts := l.golang()
	opts.Language.Tools = [][]string{{"go", "no-such-command"}}
	m := newMeasurer(t, opts)
	version, err := m.toolchain(t.Context(), l.tree(files{}))
	gittest.Check(t, err)
	if len(version.Failed) != 1 || !strings.HasPrefix(version.Failed[0], "go no-such-command: exit 2") {
		t.Errorf("%+v", version)
	}
	if names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "toolchain", "*")); err != nil || len(names) > 0 {
		t.Errorf("kept %v, %v", names, err)
	}
}

func TestDisagreements(t *testing.T) {
	t.Parallel()
	run := func(outcome, check gates.Outcome, tests ...string) gates.Facts {
		f := gates.Facts{Outcome: outcome, Check: check}
		for _, text := range tests {
			id, status, _ := strings.Cut(text, " ")
			f.Tests = append(f.Tests, gates.Test{ID: id, Status: gates.Status(status)})
		}
		return f
	}
	for _, c := range []struct {
		a, b gates.Facts
		want string
	}{
		{run("failed", "", "a failed", "b passed"), run("failed", "", "a failed", "b passed"), ""},
		{run("failed", "", "a failed"), run("passed", "", "a passed"), "a"},
		{run("failed", "", "a failed"), run("failed", "", "b failed"), "a b"},
		{run("failed", "", "a failed"), run("failed", "", "a failed", "b passed"), "b"},
		{run("failed", ""), run("passed", ""), "the test command"},
		{run("failed", "passed", "a failed"), run("failed", "failed", "a failed"), "the check command"},
	} {
		if got := strings.Join(disagreements(c.a, c.b), " "); got != c.want {
			t.Errorf("%+v %+v: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
