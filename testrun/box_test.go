package testrun

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// A command cannot end its box and so escape being judged.
func TestBoxOutlivesSignals(t *testing.T) {
	t.Parallel()
	need(t, "sh")
	got := measure(t, shell(t, "for s in HUP INT QUIT TERM USR1 USR2; do kill -$s $PPID; done; echo judged; exit 3"))
	if got.Facts.Outcome != gates.Failed || got.Runs[0].Exit != 3 || got.Runs[0].Output != "judged\n" {
		t.Errorf("%+v", got)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestTimeoutIsAFact(t *testing.T) {
	t.Parallel()
	need(t, "setsid")
	req := shell(t, escapee("timeout-is-a-fact")+"trap '' TERM; echo going; while :; do sleep 1; done")
	req.Commands.Timeout = 1500 * time.Millisecond
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
