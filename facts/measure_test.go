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
	opts := l.golang(t)
	m := newMeasurer(t, opts)
	red, green := l.tree(t, goProject("0")), l.tree(t, goProject("a + b"))
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

func TestOf_noTree(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.passing()
	opts.Permit = func() error { return errors.New("asked") }
	m := newMeasurer(t, opts)
	if got := of(t, m, "").Facts; got.Outcome != gates.Empty || m.Count() != 0 {
		t.Errorf("%+v", got)
	}
	if _, ok := m.Known(""); ok {
		t.Error("something is known of no tree")
	}
}

func TestOf_unfinishedIsNeverKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(t, files{"a": "1"})
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
	if _, err := m.Of(ctx, tree); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, ok := m.Known(tree); ok {
		t.Error("a cancelled run is known")
	}
}

func TestOf_whatTheKeyDependsOn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(t, files{"a": "1", "Makefile": "x"})
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
		"link":     with(func(o *Options) { o.Link = []string{"node_modules"} }),
		"language": with(func(o *Options) { o.Language.Name = "other" }),
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
		check(t, m.Close())
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
	tree := l.tree(t, files{"a": "1"})
	_, err := m.Of(t.Context(), tree)
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
	base := t.TempDir()
	l := labAt(t, base)
	for name, content := range goProject("a + b") {
		check(t, os.WriteFile(filepath.Join(l.dir, name), []byte(content), 0o600))
	}
	l.git(t, "add", ".")
	l.git(t, "commit", "-q", "-m", "feat: start")
	check(t, os.WriteFile(filepath.Join(l.dir, "calc.go"), []byte("stashed"), 0o600))
	l.git(t, "stash", "-q")
	check(t, os.WriteFile(filepath.Join(l.dir, "calc.go"), []byte("staged"), 0o600))
	l.git(t, "add", ".")
	check(t, os.WriteFile(filepath.Join(l.dir, "calc.go"), []byte("dirty"), 0o600))
	check(t, os.WriteFile(filepath.Join(l.dir, "untracked"), []byte("mine"), 0o600))
	opts := l.golang(t)
	opts.Commands.Fmt = []string{"gofmt", "-w", "."}
	m := newMeasurer(t, opts)
	before := snapshot(t, base, "cache", "state", "work/.git/tdd", "work/.git/objects")
	tree := l.tree(t, goProject("a - b"))
	of(t, m, tree)
	if _, err := m.Again(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Confirm(t.Context(), tree, 2); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Format(t.Context(), tree, []string{"calc.go"}); err != nil {
		t.Fatal(err)
	}
	after := snapshot(t, base, "cache", "state", "work/.git/tdd", "work/.git/objects")
	if d := differences(before, after); len(d) > 0 {
		t.Errorf("changed:\n%s", strings.Join(d, "\n"))
	}
	l.git(t, "fsck", "--strict")
}

// Nothing is left in the system's own folder for temporary files.
func TestOf_writesOnlyWhereItMay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tmp := t.TempDir()
	opts := l.golang(t)
	opts.Environ = append(slices.Clone(opts.Environ), "TMPDIR="+tmp)
	m := newMeasurer(t, opts)
	of(t, m, l.tree(t, goProject("a + b")))
	left, err := os.ReadDir(tmp)
	check(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	names, err := filepath.Glob(filepath.Join(l.dirs.Cache, "version-*"))
	check(t, err)
	if len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	tree := l.tree(t, files{"a": "1"})
	script := func(verdicts string) string { // fails on each f of a list, passes on each p
		dir := t.TempDir()
		check(t, os.WriteFile(filepath.Join(dir, "list"), []byte(verdicts), 0o600))
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
			check(t, err)
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
	got, flaky, err := m.Confirm(t.Context(), l.tree(t, files{"a": "1"}), 2)
	check(t, err)
	if got.Facts.Finished() || len(flaky) > 0 {
		t.Errorf("%+v, flaky %q", got.Facts, flaky)
	}
}

func TestFormat_onlyTheNamedFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.shell("true")
	opts.Commands.Fmt = []string{"sh", "-c", `for f in a b "sub/c d" run; do echo formatted >"$f"; done; echo new >new; rm -f gone; rm -f link; ln -s /etc/passwd link`}
	m := newMeasurer(t, opts)
	before := files{"a": "1", "b": "2", "sub/c d": "3", "run*": "4", "gone": "5", "link": "6", "same": "7"}
	tree, run, err := m.Format(t.Context(), l.tree(t, before), []string{"a", "sub/c d", "run", "gone", "link", "same", "missing", "new"})
	check(t, err)
	if run.Exit != 0 {
		t.Fatal(run.Output)
	}
	want := files{"a": "formatted\n", "b": "2", "sub/c d": "formatted\n", "run*": "formatted\n", "gone": "5", "link": "6", "same": "7", "new": "new\n"}
	if tree != l.tree(t, want) {
		t.Errorf("tree:\n%s", l.git(t, "ls-tree", "-r", string(tree)))
	}
	if unchanged, _, err := m.Format(t.Context(), l.tree(t, before), []string{"same"}); err != nil || unchanged != l.tree(t, before) {
		t.Errorf("%s, %v", unchanged, err)
	}
	export(t, m.bench, l, l.tree(t, before))
	holds(t, m.bench, before)
}

