package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/llm/llmtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// run builds the program and runs the benchmarks that were asked for.
func run(ctx context.Context, which []string, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "git-tdd-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := bench{dir: dir, binary: filepath.Join(dir, "git-tdd"), out: out}
	if err := b.do(ctx, ".", "go", "build", "-trimpath", "-tags", "urfave_cli_no_docs", "-ldflags", "-s -w", "-o", b.binary, "./cmd/git-tdd"); err != nil {
		return err
	}
	type benchmark struct {
		name string
		run  func(context.Context) error
	}
	all := []benchmark{
		{"prompt", b.prompt},
		{"status", b.status},
		{"memory", b.memory},
		{"verify-go", func(ctx context.Context) error { return b.cold(ctx, "go", 0.6) }},
		{"verify-rust", func(ctx context.Context) error { return b.cold(ctx, "rust", 0.9) }},
		{"verify-long", b.verifyLong},
		{"evidence-greens", b.greens},
		{"evidence-proofs", b.proofs},
	}
	warm, err := projects()
	if err != nil {
		return err
	}
	for _, p := range warm {
		all = append(all, benchmark{"warm-" + p.name, func(ctx context.Context) error { return b.where(ctx, p, b.warm) }},
			benchmark{"commits-" + p.name, func(ctx context.Context) error { return b.where(ctx, p, b.commits) }})
	}
	for _, m := range all {
		wanted := func(prefix string) bool { return strings.HasPrefix(m.name, prefix) }
		if len(which) > 0 && !slices.ContainsFunc(which, wanted) {
			continue
		}
		if err := m.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// bench is one run of the benchmarks, in a folder of its own.
type bench struct {
	dir    string
	binary string
	url    string   // of the instant model
	env    []string // of all children, beside what they get anyway
	out    io.Writer
}

func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.out, format+"\n", args...) }

// command prepares a child whose configuration and caches are the benchmark's.
func (b *bench) command(ctx context.Context, dir string, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "XDG_") })
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TDD_LLM_BASE_URL="+b.url,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "RUST_BACKTRACE=0")
	for _, name := range []string{"CACHE", "STATE", "CONFIG"} {
		cmd.Env = append(cmd.Env, "XDG_"+name+"_HOME="+filepath.Join(b.dir, strings.ToLower(name)))
	}
	cmd.Env = append(cmd.Env, b.env...)
	return cmd
}

func (b *bench) do(ctx context.Context, dir string, argv ...string) error {
	cmd := b.command(ctx, dir, argv...)
	if b.url == "" {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // the build, as install.sh does it
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", argv, err, out)
	}
	return nil
}

// medians times several sides in turns, so that all see the same machine. A first round
// warms them up and does not count.
func medians(rounds int, sides ...func() (cost, error)) ([]time.Duration, error) {
	took, out := make([][]cost, len(sides)), make([]time.Duration, len(sides))
	for round := range rounds + 1 {
		for i, side := range sides {
			c, err := side()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				took[i] = append(took[i], c)
				out[i] = typical(took[i], wall)
			}
		}
	}
	return out, nil
}

func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// imported makes a repository of a stream of git fast-import.
func (b *bench) imported(ctx context.Context, dir, stream string) error {
	if err := b.do(ctx, ".", "git", "init", "-q", "-b", "main", dir); err != nil {
		return err
	}
	cmd := b.command(ctx, dir, "git", "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(stream)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w\n%s", err, out)
	}
	return b.do(ctx, dir, "git", "reset", "-q", "--hard")
}

// instant is a model that answers at once, by the step that is asked for.
func instant(label string) (string, bool) {
	var step int
	if _, err := fmt.Sscanf(label, "step %d", &step); err != nil {
		return "", false
	}
	n := (step + 2) / 3
	switch step % 3 {
	case 1:
		return fmt.Sprintf("test: number %d\n=== a%d_test.go\npackage kata\n\nimport \"testing\"\n\n"+
			"func TestNumber%d(t *testing.T) {\n\tif Number%d() != %d {\n\t\tt.Error(\"no\")\n\t}\n}\n", n, n, n, n, n), true
	case 2:
		return fmt.Sprintf("feat: number %d\n=== a%d.go\npackage kata\n\n// Number%d is %d.\nfunc Number%d() int { return %d }\n", n, n, n, n, n, n), true
	}
	return fmt.Sprintf("refactor: number %d\n=== a%d.go\npackage kata\n\n// Number%d is %d.\nfunc Number%d() int {\n\treturn %d\n}\n", n, n, n, n, n, n), true
}

// kata makes a Go kata and starts the instant model.
func (b *bench) kata(ctx context.Context, name string) (dir string, stop func(), err error) {
	server := llmtest.Serve(instant)
	b.url = server.URL + "/v1"
	dir = filepath.Join(b.dir, name, "kata")
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		return dir, server.Close, err
	}
	return dir, server.Close, b.do(ctx, filepath.Dir(dir), b.binary, "init", "--language", "go", "kata")
}
