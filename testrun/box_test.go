package testrun

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// shell is a request to run a script by exit code.
func shell(t *testing.T, script string) Request {
	t.Helper()
	need(t, "sh")
	req := project(t, "", "-- keep --\n")
	req.Commands.Test = []string{"sh", "-c", script}
	return req
}

// alive lists the processes of this machine whose command line holds a word.
func alive(t *testing.T, word string) []string {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err == nil && bytes.Contains(raw, []byte(word)) {
			out = append(out, name+" "+string(raw))
		}
	}
	return out
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct {
		outcome gates.Outcome
		class   gates.Class
		exit    int
	}{
		"exit 0":          {gates.Passed, gates.ClassNone, 0},
		"exit 3":          {gates.Failed, gates.ClassException, 3},
		"exit 127":        {gates.Crashed, gates.ClassRunnerMissing, 127},
		"kill -9 $$":      {gates.Crashed, gates.ClassCrash, 137},
		"kill -TERM $$":   {gates.Crashed, gates.ClassCrash, 143},
		"kill -TERM 1; :": {gates.Passed, gates.ClassNone, 0},
		"read x || true":  {gates.Passed, gates.ClassNone, 0}, // standard input is closed
		"test ! -t 0":     {gates.Passed, gates.ClassNone, 0},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(script, " 1;") && BoxTier() != tierNamespace {
				t.Skip("process 1 is not ours")
			}
			got := measure(t, shell(t, script))
			if got.Facts.Outcome != want.outcome || got.Facts.Class() != want.class || got.Runs[0].Exit != want.exit {
				t.Errorf("%+v", got)
			}
			if got.Facts.Detail != gates.DetailExitCode {
				t.Errorf("detail %s", got.Facts.Detail)
			}
		})
	}
}

func TestMissingProgram(t *testing.T) {
	t.Parallel()
	req := shell(t, "")
	req.Commands.Test = []string{"no-such-program"}
	got := measure(t, req)
	if got.Facts.Outcome != gates.Crashed || got.Facts.Class() != gates.ClassRunnerMissing {
		t.Errorf("%+v", got.Facts)
	}
	write(t, req.Dir, "-- odd --\nnot a program\n")
	if err := os.Chmod(filepath.Join(req.Dir, "odd"), 0o700); err != nil {
		t.Fatal(err)
	}
	req.Commands.Test = []string{"./odd"}
	got = measure(t, req)
	if got.Facts.Outcome != gates.Crashed || got.Facts.Class() != gates.ClassRunnerMissing {
		t.Errorf("%+v", got.Facts)
	}
}

// escapee starts a daemon in a session of its own that holds the output open,
// and a grandchild of it, both with the given word on their command lines.
func escapee(word string) string {
	return `setsid sh -c 'setsid sh -c "while :; do sleep 1; done # ` + word + `" & while :; do sleep 1; done # ` + word + `' &
`
}

func TestDaemonsDieWithTheirRun(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux promises it")
	}
	need(t, "setsid")
	for _, tier := range tiers() {
		t.Run(tier, func(t *testing.T) {
			t.Parallel()
			if probe(tier) != nil {
				t.Skip("the kernel refuses it")
			}
			word := "escapee-" + tier + "-" + filepath.Base(t.TempDir()) + t.Name()
			dir := t.TempDir()
			sh, err := exec.LookPath("sh")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			b := boxed{path: sh, argv: []string{"sh", "-c", escapee(word) + "echo started"}, dir: dir, env: os.Environ(), stdout: &out, stderr: &out}
			end, err := runTier(t.Context(), tier, b)
			if err != nil || end != (ending{}) || out.String() != "started\n" {
				t.Errorf("%+v %v %q", end, err, out.String())
			}
			if left := alive(t, word); len(left) > 0 {
				t.Errorf("alive after the end: %q", left)
			}

			ctx, cancel := context.WithCancel(t.Context())
			b.argv[2] = escapee(word) + "echo started; sleep 1000"
			b.stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
			end, err = runTier(ctx, tier, b)
			if err != nil || end.signal == "" {
				t.Errorf("%+v %v", end, err)
			}
			if left := alive(t, word); len(left) > 0 {
				t.Errorf("alive after the kill: %q", left)
			}
		})
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestTimeoutIsAFact(t *testing.T) {
	t.Parallel()
	need(t, "setsid")
	req := shell(t, escapee("timeout-is-a-fact")+"trap '' TERM; echo going; while :; do sleep 1; done")
	req.Commands.Timeout = 300 * time.Millisecond
	got := measure(t, req)
	if got.Facts.Outcome != gates.Timeout || got.Facts.Class() != gates.ClassTimeout || !got.Runs[0].TimedOut {
		t.Errorf("%+v", got)
	}
	if got.Runs[0].Output != "going\n" {
		t.Errorf("output %q", got.Runs[0].Output)
	}
	if left := alive(t, "timeout-is-a-fact"); runtime.GOOS == "linux" && len(left) > 0 {
		t.Errorf("alive: %q", left)
	}
}

func TestCancelIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	req := shell(t, "sleep 1000")
	req.Phase = func(string) { cancel() }
	if _, err := Measure(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRelativePathsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := Measure(t.Context(), Request{Dir: "work", Scratch: "scratch"}); !errors.Is(err, errRequest) {
		t.Errorf("error %v", err)
	}
}

// TestBoxDiesWithItsParent kills a git-tdd with SIGKILL in the middle of a run.
func TestBoxDiesWithItsParent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux promises it")
	}
	need(t, "setsid", "sh")
	if script := os.Getenv("TESTRUN_VICTIM"); script != "" {
		req := shell(t, script)
		req.Log = os.Stdout
		measure(t, req)
		return
	}
	const word = "box-dies-with-its-parent"
	for range 2 {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestBoxDiesWithItsParent$")
		cmd.Env = append(os.Environ(), "TESTRUN_VICTIM="+escapee(word)+"echo started; sleep 1000")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if err := eachLineUntil(out, "started"); err != nil {
			t.Fatal(err)
		}
		if len(alive(t, word)) == 0 {
			t.Error("the daemon never lived: this test shows nothing")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		for deadline := time.Now().Add(10 * time.Second); len(alive(t, word)) > 0; {
			if time.Now().After(deadline) {
				t.Fatalf("alive: %q", alive(t, word))
			}
			runtime.Gosched()
		}
	}
}

