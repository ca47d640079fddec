package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
			if !offers(t.Context(), tier) {
				t.Skip("the kernel refuses it")
			}
			word := "escapee-" + tier + "-" + filepath.Base(t.TempDir()) + t.Name()
			c, out := shell(t, escapee(word)+"echo started")
			end, err := run(t.Context(), tier, c)
			if err != nil || end != (Ending{}) || out.String() != "started\n" {
				t.Errorf("%+v %v %q", end, err, out.String())
			}
			if left := alive(t, word); len(left) > 0 {
				t.Errorf("alive after the end: %q", left)
			}

			ctx, cancel := context.WithCancel(t.Context())
			c.Args[2] = escapee(word) + "echo started; sleep 1000"
			c.Stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
			end, err = run(ctx, tier, c)
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

// A command cannot end its box and so escape being judged. It is as easily ended
// itself as anywhere.
func TestBoxOutlivesSignals(t *testing.T) {
	t.Parallel()
	for tier, signals := range map[string]string{
		tierNamespace: "$(seq 1 15) $(seq 20 64) 9 19", tierReaper: "HUP INT QUIT TERM USR1 USR2",
	} {
		if !slices.Contains(tiers(), tier) || !offers(t.Context(), tier) {
			continue
		}
		c, out := shell(t, "grep SigCgt /proc/$PPID/status")
		if _, err := run(t.Context(), tier, c); err != nil {
			t.Fatal(err)
		}
		var caught uint64
		if _, err := fmt.Sscanf(out.String(), "SigCgt: %x", &caught); err != nil {
			t.Fatalf("%v: %q", err, out)
		}
		for signal := 1; signal < 32; signal++ {
			if signal != 9 && signal != 19 && caught&(1<<(signal-1)) == 0 {
				t.Errorf("%s: signal %d is left to the kernel", tier, signal)
			}
		}
		c, out = shell(t, "for s in "+signals+"; do kill -$s $PPID; done; echo judged; kill -TERM $$; exit 3")
		end, err := run(t.Context(), tier, c)
		if err != nil || end.Signal != "SIGTERM" || out.String() != "judged\n" {
			t.Errorf("%s: %+v %v %q", tier, end, err, out)
		}
	}
}

// A command sees the environment that it was given, and nothing of the box's.
func TestEnvironmentIsWhatWasGiven(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{{"A=1", "PATH=" + os.Getenv("PATH")}, {"GOMAXPROCS=7", "PATH=" + os.Getenv("PATH"), "Z=a\nb"}} {
		c, out := shell(t, "exec env -u PWD -u _ -u SHLVL -u OLDPWD env -0")
		c.Env = env
		if end, err := Run(t.Context(), c); err != nil || end != (Ending{}) {
			t.Fatal(end, err)
		}
		got := strings.Split(strings.Trim(out.String(), "\x00"), "\x00")
		slices.Sort(got)
		if slices.Sort(env); !slices.Equal(got, env) {
			t.Errorf("%q, want %q", got, env)
		}
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	c, out := shell(t, "for i in 1 2 3; do echo out$i; echo err$i >&2; done")
	if _, err := Run(t.Context(), c); err != nil || out.String() != "out1\nerr1\nout2\nerr2\nout3\nerr3\n" {
		t.Errorf("one place: %q %v", out, err)
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	out.Reset()
	if _, err := Run(t.Context(), c); err != nil || out.String() != "out1\nout2\nout3\n" || errs.String() != "err1\nerr2\nerr3\n" {
		t.Errorf("two places: %q %q %v", out, &errs, err)
	}
}

// Who refuses the output does not keep the command waiting.
func TestWriterThatRefuses(t *testing.T) {
	t.Parallel()
	c, _ := shell(t, "trap '' PIPE; yes; exit 4")
	c.Stdout = writerFunc(func([]byte) (int, error) { return 0, errors.New("no room") })
	if end, err := Run(t.Context(), c); err != nil || end != (Ending{Code: 4}) {
		t.Errorf("%+v %v", end, err)
	}
}

func TestWhatCannotStart(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Command){
		"no program": func(c *Command) { c.Path = "/nowhere/sh" },
		"no folder":  func(c *Command) { c.Dir = "/nowhere" },
		"NUL":        func(c *Command) { c.Args = append(c.Args, "a\x00b") },
		"NUL in env": func(c *Command) { c.Env = append(c.Env, "A=a\x00b") },
	} {
		c, _ := shell(t, "exit 0")
		change(&c)
		if end, err := Run(t.Context(), c); err != nil || end.Code != 127 || end.Refused == "" {
			t.Errorf("%s: %+v %v", name, end, err)
		}
	}
}

// A command that nobody wants any more is not started.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, out := shell(t, "echo started")
	if end, err := Run(ctx, c); err != nil || !end.Late || end.Signal == "" || out.Len() > 0 {
		t.Errorf("%+v %v %q", end, err, out)
	}
}