func TestSetup(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	log := filepath.Join(t.TempDir(), "log")
	opts := l.shell("test -e deps/lib && test -e sub/deps && test \"$(cat Makefile)\" != spoiled && ! test -e dropped && touch dropped")
	opts.Setup = []string{"sh", "-c", "echo ran >>" + log + "; mkdir -p deps; touch deps/lib sub/deps; cp Makefile was; echo spoiled >Makefile"}
	ran := func() int {
		data, err := os.ReadFile(log)
		check(t, err)
		return strings.Count(string(data), "ran")
	}
	m := newMeasurer(t, opts)
	for i, c := range []struct {
		f    files
		want int // how often the setup has run by then
	}{
		{files{"Makefile": "1", "sub/a": "1"}, 1},
		{files{"Makefile": "1", "sub/a": "2"}, 1},
		{files{"Makefile": "2", "sub/a": "2"}, 2},
		{files{"Makefile": "2", "sub/b": "2"}, 2},
	} {
		if got := of(t, m, l.tree(t, c.f)).Facts; got.Outcome != gates.Passed {
			t.Errorf("%d: %+v", i, got)
		}
		if ran() != c.want {
			t.Errorf("%d: the setup ran %d times, want %d", i, ran(), c.want)
		}
	}
	check(t, os.RemoveAll(filepath.Join(m.bench.Root, "deps")))
	if got := of(t, m, l.tree(t, files{"Makefile": "2", "sub/c": "2"})).Facts; got.Outcome != gates.Passed || ran() != 3 {
		t.Errorf("what it made was lost: %s after %d setups", got.Outcome, ran())
	}
	opts.Setup = []string{"sh", "-c", "echo why; exit 3"}
	if _, err := newMeasurer(t, opts).Of(t.Context(), l.tree(t, files{"sub/a": "1"})); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("%v", err)
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, name := range []string{"deps/lib", "web/deps/lib", "tracked/ignored"} {
		check(t, os.MkdirAll(filepath.Join(l.dir, filepath.Dir(name)), 0o755))
		check(t, os.WriteFile(filepath.Join(l.dir, name), []byte("linked"), 0o600))
	}
	opts := l.shell("grep -q linked deps/lib && grep -q linked web/deps/lib && ! test -e .git && ! test -e tracked/ignored && ! test -e up")
	opts.Link = []string{"deps/", "web/deps", ".git", ".git/hooks", "../up", "/etc", "missing", "tracked", "."}
	m := newMeasurer(t, opts)
	for _, content := range []string{"1", "2"} {
		if got := of(t, m, l.tree(t, files{"tracked/a": content})).Facts; got.Outcome != gates.Passed {
			t.Errorf("%+v", got)
		}
	}
	if got, err := os.ReadFile(filepath.Join(l.dir, "deps", "lib")); err != nil || string(got) != "linked" {
		t.Errorf("the user's own: %q, %v", got, err)
	}
}

// A file that goes back to an older content must be built again, though its
// older build lies there.
func TestOf_rustRebuildsWhatIsRestored(t *testing.T) {
	t.Parallel()
	need(t, "cargo")
	l := newLab(t)
	opts := l.shell("")
	opts.Language, opts.Env = language(t, "rust"), []string{"CARGO_NET_OFFLINE=true"}
	opts.Commands = testrun.Commands{Test: []string{"cargo", "test"}, Timeout: 4 * time.Minute}
	m := newMeasurer(t, opts)
	project := func(body, note string) gitx.ID {
		return l.tree(t, files{
			"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "// " + note + "\npub fn sum(a: i32, b: i32) -> i32 { " + body + " }\n",
			"tests/t.rs": "#[test]\nfn sums() { assert_eq!(calc::sum(1, 2), 3); }\n",
		})
	}
	for i, c := range []struct {
		body string
		want gates.Outcome
	}{{"a + b", gates.Passed}, {"a - b", gates.Failed}, {"a + b", gates.Passed}, {"a - b", gates.Failed}} {
		result, err := m.Again(t.Context(), project(c.body, strings.Repeat("x", i%2)))
		check(t, err)
		if got := result.Facts; got.Outcome != c.want {
			t.Errorf("%d: %s: %+v", i, c.body, got)
		}
	}
}
