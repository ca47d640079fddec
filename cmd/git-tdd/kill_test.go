package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm/llmtest"
)

// TestKill kills a step with SIGKILL before, during and after each of its git
// commands, and checks that the repository is as before the step or as after
// it, that the user's own files are untouched, and that the next command
// recovers by itself. TDD_PART=0/1 tries every point, otherwise some of them.
func TestKill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	lab := newKillLab(t)
	for steps := range 4 {
		k := killing{template: lab.template(t, steps), steps: steps}
		lab.atEachCall(t, k, []string{"before", "during", "after"}, 5, lab.kill)
	}
}

// killLab is what all kills have in common: the binary, the shim, the model.
type killLab struct {
	binary string
	shim   string // a folder with a git that kills its caller
	url    string
	home   string
}

// killing is one point at which to kill.
type killing struct {
	template string
	steps    int
	at       int
	when     string
	what     string        // which command; empty for step
	after    time.Duration // not at a git command, but after this time
}

func (k killing) command() string { return cmp.Or(k.what, "step") }

// aim is who gets which signal: the group of processes or the process alone.
func (k killing) aim() (target, signal string) {
	if target, signal, ok := strings.Cut(k.when, "-"); ok {
		return target, signal
	}
	return "group", "KILL"
}

// argv is the command line.
func (k killing) argv(binary string) []string {
	switch k.what {
	case "commit":
		return []string{"git", "commit", "-qm", "test: by hand", "--", addedByHand}
	case "verify":
		return []string{binary, "verify", "--fresh"}
	case "run":
		return []string{binary, "run", "--steps", "3"}
	}
	return []string{binary, k.command()}
}

//nolint:gochecknoglobals // one build for all tests
var built struct {
	sync.Once
	path string
	err  error
}

// binary builds the program once for all tests.
func binary(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		dir, err := os.MkdirTemp("", "git-tdd-binary-") //nolint:usetesting // outlives the test that is first
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "git-tdd")
		out, err := exec.Command("go", "build", "-o", built.path, ".").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

const shimText = `#!/bin/sh
# Counts git commands; at number $KILL_AT it kills whoever called it, or signals
# its group, itself included, as a terminal does that hits it before it has a
# group of its own; or only the process that called it.
n=0
[ ! -e "$KILL_COUNT" ] || read -r n <"$KILL_COUNT"
n=$((n + 1))
echo $n >"$KILL_COUNT"
[ $n = "$KILL_AT" ] || exec "$REAL_GIT" "$@"
kill -0 $PPID && : >"$KILL_COUNT.hit"
group=$(ps -o pgid= -p $PPID | tr -d ' ')
case $KILL_WHEN in
before) kill -9 -$group ;;
during) kill -9 -$group & exec "$REAL_GIT" "$@" ;;
after) "$REAL_GIT" "$@"; kill -9 -$group ;;
group-*) kill -${KILL_WHEN#group-} -$group; kill -${KILL_WHEN#group-} $$ ;;
pid-*) kill -${KILL_WHEN#pid-} $PPID; exec "$REAL_GIT" "$@" ;;
esac
`

func newKillLab(t *testing.T) *killLab {
	t.Helper()
	lab := &killLab{binary: binary(t), shim: t.TempDir(), home: t.TempDir()}
	gittest.Files{"git*": shimText}.Write(t, lab.shim)
	server := llmtest.Serve(stepScript)
	t.Cleanup(server.Close)
	lab.url = server.URL + "/v1"
	return lab
}

// stepScript answers according to the step in the label, so that any number of
// runs can ask at once.
func stepScript(label string) (string, bool) {
	var step int
	if _, err := fmt.Sscanf(label, "step %d", &step); err != nil {
		return "", false
	}
	n := (step + 2) / 3
	switch step % 3 {
	case 1:
		return fmt.Sprintf("test: number %d\n=== tests/a%d_test.sh\ntest -f src/a%d.sh\n", n, n, n), true
	case 2:
		return fmt.Sprintf("feat: number %d\n=== src/a%d.sh\n# number %d\n=== src/all.sh\n# all %d\n", n, n, n, n), true
	}
	return fmt.Sprintf("refactor: tidy\n=== src/all.sh\n# all, tidied %d\n=== src/deep/er/b%d.sh\n# b\n", n, n), true
}

