package facts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// goCaches are the variables that lead to the caches of whoever runs this test.
func goCaches(tb testing.TB) []string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "env", "GOCACHE", "GOMODCACHE").Output()
	gittest.Check(tb, err)
	caches := strings.Fields(string(out))
	return []string{"GOCACHE=" + caches[0], "GOMODCACHE=" + caches[1]}
}

// A test that writes to the user's Go settings decides nothing.
func TestPoison_userSettings(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.golang()
	home := t.TempDir() // a home of its own: the settings of whoever runs this test are not ours to spoil
	opts.Environ = append(opts.Environ, append(goCaches(t), "HOME="+home)...)
	opts.Env = []string{"EVIL_HOME=" + home}
	m := newMeasurer(t, opts)
	evil := files{
		"go.mod": "module m\n\ngo 1.22\n",
		"a_test.go": `package m

import (
	"os"
	"path/filepath"
	"testing"
)

func TestA(t *testing.T) {
	file := filepath.Join(os.Getenv("EVIL_HOME"), ".config", "go", "env")
	_ = os.MkdirAll(filepath.Dir(file), 0o700)
	_ = os.WriteFile(file, []byte("GOFLAGS=-skip=TestB\nGOPROXY=off\n"), 0o600)
}
`,
	}
	if got := of(t, m, l.tree(evil)).Facts; got.Outcome != gates.Passed {
		t.Fatalf("%+v", got)
	}
	if written := gittest.Read(t, filepath.Join(home, ".config", "go", "env")); written == "" {
		t.Fatal("the test wrote nothing: this shows nothing")
	}
	evil["b_test.go"] = "package m\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { t.Fatal(\"red\") }\n"
	if got := of(t, m, l.tree(evil)).Facts; got.Outcome != gates.Failed || len(got.Tests) != 2 {
		t.Errorf("%+v", got)
	}
}

// cargo are options that judge a tree by cargo test.
func (l *lab) cargo() Options {
	l.Helper()
	gittest.Need(l, "cargo")
	opts := l.shell("")
	opts.Language = language(l, "rust")
	opts.Commands = testrun.Commands{Test: []string{"cargo", "test"}, Timeout: 2 * time.Minute}
	return opts
}

// crate is a crate with a test that spoils the kept build output: cargo takes what is
// newer than a source for fresh.
func crate(sum string) files {
	return files{
		"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "Cargo.lock": "version = 4\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\n",
		"src/lib.rs": "pub fn sum(a: i32, b: i32) -> i32 { " + sum + " }\n",
		"tests/a.rs": `#[test]
fn sums() { assert_eq!(m::sum(1, 2), 3) }

#[test]
fn spoils() {
    let _ = std::process::Command::new("find").args(["target", "-exec", "touch", "-d", "2035-01-01", "{}", "+"]).status();
}
`,
	}
}

// What tests did to the build output of an earlier process is not used where a
// measurement is asked for anew.
func TestPoison_cleanBeginsWithNewBuildOutput(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	opts := l.cargo()
	m := newMeasurer(t, opts)
	if got := of(t, m, l.tree(crate("a + b"))).Facts; got.Outcome != gates.Passed {
		t.Fatalf("%+v", got)
	}
	gittest.Check(t, m.Close())
	opts.Anew = true
	got, err := newMeasurer(t, opts).Entry(t.Context(), l.tree(crate("a - b")))
	gittest.Check(t, err)
	if got.Result.Facts.Outcome != gates.Failed {
		t.Errorf("%+v", got.Result.Facts)
	}
}

// Tests cannot change the build output that later measurements use.
func TestPoison_buildOutput(t *testing.T) {
	t.Parallel()
	placing(t)
	for _, contain := range []Contain{Free, Strictly} {
		t.Run(string(contain), func(t *testing.T) {
			t.Parallel()
			poisonBuildOutput(t, contain)
		})
	}
}

func poisonBuildOutput(t *testing.T, contain Contain) {
	t.Helper()
	l := newLab(t)
	opts := l.cargo()
	opts.Contain = contain
	m := newMeasurer(t, opts)
	if got := of(t, m, l.tree(crate("a + b"))).Facts; got.Outcome != gates.Passed {
		t.Fatalf("%+v", got)
	}
	if got := of(t, m, l.tree(crate("a - b"))).Facts; got.Outcome != gates.Failed || len(got.With(gates.StatusFailed)) != 1 {
		t.Errorf("%+v", got)
	}
}

// Nor caches: each way to the workbench and to the cache leads to a layer.
func TestPoison_cache(t *testing.T) {
	t.Parallel()
	placing(t)
	for _, contain := range []Contain{Free, Strictly} {
		t.Run(string(contain), func(t *testing.T) {
			t.Parallel()
			poisonCache(t, contain)
		})
	}
}

func poisonCache(t *testing.T, contain Contain) {
	t.Helper()
	l := newLab(t)
	opts := l.golang()
	opts.Contain, opts.Walls = contain, testrun.Walls{Network: sandbox.Loopback}
	caches := goCaches(t)
	opts.Environ = append(opts.Environ, caches...)
	evil := filepath.Join(strings.TrimPrefix(caches[0], "GOCACHE="), "evil-"+filepath.Base(filepath.Dir(t.TempDir())))
	defer os.Remove(evil) //nolint:errcheck // it is not there, as it should be
	source := files{
		"go.mod": "module m\n\ngo 1.22\n", "a_test.go": `package m

import (
	"os"
	"testing"
)

func TestA(t *testing.T) {
	if err := os.WriteFile(os.Getenv("EVIL"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
`,
	}
	opts.Env = []string{"EVIL=" + evil}
	m := newMeasurer(t, opts)
	got := of(t, m, l.tree(source))
	if _, err := os.Stat(evil); err == nil || got.Facts.Outcome != gates.Passed {
		t.Errorf("%v: %+v", err, got)
	}
}

// Tests that CTest runs cannot change what a later build takes for fresh.
func TestPoison_ctest(t *testing.T) {
	t.Parallel()
	placing(t)
	gittest.Need(t, "cmake", "ctest")
	l := newLab(t)
	opts := l.shell("")
	opts.Language = language(l, "cpp")
	opts.Commands = testrun.Commands{Test: opts.Language.Defaults.Test, Timeout: 2 * time.Minute}
	m := newMeasurer(t, opts)
	project := func(sum string) files {
		return files{
			"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(m C)\nenable_testing()\nadd_executable(t t.c sum.c)\nadd_test(NAME sums COMMAND t)\n" +
				"add_test(NAME spoils COMMAND find . -exec touch -d 2035-01-01 {} +)\n",
			"sum.c": "int sum(int a, int b) { return " + sum + "; }\n",
			"t.c":   "int sum(int, int);\nint main(void) { return sum(1, 2) != 3; }\n",
		}
	}
	if got := of(t, m, l.tree(project("a + b"))).Facts; got.Outcome != gates.Passed {
		t.Fatalf("%+v", got)
	}
	if got := of(t, m, l.tree(project("a - b"))).Facts; got.Outcome != gates.Failed || len(got.With(gates.StatusFailed)) != 1 {
		t.Errorf("%+v", got)
	}
}
