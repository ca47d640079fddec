package facts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

func goProject(sum string) files {
	return files{
		"go.mod":       "module example.com/calc\n\ngo 1.21\n",
		"calc.go":      "package calc\n\nfunc Sum(a, b int) int { return " + sum + " }\n",
		"calc_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n",
	}
}

func TestOf_realGo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.golang()
	m := newMeasurer(t, opts)
	red, green := l.tree(goProject("0")), l.tree(goProject("a + b"))
	for _, c := range []struct {
		tree gitx.ID
		want gates.Outcome
	}{{red, gates.Failed}, {green, gates.Passed}, {red, gates.Failed}, {green, gates.Passed}} {
		if got := of(t, m, c.tree).Facts; got.Outcome != c.want || got.Tree != string(c.tree) || len(got.Tests) != 1 {
			t.Errorf("%+v, want %s", got, c.want)
		}
	}
	if m.Count() != 2 {
		t.Errorf("%d measurements, want 2", m.Count())
	}
	other := newMeasurer(t, opts) // another process
	if got := of(t, other, green).Facts; got.Outcome != gates.Passed || other.Count() != 0 {
		t.Errorf("%s after %d measurements", got.Outcome, other.Count())
	}
	if _, err := other.Again(t.Context(), green); err != nil || other.Count() != 1 {
		t.Errorf("again: %v, %d measurements", err, other.Count())
	}
}

func TestKnown_noTree(t *testing.T) {
	t.Parallel()
	if _, ok := newMeasurer(t, newLab(t).passing()).Known(""); ok {
		t.Error("something is known of no tree")
	}
}