// eachLineUntil reads until a line comes.
func eachLineUntil(r interface{ Read([]byte) (int, error) }, want string) error {
	var got bytes.Buffer
	buf := make([]byte, 256)
	for {
		n, err := r.Read(buf)
		got.Write(buf[:n])
		if strings.Contains(got.String(), want+"\n") {
			return nil
		}
		if err != nil {
			return errors.New(got.String() + err.Error())
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	req := shell(t, "env")
	var log bytes.Buffer
	req.Log = &log
	req.Environ = append(os.Environ(),
		"GIT_DIR=/nowhere", "MY_API_KEY=canary", "AWS_SECRET=canary", "MAKEFLAGS=canary", "CARGO_TARGET_DIR=canary",
		"LC_TIME=C", "TZ=UTC", "HTTPS_PROXY=http://user:pass@proxy")
	req.Env = []string{"DECLARED=yes", "GIT_INDEX_FILE=canary", "SOME_TOKEN=canary", "DB_PASSWORD=canary"}
	measure(t, req)
	got := log.String()
	for _, line := range []string{"DECLARED=yes\n", "CI=1\n", "NO_COLOR=1\n", "LC_ALL=C.UTF-8\n", "LC_TIME=C\n", "TZ=UTC\n", "HTTPS_PROXY=http://user:pass@proxy\n", "TMPDIR=" + req.Scratch} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	for _, word := range []string{"canary", "GIT_"} {
		if strings.Contains(got, word) {
			t.Errorf("%q in\n%s", word, got)
		}
	}
}

func TestFilesBelongToTheUser(t *testing.T) {
	t.Parallel()
	req := shell(t, "echo mine >made && echo temporary >$TMPDIR/x && id -u")
	got := measure(t, req)
	info, err := os.Stat(filepath.Join(req.Dir, "made"))
	if err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	own, err := os.Stat(req.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if owner(info) != owner(own) {
		t.Errorf("owner %v, want %v", owner(info), owner(own))
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	need(t, "head", "tr")
	size := int64(20 << 20)
	if os.Getenv("TESTRUN_BIG") != "" {
		size = 5 << 30
	}
	req := shell(t, "echo first; head -c "+strconv.FormatInt(size, 10)+" /dev/zero | tr '\\0' x; echo; echo last >&2")
	var log counter
	req.Log = &log
	got := measure(t, req)
	run := got.Runs[0]
	if len(run.Output) > 16<<10 || !run.Truncated || !strings.HasPrefix(run.Output, "first\nxxx") || !strings.HasSuffix(run.Output, "x\nlast\n") {
		t.Errorf("%d bytes: %q … %q", len(run.Output), run.Output[:20], run.Output[len(run.Output)-20:])
	}
	if want := min(size+12, logLimit); int64(log) != want {
		t.Errorf("log has %d bytes, want %d", log, want)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func TestFormatAndVersions(t *testing.T) {
	t.Parallel()
	need(t, "gofmt", "go")
	req := project(t, "go", module+"-- a.go --\npackage   calc\n")
	run, err := Format(t.Context(), req)
	if err != nil || run.Exit != 0 || run.Name != "fmt" {
		t.Errorf("%+v %v", run, err)
	}
	if raw, _ := os.ReadFile(filepath.Join(req.Dir, "a.go")); string(raw) != "package calc\n" {
		t.Errorf("%q", raw)
	}
	first, err := Versions(t.Context(), req)
	if err != nil || !strings.Contains(first, "go version go1.") {
		t.Errorf("%q %v", first, err)
	}
	write(t, req.Dir, strings.Replace(module, "1.22", "1.21", 1))
	if second, _ := Versions(t.Context(), req); second == first {
		t.Error("go.mod changed, the identity did not")
	}
	req.Commands.Fmt = nil
	if run, err := Format(t.Context(), req); err != nil || run.Name != "" {
		t.Errorf("%+v %v", run, err)
	}
	req.Language, req.Commands.Test = Generic(), []string{"go"}
	if id, err := Versions(t.Context(), req); err != nil || !strings.Contains(id, "go: /") {
		t.Errorf("%q %v", id, err)
	}
}

func BenchmarkBox(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	run := boxed{path: path, argv: []string{"true"}, dir: b.TempDir(), env: os.Environ(), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := exec.CommandContext(b.Context(), path).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, tier := range tiers() {
		b.Run(tier, func(b *testing.B) {
			for b.Loop() {
				if _, err := runTier(b.Context(), tier, run); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