// A command whose time is over is late, at whatever moment that happens.
func TestLateAtAnyMoment(t *testing.T) {
	t.Parallel()
	for i := range 60 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*50*time.Microsecond)
		c, _ := shell(t, "sleep 1000")
		if end, err := Run(ctx, c); err != nil || !end.Late {
			t.Errorf("after %d µs: %+v %v", 50*i, end, err)
		}
		cancel()
	}
}

// TestBoxDiesWithItsParent kills a git-tdd with SIGKILL in the middle of a run, in a
// box of each tier.
func TestBoxDiesWithItsParent(t *testing.T) {
	t.Parallel()
	linux(t)
	if script := os.Getenv("BOX_VICTIM"); script != "" {
		c, _ := shell(t, script)
		c.Stdout = os.Stdout
		if os.Getenv("BOX_WALLS") != "" {
			c.Walls = &Walls{By: Landlock, Given: []string{c.Dir, os.DevNull}}
		}
		_, err := run(t.Context(), os.Getenv("BOX_TIER"), c)
		t.Fatal("it came to an end", err)
	}
	for _, tier := range tiers() {
		if !offers(t.Context(), tier) {
			continue
		}
		word := "box-dies-with-its-parent-" + tier
		for range 2 {
			killParent(t, word, "TMPDIR="+t.TempDir(), "BOX_TIER="+tier, "BOX_VICTIM="+escapee(word)+"echo started; sleep 1000")
		}
		if tier == tierReaper && Stands(t.Context(), Landlock) {
			killParent(t, word, "TMPDIR="+t.TempDir(), "BOX_TIER="+tier, "BOX_WALLS=yes", "BOX_VICTIM="+escapee(word)+"echo started; sleep 1000")
		}
	}
}

// killParent kills the process that runs a box, and waits until nothing is left whose
// command line holds a word.
func killParent(t *testing.T, word string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestBoxDiesWithItsParent$")
	cmd.Env = append(os.Environ(), env...)
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

func BenchmarkBox(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	c := Command{Path: path, Args: []string{"true"}, Dir: b.TempDir(), Env: os.Environ(), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
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
				if _, err := run(b.Context(), tier, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	home := b.TempDir()
	c.Walls = &Walls{Network: Loopback, Hidden: []string{home, "/run", "/tmp", "/var/tmp"}, Given: []string{c.Dir, os.DevNull}, Limits: Limits{Processes: 8192}}
	for n := range 10 {
		shown := filepath.Join(home, "tool", strconv.Itoa(n))
		if err := os.MkdirAll(shown, 0o700); err != nil {
			b.Fatal(err)
		}
		c.Walls.Shown = append(c.Walls.Shown, shown)
	}
	for _, c.Walls.By = range AllMeans() {
		if !Stands(b.Context(), c.Walls.By) {
			continue
		}
		b.Run("walls of "+string(c.Walls.By), func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
