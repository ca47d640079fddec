package box

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

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

// escapee starts a daemon in a session of its own that holds the output open,
// and a grandchild of it, both with the given word on their command lines.
func escapee(word string) string {
	return `setsid sh -c 'setsid sh -c "while :; do sleep 1; done # ` + word + `" & while :; do sleep 1; done # ` + word + `' &
`
}

// shell is a command that runs a script, and the buffer that gets its output.
func shell(t *testing.T, script string) (Command, *bytes.Buffer) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("this machine has no shell")
	}
	out := new(bytes.Buffer)
	return Command{Path: sh, Args: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: os.Environ(), Stdout: out, Stderr: out}, out
}

// linux skips a test of what only Linux promises.
func linux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux promises it")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
}

func TestDaemonsDieWithTheirRun(t *testing.T) {
	t.Parallel()
	linux(t)
	for _, tier := range tiers() {
		t.Run(tier, func(t *testing.T) {
			t.Parallel()
			if probe(tier) != nil {
				t.Skip("the kernel refuses it")
			}
			word := "escapee-" + tier + "-" + filepath.Base(t.TempDir()) + t.Name()
			c, out := shell(t, escapee(word)+"echo started")
			end, err := runTier(t.Context(), tier, c)
			if err != nil || end != (Ending{}) || out.String() != "started\n" {
				t.Errorf("%+v %v %q", end, err, out.String())
			}
			if left := alive(t, word); len(left) > 0 {
				t.Errorf("alive after the end: %q", left)
			}

			ctx, cancel := context.WithCancel(t.Context())
			c.Args[2] = escapee(word) + "echo started; sleep 1000"
			c.Stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
			end, err = runTier(ctx, tier, c)
			if err != nil || end.Signal == "" {
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

// A command cannot end its box and so escape being judged.
func TestBoxOutlivesSignals(t *testing.T) {
	t.Parallel()
	c, out := shell(t, "for s in HUP INT QUIT TERM USR1 USR2; do kill -$s $PPID; done; echo judged; exit 3")
	end, err := Run(t.Context(), c)
	if err != nil || end != (Ending{Code: 3}) || out.String() != "judged\n" {
		t.Errorf("%+v %v %q", end, err, out)
	}
}

// TestBoxDiesWithItsParent kills a git-tdd with SIGKILL in the middle of a run.
func TestBoxDiesWithItsParent(t *testing.T) {
	t.Parallel()
	linux(t)
	if script := os.Getenv("BOX_VICTIM"); script != "" {
		c, _ := shell(t, script)
		c.Stdout = os.Stdout
		_, err := Run(t.Context(), c)
		t.Fatal("it came to an end", err)
	}
	const word = "box-dies-with-its-parent"
	for range 2 {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestBoxDiesWithItsParent$")
		cmd.Env = append(os.Environ(), "BOX_VICTIM="+escapee(word)+"echo started; sleep 1000")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "started" { // the test runner's own lines may come first
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

func BenchmarkBox(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	run := Command{Path: path, Args: []string{"true"}, Dir: b.TempDir(), Env: os.Environ(), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
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