// command prepares a child in a folder with the lab's environment.
func (lab *killLab) command(t *testing.T, dir string, argv ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(gittest.Environ(gittest.XDG(lab.home)...), "XDG_CACHE_HOME="+filepath.Join(dir, "..", "cache"),
		"GIT_TDD_LLM_BASE_URL="+lab.url, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	return cmd
}

func (lab *killLab) must(t *testing.T, dir string, argv ...string) string {
	t.Helper()
	return gittest.Run(t, lab.command(t, dir, argv...))
}

// mine is work of the user's own that is not committed.
func mine() gittest.Files {
	return gittest.Files{"README": "a project, with unsaved thoughts\n", "mine.txt": "untracked\n", "staged.txt": "staged\n"}
}

// template makes a repository with some steps and with the user's own work.
func (lab *killLab) template(t *testing.T, steps int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	gittest.Files{
		".tdd.yaml":    "language: generic\nci: {test_cmd: [\"sh\", \"tests/all.sh\"]}\n",
		"tests/all.sh": "for t in tests/*_test.sh; do [ ! -e \"$t\" ] || sh \"$t\" || exit 1; done\n",
		"src/all.sh":   "# all\n",
		"README":       "a project\n",
	}.Write(t, dir)
	lab.must(t, dir, "git", "init", "-q", "-b", "main")
	lab.must(t, dir, "git", "add", "-A")
	lab.must(t, dir, "git", "commit", "-qm", "chore: start")
	lab.must(t, dir, lab.binary, "trust")
	if steps > 0 {
		lab.must(t, dir, lab.binary, "run", "--steps", fmt.Sprint(steps))
	}
	mine().Write(t, dir)
	lab.must(t, dir, "git", "add", "staged.txt")
	return dir
}

// copyOf copies a template to a new place and approves it.
func (lab *killLab) copyOf(t *testing.T, template string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	gittest.Check(t, os.CopyFS(dir, os.DirFS(template)))
	lab.must(t, dir, lab.binary, "trust")
	return dir
}

// shimmed runs a command with the shim instead of git. It was hit if it lived when its
// time came.
func (lab *killLab) shimmed(t *testing.T, dir string, k killing) (output []byte, hit bool) {
	t.Helper()
	git, err := exec.LookPath("git")
	gittest.Check(t, err)
	counter := counterOf(dir)
	cmd := lab.command(t, dir, k.argv(lab.binary)...)
	// Git has hooks find its own programs first.
	cmd.Env = append(cmd.Env, "GIT_EXEC_PATH="+lab.shim, "PATH="+lab.shim+":"+os.Getenv("PATH"), "REAL_GIT="+git,
		"KILL_COUNT="+counter, fmt.Sprintf("KILL_AT=%d", k.at), "KILL_WHEN="+k.when)
	ownProcessGroup(cmd)
	output, _ = cmd.CombinedOutput() // it is meant to die
	_, err = os.Stat(counter + ".hit")
	return output, err == nil
}

// counterOf is the file in which the shim counts git commands in a repository.
func counterOf(dir string) string { return filepath.Join(dir, "..", "count") }

// count is how many git commands a command runs where nothing is killed. Where something
// is, the counter may be cut off too.
func (lab *killLab) count(t *testing.T, k killing) (calls int) {
	t.Helper()
	dir := lab.copyFor(t, k)
	out, _ := lab.shimmed(t, dir, k)
	if _, err := fmt.Sscan(gittest.Read(t, counterOf(dir)), &calls); err != nil || calls < 2 {
		t.Fatalf("it ran %d git commands: %v\n%s", calls, err, out)
	}
	return calls
}

func (lab *killLab) kill(t *testing.T, k killing) (hit bool) {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	_, hit = lab.shimmed(t, dir, k)
	lab.recovers(t, dir, old, k.steps)
	return hit
}

// recovers checks that a step that went wrong left the commit of before, or one step
// after it, and that the next command goes on from there.
func (lab *killLab) recovers(t *testing.T, dir, old string, before int) {
	t.Helper()
	now := lab.must(t, dir, "git", "rev-parse", "HEAD")
	if now != old {
		if parent := lab.must(t, dir, "git", "rev-parse", "HEAD~1"); parent != old {
			t.Fatalf("HEAD is neither the old commit nor one step after it")
		}
	}
	lab.must(t, dir, "git", "fsck", "--strict")

	out := lab.must(t, dir, lab.binary, "step")
	steps := strings.Count(lab.must(t, dir, "git", "log", "--format=%(trailers:key=Tdd-Step)"), "Tdd-Step")
	if steps != before+1 && steps != before+2 {
		t.Errorf("%d steps after one that went wrong and another; there were %d before\n%s", steps, before, out)
	}
	lab.intact(t, dir)
}

// intact checks that the user's own work is there and nothing else is dirty.
func (lab *killLab) intact(t *testing.T, dir string) {
	t.Helper()
	want := " M README\nA  staged.txt\n?? mine.txt\n"
	if got := lab.must(t, dir, "git", "status", "--porcelain"); got != want {
		t.Errorf("git status:\n%swant:\n%s", got, want)
	}
	for name, text := range mine() {
		if got := gittest.Read(t, filepath.Join(dir, name)); got != text {
			t.Errorf("%s is %q", name, got)
		}
	}
	lab.must(t, dir, "git", "fsck", "--strict")
	if out := lab.must(t, dir, "git", "for-each-ref", "refs/tdd/next"); out != "" {
		t.Errorf("the redo record is still there: %s", out)
	}
	if out, err := lab.command(t, dir, lab.binary, "verify").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("0 refused")) {
		t.Errorf("verify: %v\n%s", err, out)
	}
}