func TestOf_unfinishedIsNeverKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(files{"a": "1"})
	hang, missing, killed := l.shell("sleep 600"), l.passing(), l.shell("kill -9 $$")
	hang.Commands.Timeout = 50 * time.Millisecond
	missing.Commands.Test = []string{"no-such-program-anywhere"}
	check1 := l.passing()
	check1.Commands.Check = []string{"no-such-program-anywhere"}
	for name, opts := range map[string]Options{"hang": hang, "missing": missing, "killed": killed, "missing check": check1} {
		m := newMeasurer(t, opts)
		for n := range 2 {
			if got := of(t, m, tree).Facts; got.Finished() {
				t.Errorf("%s: %+v", name, got)
			}
			if m.Count() != n+1 {
				t.Errorf("%s: %d measurements, want %d", name, m.Count(), n+1)
			}
		}
		if _, ok := m.Known(tree); ok {
			t.Errorf("%s is known", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := newMeasurer(t, l.passing())
	if _, err := m.Entry(ctx, tree); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, ok := m.Known(tree); ok {
		t.Error("a cancelled run is known")
	}
}

func TestOf_whatTheKeyDependsOn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(files{"a": "1", "Makefile": "x"})
	with := func(change func(*Options)) Options {
		o := l.shell("true")
		change(&o)
		return o
	}
	variants := map[string]Options{
		"none":     with(func(*Options) {}),
		"test":     with(func(o *Options) { o.Commands.Test = []string{"sh", "-c", "true "} }),
		"words":    with(func(o *Options) { o.Commands.Test = []string{"sh", "-c", "true", ""} }),
		"check":    with(func(o *Options) { o.Commands.Check = []string{"true"} }),
		"timeout":  with(func(o *Options) { o.Commands.Timeout = 2 * time.Minute }),
		"env":      with(func(o *Options) { o.Env = []string{"A=1"} }),
		"env 2":    with(func(o *Options) { o.Env = []string{"A=2"} }),
		"env both": with(func(o *Options) { o.Env = []string{"A=1", "A=2"} }),
		"env back": with(func(o *Options) { o.Env = []string{"A=2", "A=1"} }),
		"setup":    with(func(o *Options) { o.Setup = []string{"true"} }),
		"report":   with(func(o *Options) { o.Commands.Report.Format = testrun.ReportExitCode }),
		"link":     with(func(o *Options) { o.Link = []string{"node_modules"} }),
		"language": with(func(o *Options) { o.Language.Name = "other" }),
		"patterns": with(func(o *Options) { o.Language.Described = "other rules" }),
		"zone":     with(func(o *Options) { o.Environ = append(slices.Clone(o.Environ), "TZ=Asia/Tokyo") }),
		"flags":    with(func(o *Options) { o.Environ = append(slices.Clone(o.Environ), "GOFLAGS=-short") }),
	}
	for name, opts := range variants {
		m := newMeasurer(t, opts)
		of(t, m, tree)
		if m.Count() != 1 {
			t.Errorf("%s shares an entry with another", name)
		}
		of(t, m, tree)
		if m.Count() != 1 {
			t.Errorf("%s was measured %d times", name, m.Count())
		}
		gittest.Check(t, m.Close())
	}
	indifferent := with(func(o *Options) { o.Environ = append(slices.Clone(o.Environ), "EDITOR=vi") })
	m := newMeasurer(t, indifferent)
	if of(t, m, tree); m.Count() != 0 {
		t.Error("the editor makes a difference")
	}
}

func TestOf_permission(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	canary := filepath.Join(t.TempDir(), "canary")
	opts := l.shell("touch " + canary)
	opts.Commands.Fmt, opts.Setup = opts.Commands.Test, opts.Commands.Test
	opts.Language.Tools = [][]string{opts.Commands.Test}
	refusal := errors.New("not trusted")
	opts.Permit = func() error { return refusal }
	m := newMeasurer(t, opts)
	tree := l.tree(files{"a": "1"})
	_, err := m.Entry(t.Context(), tree)
	_, err2 := m.Again(t.Context(), tree)
	_, _, err3 := m.Format(t.Context(), tree, []string{"a"})
	_, _, err4 := m.Confirm(t.Context(), tree, 2)
	for _, got := range []error{err, err2, err3, err4} {
		if got != refusal { //nolint:errorlint // as it is, not wrapped
			t.Errorf("%v", got)
		}
	}
	if _, err := os.Stat(canary); err == nil || m.Count() != 0 {
		t.Error("something ran")
	}
}

func TestOf_theUsersOwnIsUntouched(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	goProject("a + b").Write(t, l.Dir)
	l.Commit("feat: start")
	l.Write("calc.go", "stashed")
	l.Git("stash", "-q")
	l.Write("calc.go", "staged")
	l.Git("add", ".")
	l.Write("calc.go", "dirty")
	l.Write("untracked", "mine")
	opts := l.golang()
	opts.Commands.Fmt = []string{"gofmt", "-w", "."}
	m := newMeasurer(t, opts)
	before := snapshot(t, l.Home, "cache", "state", "work/.git/tdd", "work/.git/objects")
	tree := l.tree(goProject("a - b"))
	of(t, m, tree)
	_, err := m.Again(t.Context(), tree)
	gittest.Check(t, err)
	_, _, err = m.Confirm(t.Context(), tree, 2)
	gittest.Check(t, err)
	_, _, err = m.Format(t.Context(), tree, []string{"calc.go"})
	gittest.Check(t, err)
	after := snapshot(t, l.Home, "cache", "state", "work/.git/tdd", "work/.git/objects")
	if d := differences(before, after); len(d) > 0 {
		t.Errorf("changed:\n%s", strings.Join(d, "\n"))
	}
	l.Git("fsck", "--strict")
}

// Nothing is left in the system's folder for temporary files.
func TestOf_writesOnlyWhereItMay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tmp := t.TempDir()
	opts := l.golang()
	opts.Environ = append(slices.Clone(opts.Environ), "TMPDIR="+tmp)
	m := newMeasurer(t, opts)
	of(t, m, l.tree(goProject("a + b")))
	left, err := os.ReadDir(tmp)
	gittest.Check(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "version-*"))
	gittest.Check(t, err)
	if len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// A file that returns to an older content must be built again, although the
// older build is still there.
func TestOf_rustRebuildsWhatIsRestored(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cargo")
	l := newLab(t)
	opts := l.shell("")
	opts.Language, opts.Env = language(t, "rust"), []string{"CARGO_NET_OFFLINE=true"}
	opts.Commands = testrun.Commands{Test: []string{"cargo", "test"}, Timeout: 4 * time.Minute}
	m := newMeasurer(t, opts)
	project := func(body, note string) gitx.ID {
		return l.tree(files{
			"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "// " + note + "\npub fn sum(a: i32, b: i32) -> i32 { " + body + " }\n",
			"tests/t.rs": "#[test]\nfn sums() { assert_eq!(calc::sum(1, 2), 3); }\n",
		})
	}
	for i, c := range []struct {
		body string
		want gates.Outcome
	}{{"a + b", gates.Passed}, {"a - b", gates.Failed}, {"a + b", gates.Passed}, {"a - b", gates.Failed}} {
		e, err := m.Again(t.Context(), project(c.body, strings.Repeat("x", i%2)))
		gittest.Check(t, err)
		if got := e.Result.Facts; got.Outcome != c.want {
			t.Errorf("%d: %s: %+v", i, c.body, got)
		}
	}
}
